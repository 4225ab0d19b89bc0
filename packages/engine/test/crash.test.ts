/** A process that dies after any fact: the session opens again, is well-formed, and no side effect runs twice. */
import { applyRecord, emptySession, type FactRecord, type Message, type Store, toolCalls } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, end, say } from "./harness.ts";

function openStore(): Store {
  return createMemoryStore({ now: () => 1000, randomBytes: (size) => new Uint8Array(size), isAlive: () => false });
}

function tools(ran: string[]) {
  const record = (name: string) => async (input: unknown) => {
    ran.push(`${name} ${JSON.stringify(input)}`);
    return { output: "ok", title: name };
  };
  return [
    createTool({ name: "look", permission: "read", run: record("look") }),
    createTool({ name: "change", readOnly: false, permission: "edit", run: record("change") }),
  ];
}

/** The wire rule every vendor has: each call is followed by exactly one result, in order. */
function expectPaired(messages: readonly Message[]): void {
  const open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") expect(open.shift()).toBe(message.callId);
    else expect(open).toEqual([]);
    if (message.role === "assistant") open.push(...toolCalls(message.content).map((block) => block.callId));
  }
  expect(open).toEqual([]);
}

const rules = [{ source: "user", rules: [{ permission: "edit", pattern: "*", action: "allow" }] }] as const;

const script = [
  calls({ type: "text-delta", text: "Looking." }, call("c1", "look", { n: 1 }), call("c2", "look", { n: 2 })),
  calls(call("c3", "change", { n: 3 }), call("c4", "look", { n: 4 }), call("c5", "change", { n: 5 })),
  [{ type: "text-delta", text: "All " }, { type: "text-delta", text: "done." }, end("end")],
] as const;

test("killed after each fact, the session goes on where it was", async () => {
  const ran: string[] = [];
  const original = createHarness({ turns: script, tools: tools(ran), rules });
  const sessionId = await original.open();
  await original.prompt(sessionId, "work");
  const records: FactRecord[] = [];
  for await (const record of original.store.read(sessionId, 0)) records.push(record);
  expect(records.length).toBeGreaterThan(15);

  for (let kept = 2; kept <= records.length; kept += 1) {
    const store = openStore();
    const holder = { boot: "boot-1", pid: 1, startedAt: "0" };
    await store.acquireLease(sessionId, holder);
    for (const { fact } of records.slice(0, kept))
      await store.append(sessionId, [fact], { boot: "boot-1", durable: false });

    const later: string[] = [];
    const harness = createHarness({ turns: [say("Resumed.")], tools: tools(later), rules, store, boot: "boot-2" });
    const { interrupted } = await harness.resume(sessionId);
    expect(interrupted).toBe(kept < records.length);
    const ended = await harness.prompt(sessionId, "go on");
    expect(ended.fact).toMatchObject({ reason: "completed", text: "Resumed." });
    const [request] = harness.requests;
    expectPaired(request?.messages ?? []);
    expect(request?.messages[0]).toEqual({ role: "user", text: "work" });
    expect(request?.messages.at(-1)).toEqual({ role: "user", text: "go on" });
    expect(later).toEqual([]);
    expect(await store.verify(sessionId)).toMatchObject({ valid: true });

    const state = emptySession(sessionId);
    for await (const record of store.read(sessionId, 0)) applyRecord(state, record);
    expect(state).toMatchObject({ runId: undefined, queue: [] });
  }
});

test("an interrupted run goes on without a new prompt; a finished one has nothing to continue", async () => {
  const store = openStore();
  const holder = { boot: "boot-1", pid: 1, startedAt: "0" };
  await store.acquireLease("ses_1", holder);
  await store.append(
    "ses_1",
    [
      {
        type: "session.created",
        directory: "/project",
        projectId: "p",
        model: "mock/model",
        mode: "default",
        kedgeVersion: "0",
        boot: "boot-1",
      },
      { type: "prompt.admitted", promptId: "p1", runId: "r1", delivery: "steer", text: "work" },
    ],
    { boot: "boot-1", durable: true },
  );
  const harness = createHarness({ turns: [say("Worked.")], store, boot: "boot-2" });
  expect(await harness.resume("ses_1")).toMatchObject({ interrupted: true });
  const answer = await harness.engine.send({ type: "run.continue", sessionId: "ses_1", options: {} });
  expect(answer.ok).toBe(true);
  await harness.waitFor(
    (event) => event.kind === "fact" && event.record.fact.type === "run.ended" && event.record.fact.turns === 1,
  );
  expect(harness.requests[0]?.messages).toEqual([{ role: "user", text: "work" }]);
  const again = await harness.engine.send({ type: "run.continue", sessionId: "ses_1", options: {} });
  expect(again).toMatchObject({ ok: false });
});

test("a second process cannot write a session that a living one holds", async () => {
  const store = createMemoryStore({
    now: () => 1000,
    randomBytes: (size) => new Uint8Array(size),
    isAlive: () => true,
  });
  const first = createHarness({ turns: [say("a")], store });
  const sessionId = await first.open();
  await first.prompt(sessionId, "hi");
  const second = createHarness({ store, boot: "boot-2" });
  const answer = await second.engine.send({ type: "session.resume", sessionId, mode: "default" });
  expect(answer).toMatchObject({ ok: false, failure: { code: "session_busy" } });
  await first.engine.close();
  expect(await second.resume(sessionId)).toMatchObject({ interrupted: false });
});
