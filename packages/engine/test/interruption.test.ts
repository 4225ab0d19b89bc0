/** Interruption is an outcome: everything that was open ends, once, and the session goes on. */
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";

test("interrupting a running call ends it and the run, with the output until then", async () => {
  const started = Promise.withResolvers<void>();
  const slow = createTool({
    name: "slow",
    permission: "read",
    concurrencySafe: false,
    run: (_, { signal, sink }) =>
      new Promise((_resolve, reject) => {
        sink.write("half", "stdout");
        signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
        started.resolve();
      }),
  });
  const harness = createHarness({
    turns: [calls(call("a", "slow", {}), call("b", "slow", {})), say("Again.")],
    tools: [slow],
  });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await started.promise;
  await harness.engine.send({ type: "turn.interrupt", sessionId });
  const ended = await done;
  expect(ended.fact).toMatchObject({ reason: "aborted", turns: 1 });
  const ends = harness.facts().filter((fact) => fact.type === "tool.ended");
  expect(ends.map(({ callId, outcome, output }) => ({ callId, outcome, output }))).toEqual([
    { callId: "a", outcome: "interrupted", output: "Tool execution aborted. Output until then:\nhalf" },
    { callId: "b", outcome: "interrupted", output: "Tool execution aborted" },
  ]);
  const next = await harness.prompt(sessionId, "go on");
  expect(next.fact).toMatchObject({ reason: "completed", text: "Again." });
  expect(harness.requests[1]?.messages.map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "tool",
    "tool",
    "user",
  ]);
});

test("interrupting an answer keeps what had arrived", async () => {
  const arrived = Promise.withResolvers<void>();
  const harness = createHarness({
    provider: {
      async *stream(_, signal) {
        yield { type: "text-delta", text: "Half an ans" };
        arrived.resolve();
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        yield { type: "failed", failure: { code: "aborted", message: "Stopped", retryable: false } };
      },
    },
  });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await arrived.promise;
  await harness.engine.send({ type: "turn.interrupt", sessionId });
  expect((await done).fact).toMatchObject({ reason: "aborted", text: "Half an ans" });
  expect(harness.facts().find((fact) => fact.type === "step.ended")).toMatchObject({
    outcome: "interrupted",
    content: [{ type: "text", text: "Half an ans" }],
  });
});

test("interrupting a question answers it with no", async () => {
  const harness = createHarness({
    turns: [calls(call("a", "change", {}))],
    tools: [createTool({ name: "change", readOnly: false, permission: "edit" })],
    interactive: true,
  });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const asked = await harness.waitForFact("permission.asked");
  await harness.engine.send({ type: "turn.interrupt", sessionId });
  expect((await done).fact).toMatchObject({ reason: "aborted" });
  expect(harness.facts().find((fact) => fact.type === "permission.answered")).toMatchObject({
    requestId: asked.requestId,
    reply: "reject",
    source: "interrupt",
  });
  expect(harness.facts().some((fact) => fact.type === "tool.started")).toBe(false);
});
