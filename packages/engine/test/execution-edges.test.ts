/** Corners of running calls: a tool that cannot tell whether it is safe, progress, and questions a crash left open. */
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";

test("a tool that cannot say whether it is safe runs alone", async () => {
  const log: string[] = [];
  const unsure = createTool({
    name: "unsure",
    permission: "read",
    run: async (_, { callId }) => {
      log.push(`start ${callId}`);
      await Promise.resolve();
      log.push(`end ${callId}`);
      return { output: callId, title: callId };
    },
  });
  const tool = {
    ...unsure,
    concurrencySafe: () => {
      throw new Error("cannot tell");
    },
  };
  const harness = createHarness({
    turns: [calls(call("a", "unsure", { n: 1 }), call("b", "unsure", { n: 2 })), say("ok")],
    tools: [tool],
  });
  await harness.prompt(await harness.open(), "go");
  expect(log).toEqual(["start a", "end a", "start b", "end b"]);
});

test("progress carries the call and a counter, is shown live, and is never sent to the model", async () => {
  const chatty = createTool({
    name: "chatty",
    permission: "read",
    run: async (_, { sink }) => {
      sink.write("one", "stdout");
      sink.write("two", "stderr");
      return { output: "done", title: "chatty" };
    },
  });
  const harness = createHarness({ turns: [calls(call("a", "chatty", {})), say("ok")], tools: [chatty] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "go");
  expect(harness.signals().filter((signal) => signal.type === "tool.progress")).toEqual([
    { type: "tool.progress", sessionId, callId: "a", count: 1, text: "one", stream: "stdout" },
    { type: "tool.progress", sessionId, callId: "a", count: 2, text: "two", stream: "stderr" },
  ]);
  expect(JSON.stringify(harness.requests[1]?.messages)).not.toContain("two");
});

test("a question that a crash left open is dropped; what was only approved is asked again", async () => {
  const change = createTool({ name: "change", readOnly: false, permission: "edit" });
  const store = createMemoryStore({
    now: () => 1000,
    randomBytes: (size) => new Uint8Array(size),
    isAlive: () => false,
  });
  const first = createHarness({ turns: [calls(call("a", "change", {}))], tools: [change], interactive: true, store });
  const sessionId = await first.open();
  await first.submit(sessionId, "go");
  await first.waitForFact("permission.asked");

  const second = createHarness({
    turns: [calls(call("b", "change", {})), say("ok")],
    tools: [change],
    interactive: true,
    store,
    boot: "boot-2",
  });
  await second.resume(sessionId);
  expect(second.facts().find((fact) => fact.type === "tool.ended")).toMatchObject({
    callId: "a",
    outcome: "interrupted",
  });
  const done = second.prompt(sessionId, "go on");
  const { requestId, callId } = await second.waitForFact("permission.asked");
  expect(callId).toBe("b");
  await second.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once" });
  expect((await done).fact).toMatchObject({ reason: "completed", text: "ok" });
});
