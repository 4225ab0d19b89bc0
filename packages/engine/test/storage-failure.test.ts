/** A disk that refuses: nothing happens unrecorded, and the session goes on once the disk is back. */
import { FailureError, type Store } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";

test("a full disk stops the run before the next call with side effects, and is told once", async () => {
  const memory = createMemoryStore({
    now: () => 1000,
    randomBytes: (size) => new Uint8Array(size),
    isAlive: () => false,
  });
  let full = false;
  const store: Store = {
    ...memory,
    append: (sessionId, facts, options) => {
      if (full) throw new FailureError({ code: "storage", message: "The disk is full.", retryable: false });
      return memory.append(sessionId, facts, options);
    },
  };
  const ran: string[] = [];
  const change = createTool({
    name: "change",
    readOnly: false,
    permission: "edit",
    run: async () => {
      ran.push("change");
      full = ran.length === 1;
      return { output: "ok", title: "change" };
    },
  });
  const harness = createHarness({
    turns: [calls(call("a", "change", { n: 1 }), call("b", "change", { n: 2 })), say("Back.")],
    tools: [change],
    rules: [{ source: "user", rules: [{ permission: "edit", pattern: "*", action: "allow" }] }],
    store,
  });
  const sessionId = await harness.open();
  await harness.submit(sessionId, "go");
  const told = await harness.waitFor((event) => event.kind === "signal" && event.signal.type === "run.unrecorded");
  expect(told).toMatchObject({ signal: { failure: { code: "storage", message: "The disk is full." } } });
  expect(ran).toEqual(["change"]);

  const refused = await harness.engine.send({
    type: "prompt.submit",
    sessionId,
    text: "again",
    delivery: "steer",
    options: {},
  });
  expect(refused).toMatchObject({ ok: false, failure: { code: "storage" } });

  full = false;
  const ended = await harness.prompt(sessionId, "again");
  expect(ended.fact).toMatchObject({ reason: "completed", text: "Back." });
  expect(harness.requests.at(-1)?.messages.map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "tool",
    "tool",
    "user",
  ]);
});

test("an answer that cannot be stored ends the run instead of leaving it waiting", async () => {
  const memory = createMemoryStore({
    now: () => 1000,
    randomBytes: (size) => new Uint8Array(size),
    isAlive: () => false,
  });
  const store: Store = {
    ...memory,
    append: (sessionId, facts, options) => {
      if (facts.some(({ type }) => type === "permission.answered"))
        throw new FailureError({ code: "storage", message: "The disk is full.", retryable: false });
      return memory.append(sessionId, facts, options);
    },
  };
  const change = createTool({ name: "change", readOnly: false, permission: "edit" });
  const harness = createHarness({
    turns: [calls(call("a", "change", {})), say("unreachable")],
    tools: [change],
    interactive: true,
    store,
  });
  const sessionId = await harness.open();
  await harness.submit(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked");
  const answer = await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once" });
  expect(answer).toMatchObject({ ok: false, failure: { code: "storage" } });
  const told = await harness.waitFor((event) => event.kind === "signal" && event.signal.type === "run.unrecorded");
  expect(told).toMatchObject({ signal: { failure: { code: "storage", message: "The disk is full." } } });
});
