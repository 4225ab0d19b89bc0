/** Proves what calls get from the session: search for tools, calls inside a call, questions, lists, plans, jobs, artifacts. */
import type { Artifacts, Job, Jobs, Todo, Tool } from "@kedge/protocol";
import { expect, test } from "vitest";
import { cutOffText } from "../src/call/text/call-input.ts";
import { call, calls, createHarness, createTool, type HarnessOptions, say } from "./harness.ts";

const hidden = (name: string, searchHint: string): Tool => ({ ...createTool({ name }), searchHint });
const names = (tools: readonly { readonly name: string }[] | undefined) => tools?.map(({ name }) => name);

test("a tool that was searched for is in every request from then on, also after a restart", async () => {
  const options: HarnessOptions = {
    tools: [createTool({ name: "read" }), hidden("notebook_edit", "cells jupyter"), hidden("webfetch", "web page")],
    turns: [
      calls(call("a", "tool_search", { query: "jupyter cells" })),
      calls(call("b", "notebook_edit", {})),
      say("Done."),
    ],
  };
  const harness = createHarness(options);
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "Go");
  expect(harness.requests.map(({ tools }) => names(tools))).toEqual([
    ["read", "tool_search"],
    ["read", "tool_search", "notebook_edit"],
    ["read", "tool_search", "notebook_edit"],
  ]);
  await harness.engine.close();
  const later = createHarness({ ...options, store: harness.store, boot: "boot-2", turns: [say("Again.")] });
  await later.resume(sessionId);
  await later.prompt(sessionId, "More");
  expect(names(later.requests[0]?.tools)).toEqual(["read", "tool_search", "notebook_edit"]);
});

test.each([
  ["select:webfetch,nothing", ["webfetch"], "There is no tool named nothing."],
  ["webfetch", ["webfetch"], "Callable from the next step"],
  ["web", ["webfetch"], "webfetch: does webfetch"],
  ["+page cells", ["webfetch"], "Callable from the next step"],
  ["cells page", ["webfetch", "notebook_edit"], "Callable from the next step"],
  ["unheard-of", [], "No tool matches. 2 can be searched"],
])("a search for %s finds %j", async (query, found, text) => {
  const harness = createHarness({
    tools: [hidden("notebook_edit", "cells jupyter"), hidden("webfetch", "page")],
    turns: [calls(call("a", "tool_search", { query })), say("Done.")],
  });
  await harness.prompt(await harness.open(), "Go");
  const ended = await harness.waitForFact("tool.ended");
  expect(ended.metadata).toEqual({
    foundTools: found,
    ...(found.length === 0 && { totalDeferredTools: 2 }),
    ...(query.includes("nothing") && { missingTools: ["nothing"] }),
  });
  expect(ended.output).toContain(text);
});

test("calls inside a call have their own permission and ends, and only the outer result reaches the model", async () => {
  const outer: Tool = {
    ...createTool({ name: "outer", readOnly: false, permission: "outer" }),
    run: async (_, { children }) => {
      const results = await children.run([
        { tool: "look", input: { at: 1 } },
        { tool: "change", input: {} },
        { tool: "nobody", input: {} },
      ]);
      return { output: JSON.stringify(results.map(({ tool, isError }) => [tool, isError])), title: "" };
    },
  };
  const harness = createHarness({
    tools: [outer, createTool({ name: "look" }), createTool({ name: "change", readOnly: false, permission: "edit" })],
    rules: [
      {
        source: "user",
        rules: [
          { permission: "outer", pattern: "*", action: "allow" },
          { permission: "look", pattern: "*", action: "allow" },
          { permission: "edit", pattern: "*", action: "deny" },
        ],
      },
    ],
    turns: [calls(call("a", "outer", {})), say("Done.")],
  });
  await harness.prompt(await harness.open(), "Go");
  const ends = harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [fact] : []));
  expect(ends.map(({ callId, outcome, parentCallId }) => [callId, outcome, parentCallId])).toEqual([
    ["a_1", "completed", "a"],
    ["a_2", "refused", "a"],
    ["a_3", "failed", "a"],
    ["a", "completed", undefined],
  ]);
  expect(harness.requests[1]?.messages.filter(({ role }) => role === "tool")).toEqual([
    {
      role: "tool",
      callId: "a",
      tool: "outer",
      output: '[["look",false],["change",true],["nobody",true]]',
      isError: false,
    },
  ]);
});

