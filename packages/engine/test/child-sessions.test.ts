/** A session that works for another one: linked by its first fact, limited by its own budget, never longer at work. */
import type { Fact, SessionBudget } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, type Harness, say } from "./harness.ts";

const look = createTool({ name: "look", permission: "read" });

async function factsOf({ store }: Harness, sessionId: string): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for await (const { fact } of store.read(sessionId, 0)) facts.push(fact);
  return facts;
}

test("a child is linked to the call it works for, and has the profile and the model of its parent", async () => {
  const harness = createHarness({ turns: [say("Parent."), say("Child.")], tools: [look] });
  const parent = await harness.open();
  await harness.prompt(parent, "go");
  const child = await harness.openWith({ parent: { sessionId: parent, callId: "c1" } });
  expect((await harness.prompt(child, "look around")).fact).toMatchObject({ reason: "completed", text: "Child." });
  expect((await factsOf(harness, child))[0]).toEqual({
    type: "session.created",
    directory: "/project",
    projectId: "project-1",
    model: "mock/model",
    mode: "default",
    kedgeVersion: "0.0.0",
    boot: "boot-1",
    origin: { kind: "child", sessionId: parent, callId: "c1" },
  });
  expect(harness.requests[1]).toMatchObject({ system: "SYSTEM", tools: [{ name: "look" }] });
  expect(harness.requests[1]?.messages).toHaveLength(1);
  expect(await harness.store.sessionView(parent)).toMatchObject({ cost: { usd: 0.00015 } });
  expect(await harness.store.sessionView(child)).toMatchObject({ cost: { usd: 0.00015 }, origin: { kind: "child" } });
});

test.each<{ readonly budget: SessionBudget; readonly end: object }>([
  { budget: { turnsMax: 1 }, end: { reason: "error_max_turns", turns: 1 } },
  { budget: { tokensMax: 110 }, end: { reason: "error_max_budget", budget: "tokens", turns: 1 } },
  { budget: { usdMax: 0.0051 }, end: { reason: "error_max_budget", budget: "usd", turns: 1 } },
])(
  "the budget of a child ends its run and any later one, and its parent continues: $budget",
  async ({ budget, end }) => {
    const harness = createHarness({ turns: [calls(call("c1", "look", {})), say("Parent.")], tools: [look] });
    const parent = await harness.open();
    const child = await harness.openWith({ parent: { sessionId: parent }, profile: { budget } });
    expect((await harness.prompt(child, "go")).fact).toMatchObject(end);
    expect((await harness.prompt(child, "again")).fact).toMatchObject({ ...end, turns: 0 });
    expect((await harness.prompt(parent, "go")).fact).toMatchObject({ reason: "completed", text: "Parent." });
    expect((await factsOf(harness, child))[0]).toMatchObject({ budget });

    await harness.engine.close();
    const later = createHarness({ tools: [look], store: harness.store, boot: "boot-2" });
    await later.resume(child);
    expect((await later.prompt(child, "once more")).fact).toMatchObject({ ...end, turns: 0 });
  },
);

test("a run's own limit counts where it is narrower than what is left of the session's budget", async () => {
  const turns = [calls(call("c1", "look", {})), calls(call("c2", "look", {})), say("Done.")];
  const harness = createHarness({ turns, tools: [look] });
  const sessionId = await harness.openWith({ profile: { budget: { turnsMax: 3 } } });
  expect((await harness.prompt(sessionId, "go", { turnsMax: 1 })).fact).toMatchObject({ reason: "error_max_turns" });
  expect((await harness.prompt(sessionId, "on", { turnsMax: 9 })).fact).toMatchObject({
    reason: "completed",
    turns: 2,
  });
});

/** A model that says nothing until it is interrupted. */
function createSilent() {
  let asked = 0;
  const waiting = Promise.withResolvers<void>();
  const harness = createHarness({
    provider: {
      async *stream(_, signal) {
        asked += 1;
        if (asked === 2) waiting.resolve();
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        yield { type: "failed", failure: { code: "aborted", message: "Stopped.", retryable: false } };
      },
    },
  });
  return { harness, bothWait: waiting.promise };
}

test("interrupting the parent interrupts what its children and theirs do", async () => {
  const { harness, bothWait } = createSilent();
  const parent = await harness.open();
  const child = await harness.openWith({ parent: { sessionId: parent } });
  const grandchild = await harness.openWith({ parent: { sessionId: child } });
  const stranger = await harness.open();
  const runs = [harness.prompt(parent, "go"), harness.prompt(grandchild, "go")];
  await bothWait;
  const alone = harness.submit(stranger, "go");
  await harness.engine.send({ type: "turn.interrupt", sessionId: parent });
  expect((await Promise.all(runs)).map(({ fact }) => fact)).toMatchObject([
    { reason: "aborted" },
    { reason: "aborted" },
  ]);
  await alone;
  const open = harness.engine.openSessions().find(({ state }) => state.sessionId === stranger);
  expect(open?.state.runId).toBeDefined();
  await harness.engine.close();
});

test("a parent is not closed while a child works, and its children are closed with it", async () => {
  const { harness, bothWait } = createSilent();
  const parent = await harness.open();
  const child = await harness.openWith({ parent: { sessionId: parent } });
  const other = await harness.openWith({ parent: { sessionId: parent } });
  const runs = [harness.prompt(child, "go"), harness.prompt(other, "go")];
  await bothWait;
  const close = () => harness.engine.send<"session.close">({ type: "session.close", sessionId: parent });
  expect(await close()).toMatchObject({ ok: false, failure: { code: "session_busy" } });
  await harness.engine.send({ type: "turn.interrupt", sessionId: parent });
  await Promise.all(runs);
  expect(await close()).toEqual({ ok: true, value: {} });
  expect(harness.engine.openSessions()).toEqual([]);
  expect(await harness.store.heldSessions()).toEqual([]);
});

test("a resumed parent still has its children, and a session that is not open has none made for it", async () => {
  const first = createHarness({ turns: [say("Parent."), say("Child.")] });
  const parent = await first.open();
  await first.prompt(parent, "go");
  const child = await first.openWith({ parent: { sessionId: parent, callId: "c1" } });
  await first.prompt(child, "go");
  await first.engine.close();

  const second = createHarness({ store: first.store, boot: "boot-2" });
  await expect(second.openWith({ parent: { sessionId: parent } })).rejects.toThrow(`Session ${parent} not found.`);
  await second.resume(parent);
  const children = await second.store.sessions({ parentId: parent, limit: 10 });
  expect(children.map(({ sessionId }) => sessionId)).toEqual([child]);
  const later = await second.openWith({ parent: { sessionId: parent } });
  const listed = await second.store.sessions({ parentId: parent, limit: 10 });
  expect(new Set(listed.map(({ sessionId }) => sessionId))).toEqual(new Set([child, later]));
});
