/** Who may run a call: rules, questions and their answers, and what the model is told. */
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, type HarnessOptions, say } from "./harness.ts";

function changing(turns: number, options: Partial<HarnessOptions> = {}) {
  const ran: string[] = [];
  const change = createTool({
    name: "change",
    readOnly: false,
    permission: "edit",
    run: async (input) => {
      ran.push(JSON.stringify(input));
      return { output: "changed", title: "change" };
    },
  });
  const script = Array.from({ length: turns }, (_, n) => calls(call(`c${n}`, "change", { n: n < 2 ? 0 : n })));
  return { ran, harness: createHarness({ turns: [...script, say("Done.")], tools: [change], ...options }) };
}

test("headless, a question is a denial that says which rule would permit the call", async () => {
  const { harness, ran } = changing(1);
  const ended = await harness.prompt(await harness.open(), "go");
  expect(ran).toEqual([]);
  expect(ended.fact).toMatchObject({
    reason: "completed",
    denials: [{ callId: "c0", tool: "change", reason: expect.any(String), allow: `--allow 'Edit({"n":0})'` }],
  });
  const result = harness.requests[1]?.messages.at(-1);
  expect(result).toMatchObject({ role: "tool", isError: true });
  expect(result?.role === "tool" && result.output).toMatch(/edit/i);
  expect(harness.facts().some((fact) => fact.type === "permission.asked" || fact.type === "tool.started")).toBe(false);
});

test("a tool that is denied altogether is not in the request and cannot be called", async () => {
  const { harness, ran } = changing(1, {
    rules: [{ source: "user", rules: [{ permission: "change", pattern: "*", action: "deny" }] }],
  });
  await harness.prompt(await harness.open("bypass"), "go");
  expect(harness.requests[0]?.tools).toEqual([]);
  expect(ran).toEqual([]);
  expect(harness.facts().find((fact) => fact.type === "tool.ended")).toMatchObject({ outcome: "failed" });
});

test("a deny rule refuses without a question", async () => {
  const { harness, ran } = changing(1, {
    interactive: true,
    rules: [{ source: "user", rules: [{ permission: "edit", pattern: "{*", action: "deny" }] }],
  });
  await harness.prompt(await harness.open("bypass"), "go");
  expect(ran).toEqual([]);
  expect(harness.facts().find((fact) => fact.type === "tool.ended")).toMatchObject({
    outcome: "refused",
    decision: { behavior: "deny", source: "rule" },
  });
});

test("once permits this call only; the answer is stored before the call starts", async () => {
  const { harness, ran } = changing(2, { interactive: true });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  for (const nth of [1, 2]) {
    const { requestId } = await harness.waitForFact("permission.asked", nth);
    await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once" });
  }
  await done;
  expect(ran).toHaveLength(2);
  const types = harness.facts().map((fact) => fact.type);
  expect(types.slice(types.indexOf("permission.asked"), types.indexOf("tool.ended") + 1)).toEqual([
    "permission.asked",
    "permission.answered",
    "tool.started",
    "tool.ended",
  ]);
});

test("session permits what was shown until this process ends", async () => {
  const { harness, ran } = changing(3, { interactive: true });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const first = await harness.waitForFact("permission.asked");
  await harness.engine.send({ type: "permission.answer", sessionId, requestId: first.requestId, reply: "session" });
  const second = await harness.waitForFact("permission.asked", 2);
  expect(second.patterns).toEqual(['{"n":2}']);
  await harness.engine.send({ type: "permission.answer", sessionId, requestId: second.requestId, reply: "once" });
  await done;
  expect(ran).toEqual(['{"n":0}', '{"n":0}', '{"n":2}']);
});

test("a rejection with words goes to the model; one without stops the run", async () => {
  const turns = [0, 1].map((n) => calls(call(`c${n}`, "change", { n })));
  const { harness, ran } = changing(2, { interactive: true, turns });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const first = await harness.waitForFact("permission.asked");
  await harness.engine.send({
    type: "permission.answer",
    sessionId,
    requestId: first.requestId,
    reply: "reject",
    message: "use the other file",
  });
  const second = await harness.waitForFact("permission.asked", 2);
  const told = harness.requests[1]?.messages.at(-1);
  expect(told?.role === "tool" && told.output).toContain("use the other file");
  await harness.engine.send({ type: "permission.answer", sessionId, requestId: second.requestId, reply: "reject" });
  expect((await done).fact).toMatchObject({ reason: "aborted", turns: 2 });
  expect(ran).toEqual([]);
});

test("an answer to an unknown question is refused", async () => {
  const { harness } = changing(0, { interactive: true });
  const sessionId = await harness.open();
  const answer = await harness.engine.send({ type: "permission.answer", sessionId, requestId: "per_9", reply: "once" });
  expect(answer).toMatchObject({ ok: false, failure: { code: "not_found" } });
});

test("the third equal call in a row is a question even for a harmless tool; headless it is refused", async () => {
  const ran: string[] = [];
  const look = createTool({
    name: "look",
    permission: "read",
    run: async () => {
      ran.push("look");
      return { output: "same", title: "look" };
    },
  });
  const turns = ["c1", "c2", "c3"].map((id) => calls(call(id, "look", { at: 1 })));
  const harness = createHarness({ turns: [...turns, say("Stuck.")], tools: [look] });
  const ended = await harness.prompt(await harness.open(), "go");
  expect(ran).toHaveLength(2);
  expect(ended.fact).toMatchObject({
    denials: [{ callId: "c3", tool: "look", reason: expect.stringContaining("doom_loop") }],
  });
});