const asking: Tool = {
  ...createTool({ name: "ask" }),
  run: async (_, { dialogue }) => {
    const options = [
      { label: "a", description: "" },
      { label: "b", description: "" },
    ];
    const answers = await dialogue.ask([{ question: "Which?", options }]);
    return { output: answers?.join() ?? "nobody", title: "" };
  },
};

test("a question waits for the person, and goes unanswered where there is none", async () => {
  const turns = [calls(call("a", "ask", {})), say("Done.")];
  const harness = createHarness({ tools: [asking], interactive: true, turns });
  const sessionId = await harness.open("bypass");
  const done = harness.prompt(sessionId, "Go");
  const { requestId } = await harness.waitForFact("question.asked");
  const wrong = await harness.engine.send({ type: "question.answer", sessionId, requestId: "qst_9", answers: ["x"] });
  expect(wrong).toMatchObject({ ok: false, failure: { code: "not_found" } });
  await harness.engine.send({ type: "question.answer", sessionId, requestId, answers: ["b"] });
  await done;
  expect((await harness.waitForFact("tool.ended")).output).toBe("b");
  expect((await harness.waitForFact("question.answered")).answers).toEqual(["b"]);
  const headless = createHarness({ tools: [asking], turns });
  await headless.prompt(await headless.open("bypass"), "Go");
  expect((await headless.waitForFact("tool.ended")).output).toBe("nobody");
});

test("an interruption ends a question", async () => {
  const harness = createHarness({ tools: [asking], interactive: true, turns: [calls(call("a", "ask", {}))] });
  const sessionId = await harness.open("bypass");
  const done = harness.prompt(sessionId, "Go");
  await harness.waitForFact("question.asked");
  await harness.engine.send({ type: "turn.interrupt", sessionId });
  expect((await done).fact).toMatchObject({ reason: "aborted" });
  expect((await harness.waitForFact("question.answered")).answers).toEqual([]);
});

test("the list is kept by facts, and a forgotten one is brought up after ten turns", async () => {
  const todos: readonly Todo[] = [{ content: "x", status: "pending", priority: "low" }];
  const keep: Tool = {
    ...createTool({ name: "keep" }),
    run: async (_, context) => {
      await context.todos.replace(todos);
      return { output: JSON.stringify(context.todos.list()), title: "" };
    },
  };
  const looks = Array.from({ length: 12 }, (_, index) => calls(call(`l${index}`, "look", { index })));
  const harness = createHarness({
    tools: [keep, createTool({ name: "look" })],
    turns: [calls(call("a", "keep", {})), ...looks, say("Done.")],
  });
  await harness.prompt(await harness.open("bypass"), "Go");
  expect((await harness.waitForFact("todos.replaced")).todos).toEqual(todos);
  const reminded = harness.facts().flatMap((fact) => (fact.type === "step.started" ? [fact.reminders] : []));
  expect(reminded.map((reminders) => reminders.length)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
  expect(reminded[11]?.[0]).toContain("has 1 open items");
});

test("planning begins and ends by calls, and leads back to the mode before", async () => {
  const plan = (name: string, step: "enter" | "leave"): Tool => ({
    ...createTool({ name }),
    run: async (_, { planning }) => {
      await planning[step]();
      return { output: planning.mode(), title: "" };
    },
  });
  const harness = createHarness({
    tools: [plan("begin", "enter"), plan("end", "leave")],
    rules: [{ source: "user", rules: [{ permission: "*", pattern: "*", action: "allow" }] }],
    turns: [calls(call("a", "begin", {})), calls(call("b", "end", {})), say("Done.")],
  });
  await harness.prompt(await harness.open("accept-edits"), "Go");
  const outputs = harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [fact.output] : []));
  expect(outputs).toEqual(["plan", "accept-edits"]);
});

