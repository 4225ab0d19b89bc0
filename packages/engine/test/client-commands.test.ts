/** Commands that other programs send: opening and closing in any order, notes, what is taken out of sight, grants. */
import { type CommandOf, type Message, messageIdOf } from "@kedge/protocol";
import { expect, test } from "vitest";
import { answer, openSite, summaryText, words } from "./compaction-site.ts";
import { call, calls, createHarness, createTool, type Harness, say } from "./harness.ts";

const user = (text: string): Message => ({ role: "user", text });
const assistant = (text: string): Message => ({
  role: "assistant",
  content: [{ type: "text", text }],
  model: "mock/model",
});

const close = ({ engine }: Harness, sessionId: string) => engine.send({ type: "session.close", sessionId });
const resume = ({ engine }: Harness, sessionId: string) => engine.send({ type: "session.resume", sessionId });
const note = ({ engine }: Harness, sessionId: string, text: string) =>
  engine.send({ type: "message.add", sessionId, text });

const ok = expect.objectContaining({ ok: true });
const refused = (code: string) => ({ ok: false, failure: expect.objectContaining({ code }) });

test("a session that is closed gives its lease free, is unknown to commands, and is taken up where it stood", async () => {
  const harness = createHarness({ turns: [say("one"), say("two")] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  expect(await close(harness, sessionId)).toEqual(ok);
  expect(harness.engine.openSessions()).toEqual([]);
  expect(await note(harness, sessionId, "too late")).toEqual(refused("not_found"));
  const other = { boot: "boot-2", pid: 2, startedAt: "" };
  expect(await harness.store.acquireLease(sessionId, other)).toEqual({ ok: true });
  await harness.store.releaseLease(sessionId, "boot-2");
  expect(await resume(harness, sessionId)).toEqual(ok);
  await harness.prompt(sessionId, "second");
  expect(harness.requests.at(-1)?.messages).toEqual([user("first"), assistant("one"), user("second")]);
});

test("whoever takes a session up at the same time gets the same one", async () => {
  const harness = createHarness({ turns: [say("one")] });
  const sessionId = await harness.open();
  await close(harness, sessionId);
  expect(await Promise.all([1, 2, 3].map(() => resume(harness, sessionId)))).toEqual([ok, ok, ok]);
  const added = await Promise.all(["a", "b", "c"].map((text) => note(harness, sessionId, text)));
  expect(added).toEqual([ok, ok, ok]);
  const resumed = harness.facts().filter(({ type }) => type === "session.resumed");
  expect(resumed).toHaveLength(1);
  expect(harness.engine.openSessions()).toHaveLength(1);
});

test("close and resume in any order leave a session that works", async () => {
  const harness = createHarness({ turns: Array.from({ length: 12 }, (_, index) => say(`answer ${index}`)) });
  const sessionId = await harness.open();
  for (let round = 0; round < 10; round += 1) {
    const both = [() => close(harness, sessionId), () => resume(harness, sessionId)];
    const order = round % 2 === 0 ? both : both.toReversed();
    expect(await Promise.all(order.map((each) => each()))).toEqual([ok, ok]);
    await resume(harness, sessionId);
    await harness.prompt(sessionId, `prompt ${round}`);
  }
  expect((await harness.store.verify(sessionId)).valid).toBe(true);
});

test("a session is not closed under a prompt that is being admitted, nor while it works", async () => {
  const gate = Promise.withResolvers<void>();
  const slow = createTool({
    name: "slow",
    run: async () => {
      await gate.promise;
      return { output: "done", title: "slow" };
    },
  });
  const harness = createHarness({ turns: [calls(call("c1", "slow", {})), say("one")], tools: [slow] });
  const sessionId = await harness.open("bypass");
  const submitted = harness.submit(sessionId, "go");
  expect(await close(harness, sessionId)).toEqual(refused("session_busy"));
  await submitted;
  await harness.waitForFact("tool.started");
  expect(await close(harness, sessionId)).toEqual(refused("session_busy"));
  gate.resolve();
  await harness.waitForFact("run.ended");
  expect(await close(harness, sessionId)).toEqual(ok);
});

test("of two prompts that want an idle session one is refused", async () => {
  const harness = createHarness({ turns: [say("one"), say("two")] });
  const sessionId = await harness.open();
  const prompt: CommandOf<"prompt.submit"> = {
    type: "prompt.submit",
    sessionId,
    text: "go",
    delivery: "follow-up",
    options: {},
    onlyIfIdle: true,
  };
  const answers = await Promise.all([harness.engine.send(prompt), harness.engine.send(prompt)]);
  expect(answers).toEqual([ok, refused("session_busy")]);
  await harness.waitForFact("run.ended");
  expect(await harness.engine.send(prompt)).toEqual(ok);
});

test("a note is said by the user with the next prompt", async () => {
  const harness = createHarness({ turns: [say("one")] });
  const sessionId = await harness.open();
  expect(await note(harness, sessionId, "The tests are slow.")).toEqual(ok);
  await harness.prompt(sessionId, "go");
  expect(harness.requests[0]?.messages).toEqual([user("The tests are slow."), user("go")]);
});

test("what is taken out of sight is gone from requests with its results, and the record keeps it", async () => {
  const look = createTool({ name: "look", run: async () => ({ output: "seen", title: "look" }) });
  const turns = [calls(call("c1", "look", {})), calls(call("c2", "look", {})), say("one"), say("two")];
  const harness = createHarness({ turns, tools: [look] });
  const sessionId = await harness.open("bypass");
  await harness.prompt(sessionId, "first");
  // The ids of the harness count each kind by itself, and the first prompt has the number of the first step.
  const [, step] = harness.facts().filter((fact) => fact.type === "step.ended");
  const messageId = messageIdOf(step?.stepId ?? "");
  expect(await harness.engine.send({ type: "message.remove", sessionId, messageId })).toEqual(ok);
  expect(await harness.engine.send({ type: "message.remove", sessionId, messageId })).toEqual(refused("not_found"));
  await harness.prompt(sessionId, "second");
  const sent = harness.requests.at(-1)?.messages ?? [];
  expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  expect(JSON.stringify(sent)).toContain("c1");
  expect(JSON.stringify(sent)).not.toContain("c2");
  expect(harness.facts().filter((fact) => fact.type === "step.ended")).toHaveLength(4);
});

test("what is taken out of sight does not come back beside a summary", async () => {
  const site = openSite({
    turns: [
      calls(call("c1", "look", {})),
      calls(call("c2", "look", {})),
      ...[`One done. ${words(1_000)}`, "Two done.", "Three done.", "Four done."].map((text) => answer(text)),
    ],
    summaries: [answer(summaryText)],
    tools: [createTool({ name: "look", run: async () => ({ output: "seen", title: "look" }) })],
  });
  await site.harness.open("bypass");
  await site.harness.prompt("ses_1", "My word is tomato.");
  await site.harness.prompt("ses_1", "Two");
  await site.harness.prompt("ses_1", "Three");
  const [prompt] = site.harness.facts().filter((fact) => fact.type === "prompt.admitted");
  const messageId = messageIdOf(prompt?.promptId ?? "");
  expect(await site.harness.engine.send({ type: "message.remove", sessionId: "ses_1", messageId })).toEqual(ok);
  expect(await site.harness.engine.send({ type: "context.compact", sessionId: "ses_1" })).toEqual(ok);
  await site.harness.prompt("ses_1", "Four");
  const requests = [...site.summaries, ...site.asked.slice(-1)];
  expect(requests).toHaveLength(2);
  expect(JSON.stringify(requests)).not.toContain("tomato");
});

test("grants are the list that was sent last", async () => {
  const act = createTool({ name: "act", readOnly: false });
  const harness = createHarness({
    turns: [calls(call("c1", "act", {})), say("one"), calls(call("c2", "act", {})), say("two")],
    tools: [act],
    interactive: false,
  });
  const sessionId = await harness.open();
  const grants = [{ permission: "act", pattern: "*", action: "allow" }] as const;
  expect(await harness.engine.send({ type: "grants.replace", sessionId, grants })).toEqual(ok);
  await harness.prompt(sessionId, "first");
  expect(await harness.engine.send({ type: "grants.replace", sessionId, grants: [] })).toEqual(ok);
  await harness.prompt(sessionId, "second");
  const outcomes = harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [fact.outcome] : []));
  expect(outcomes).toEqual(["completed", "refused"]);
});

test.each(["session.pin", "constructor", "__proto__"])(
  "the command %s, which nobody handles, is not found",
  async (type) => {
    const harness = createHarness({});
    const sessionId = await harness.open();
    expect(harness.engine.handles(type)).toBe(false);
    // No type of the protocol.
    expect(await harness.engine.send({ type, sessionId } as never)).toEqual(refused("not_found"));
  },
);
