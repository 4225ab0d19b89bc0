/** The order in which calls of one step run: safe ones together, unsafe ones alone, results in the order of the calls. */
import type { Tool } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";

/** A tool that logs when it starts and ends, and ends when the test says so. */
function gated(name: string, log: string[], readOnly: boolean): { readonly tool: Tool; release(id: string): void } {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gate = (id: string) => {
    const known = gates.get(id) ?? Promise.withResolvers<void>();
    gates.set(id, known);
    return known;
  };
  return {
    tool: createTool({
      name,
      readOnly,
      permission: "read",
      run: async (_, context) => {
        log.push(`start ${context.callId}`);
        await gate(context.callId).promise;
        log.push(`end ${context.callId}`);
        return { output: context.callId, title: name };
      },
    }),
    release: (id) => gate(id).resolve(),
  };
}

test("safe calls run side by side and are reported in the order of the calls", async () => {
  const log: string[] = [];
  const look = gated("look", log, true);
  const harness = createHarness({
    turns: [calls(call("a", "look", { n: 1 }), call("b", "look", { n: 2 }), call("c", "look", { n: 3 })), say("ok")],
    tools: [look.tool],
  });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await harness.waitForFact("tool.started", 3);
  look.release("c");
  await harness.waitForFact("tool.ended", 1);
  look.release("a");
  look.release("b");
  await done;
  expect(log.slice(0, 3)).toEqual(["start a", "start b", "start c"]);
  expect(log[3]).toBe("end c");
  expect(harness.requests[1]?.messages.slice(2).map((message) => message.role === "tool" && message.output)).toEqual([
    "a",
    "b",
    "c",
  ]);
});

test("an unsafe call waits for what runs, blocks what follows, and is never overtaken", async () => {
  const log: string[] = [];
  const look = gated("look", log, true);
  const change = gated("change", log, false);
  const harness = createHarness({
    turns: [calls(call("a", "look", { n: 1 }), call("x", "change", {}), call("b", "look", { n: 2 })), say("ok")],
    tools: [look.tool, change.tool],
  });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  for (const id of ["a", "x", "b"]) {
    await harness.waitFor(
      (event) => event.kind === "fact" && event.record.fact.type === "tool.started" && event.record.fact.callId === id,
    );
    (id === "x" ? change : look).release(id);
  }
  await done;
  expect(log).toEqual(["start a", "end a", "start x", "end x", "start b", "end b"]);
});

test("at most ten safe calls run at once", async () => {
  let running = 0;
  let most = 0;
  const release = Promise.withResolvers<void>();
  const tool = createTool({
    name: "look",
    permission: "read",
    run: async () => {
      running += 1;
      most = Math.max(most, running);
      if (running === 10) release.resolve();
      await release.promise;
      running -= 1;
      return { output: "x", title: "x" };
    },
  });
  const many = Array.from({ length: 25 }, (_, n) => call(`c${n}`, "look", { n }));
  const harness = createHarness({ turns: [calls(...many), say("ok")], tools: [tool] });
  await harness.prompt(await harness.open(), "go");
  expect(most).toBe(10);
  expect(harness.facts().filter((fact) => fact.type === "tool.ended")).toHaveLength(25);
});

test("when the model call fails, queued calls are dropped and running ones cancelled, each with one end", async () => {
  const look = createTool({
    name: "look",
    permission: "read",
    run: (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true }),
      ),
  });
  const change = createTool({ name: "change", readOnly: false, permission: "edit" });
  const failure = { code: "bad_request", message: "Gone.", retryable: false } as const;
  const harness = createHarness({
    turns: [[call("a", "look", {}), call("x", "change", {}), { type: "failed", failure }]],
    tools: [look, change],
  });
  const ended = await harness.prompt(await harness.open("bypass"), "go");
  expect(ended.fact).toMatchObject({ reason: "error_during_execution" });
  const ends = harness.facts().filter((fact) => fact.type === "tool.ended");
  expect(ends.map((fact) => [fact.callId, fact.outcome])).toEqual([
    ["a", "interrupted"],
    ["x", "interrupted"],
  ]);
});
