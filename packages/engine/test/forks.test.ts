/** Forks of an answer whose calls still run: they begin alike, think alike, and fork no further. */
import { type Answer, forkMark, type RequestPrefix } from "@kedge/protocol";
import { expect, test } from "vitest";
import { answer, openSite, summaryText, words } from "./compaction-site.ts";
import { call, calls, createHarness, createTool, type Harness, say } from "./harness.ts";

function sessionOf({ engine }: Pick<Harness, "engine">, sessionId: string) {
  const found = engine.openSessions().find(({ state }) => state.sessionId === sessionId);
  if (found === undefined) throw new Error("the session is not open");
  return found;
}

function given(answer: Answer<RequestPrefix>): RequestPrefix {
  if (!answer.ok) throw new Error(answer.failure.message);
  return answer.value;
}

test("calls without a result are closed by a constant text, alike for siblings of one answer", async () => {
  const prefixes: RequestPrefix[] = [];
  let sessionId = "";
  const note = async () => {
    prefixes.push(given(await sessionOf(harness, sessionId).prefix()));
    return { output: `secret result ${prefixes.length}`, title: "fork" };
  };
  const tools = [createTool({ name: "fork", permission: "read", readOnly: false, run: note })];
  const turns = [calls(call("c1", "fork", {}), call("c2", "fork", { again: true })), say("Parent.")];
  const harness: Harness = createHarness({ turns, tools });
  sessionId = await harness.open();
  await harness.prompt(sessionId, "go", { reasoning: { effort: "high" } });
  const [first, second] = prefixes;
  expect(JSON.stringify(first)).toBe(JSON.stringify(second));
  const [sent] = harness.requests;
  expect(first).toMatchObject({ model: sent?.model.ref, reasoning: { effort: "high" } });
  expect(first?.tools).toEqual(sent?.tools);
  expect(JSON.stringify(first)).not.toContain("secret result");
  const before = sent?.messages ?? [];
  expect(first?.messages.slice(0, 1)).toEqual(before.slice(0, 1));
  expect(first?.messages.slice(-3)).toMatchObject([
    { role: "assistant" },
    { role: "tool", callId: "c1", tool: "fork", isError: false },
    { role: "tool", callId: "c2", tool: "fork", isError: false },
  ]);
  const [one, other] = (first?.messages ?? []).flatMap((each) => (each.role === "tool" ? [each.output] : []));
  expect(one).toBe(other);
});

test("a fork thinks as its parent did, and is no longer shortened by itself", async () => {
  const harness = createHarness({ turns: [say("Parent."), say("Fork.")] });
  const parent = await harness.open();
  await harness.prompt(parent, "go", { reasoning: { effort: "low" } });
  const prefix = given(await sessionOf(harness, parent).prefix());
  const fork = await harness.openWith({ profile: { prefix } });
  await harness.prompt(fork, "work");
  expect(harness.requests.map(({ reasoning, source }) => [reasoning?.effort, source])).toEqual([
    ["low", "main"],
    ["low", "fork"],
  ]);
});

test("a fork cannot be forked: by what it was opened as, and by what its conversation says", async () => {
  const harness = createHarness({ turns: [say("Parent."), say("Fork."), say("Copy.")] });
  const parent = await harness.open();
  await harness.prompt(parent, "go");
  const prefix = given(await sessionOf(harness, parent).prefix());
  const fork = await harness.openWith({ profile: { prefix } });
  await harness.prompt(fork, "work");
  const refused = { ok: false, failure: { code: "invalid_command", message: "A fork cannot be forked again." } };
  expect(await sessionOf(harness, fork).prefix()).toMatchObject(refused);
  const copy = await harness.open();
  await harness.prompt(copy, `${forkMark}\nYou are a worker.`);
  expect(await sessionOf(harness, copy).prefix()).toMatchObject(refused);
});

test("a summary keeps the mark of a fork, so that a copy of its conversation is not forked either", async () => {
  const site = openSite({
    turns: [answer(`One done. ${words(1_000)}`), answer("Two done.")],
    summaries: [answer(summaryText)],
  });
  await site.harness.open("bypass");
  await site.harness.prompt("ses_1", `${forkMark}\nMend the parser. ${words(200)}`);
  await site.harness.prompt("ses_1", "Two");
  expect(await site.harness.engine.send({ type: "context.compact", sessionId: "ses_1" })).toMatchObject({ ok: true });
  const session = sessionOf(site.harness, "ses_1");
  const [summary] = session.state.items;
  expect(summary).toMatchObject({ type: "compaction", summary: expect.stringContaining(forkMark) });
  expect(await session.prefix()).toMatchObject({ ok: false, failure: { message: "A fork cannot be forked again." } });
});