test("a job that ended is told with the next step, once", async () => {
  const job: Job = {
    jobId: "job_1",
    command: "make",
    status: "failed",
    exitCode: 2,
    startedAtMs: 0,
    durationMs: 1,
    artifact: 3,
  };
  let ended: readonly Job[] = [];
  const jobs: Partial<Jobs> = {
    takeEnded: () => {
      const taken = ended;
      ended = [];
      return taken;
    },
    close: async () => undefined,
  };
  const look = createTool({
    name: "look",
    run: async () => {
      ended = [job];
      return { output: "seen", title: "" };
    },
  });
  const harness = createHarness({
    tools: [look],
    turns: [calls(call("a", "look", {})), say("Done.")],
    // The loop asks for nothing but these two.
    parts: { newJobs: () => jobs as Jobs },
  });
  await harness.prompt(await harness.open("bypass"), "Go");
  const reminders = harness.facts().flatMap((fact) => (fact.type === "step.started" ? [fact.reminders] : []));
  expect(reminders).toEqual([[], [expect.stringMatching(/job_1 ended: failed, exit code 2[\s\S]*artifact:\/\/3/)]]);
});

test("what is too long for a result lies whole in an artifact, and the result says where", async () => {
  const written: string[] = [];
  const artifacts: Artifacts = {
    create: () => ({ number: 4, path: "", write: (text) => void written.push(text), close: () => undefined }),
    pathOf: () => undefined,
    numbers: () => [],
  };
  const long = `${"x".repeat(99)}\n`.repeat(1_000);
  const harness = createHarness({
    tools: [createTool({ name: "look", run: async () => ({ output: long, title: "" }) })],
    turns: [calls(call("a", "look", {})), say("Done.")],
    parts: { newArtifacts: () => artifacts },
  });
  await harness.prompt(await harness.open("bypass"), "Go");
  const { output, metadata } = await harness.waitForFact("tool.ended");
  expect(written.join("")).toBe(long);
  expect(metadata).toEqual({ artifact: 4 });
  expect(output).toMatch(/characters left out[\s\S]*read artifact:\/\/4, with a range/);
  expect(output.length).toBeLessThan(50_400);
});

test("results of one answer share a budget: the largest are cut, and in the same way every time", async () => {
  const sizes = [90_000, 10, 90_000, 90_000];
  const look = { ...createTool({ name: "look" }), resultCharactersMax: 100_000 };
  const line = `${"y".repeat(99)}\n`;
  const harness = createHarness({
    tools: [
      {
        ...look,
        run: async (input) => ({ output: line.repeat(1_000).slice(0, (input as { size: number }).size), title: "" }),
      },
    ],
    turns: [
      calls(...sizes.map((size, index) => call(`c${index}`, "look", { size }))),
      calls(call("d", "look", { size: 5 })),
      say("Done."),
    ],
  });
  await harness.prompt(await harness.open("bypass"), "Go");
  const outputs = (request: number) =>
    harness.requests[request]?.messages.flatMap((message) => (message.role === "tool" ? [message.output] : [])) ?? [];
  const first = outputs(1);
  expect(first.map(({ length }) => length < 67_000)).toEqual([true, true, true, true]);
  expect(first.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(200_400);
  expect(first[1]?.length).toBe(10);
  expect(outputs(2).slice(0, 4)).toEqual(first);
});

test("stray commas in arguments are dropped, and a cut-off call does not run", async () => {
  const seen: unknown[] = [];
  const look = createTool({
    name: "look",
    run: async (input) => {
      seen.push(input);
      return { output: "ok", title: "" };
    },
  });
  const slipped = { type: "tool-call", callId: "a", tool: "look", inputText: '{"at":[1,2,],}' } as const;
  const cutOff = { type: "tool-call", callId: "b", tool: "look", inputText: '{"at":[3,4,],' } as const;
  const harness = createHarness({
    tools: [look],
    turns: [calls({ type: "tool-call", call: slipped }, { type: "tool-call", call: cutOff }), say("Done.")],
  });
  await harness.prompt(await harness.open("bypass"), "Go");
  expect(seen).toEqual([{ at: [1, 2] }]);
  expect(harness.requests[1]?.messages.at(-1)).toMatchObject({ callId: "b", isError: true, output: cutOffText });
});
