/** A session that continues from where another one is: its requests begin with the same values, and it records only its own work. */
import type { ContextSource, Fact, SessionProfile, SideFact } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, type Harness, say } from "./harness.ts";

const look = createTool({ name: "look", permission: "read" });

let reads = 0;
const counted: ContextSource = {
  name: "counted",
  kind: "data",
  place: "head",
  read() {
    reads += 1;
    return [{ text: `read ${reads} times`, origin: "counter" }];
  },
};

function sessionOf({ engine }: Harness, sessionId: string) {
  const found = engine.openSessions().find(({ state }) => state.sessionId === sessionId);
  if (found === undefined) throw new Error("the session is not open");
  return found;
}

async function openFork(harness: Harness, parent: string, profile: Partial<SessionProfile> = {}): Promise<string> {
  const prefix = await sessionOf(harness, parent).prefix();
  if (!prefix.ok) throw new Error(prefix.failure.message);
  return harness.openWith({ profile: { prefix: prefix.value, contextSources: [counted], ...profile } });
}

test("the requests of a fork begin with what its parent sent, also after calls of its own", async () => {
  const turns = [
    ...[calls(call("c1", "look", {})), say("Parent.")],
    ...[calls(call("f1", "look", {})), say("Fork."), say("Again.")],
  ];
  const harness = createHarness({ turns, tools: [look], parts: { contextSources: [counted] } });
  const parent = await harness.open();
  await harness.prompt(parent, "go");
  const fork = await openFork(harness, parent);
  expect((await harness.prompt(fork, "what is worth keeping?")).fact).toMatchObject({ text: "Fork.", turns: 2 });
  await harness.prompt(parent, "go on");
  const [, last, first, second, next] = harness.requests;
  const shared = [...(last?.messages ?? []), { role: "assistant", content: [{ type: "text", text: "Parent." }] }];
  for (const request of [first, second]) {
    expect(request?.messages.slice(0, shared.length)).toMatchObject(shared);
    expect(JSON.stringify(request?.messages.slice(0, shared.length))).toBe(
      JSON.stringify(next?.messages.slice(0, shared.length)),
    );
    const { system, systemTail, tools, conversationId, outputTokensMax } = last ?? {};
    expect(request).toMatchObject({ system, tools, conversationId, outputTokensMax, source: "fork" });
    expect(request?.systemTail).toBe(systemTail);
  }
  expect(first?.messages.slice(shared.length)).toEqual([{ role: "user", text: "what is worth keeping?" }]);
  expect(next).toMatchObject({ source: "main" });
});

test("a fork begins with the signed reminders that its parent sent", async () => {
  const rules: ContextSource = {
    ...{ name: "rules", kind: "instruction", place: "head" },
    read: () => [{ text: "Be brief.", origin: "AGENTS.md", hash: "1" }],
  };
  const parts = { contextSources: [rules], fenceNonce: (sessionId: string) => `nonce-of-${sessionId}` };
  const harness = createHarness({ turns: [say("Parent."), say("Fork.")], parts });
  const parent = await harness.open();
  await harness.prompt(parent, "go");
  const fork = await openFork(harness, parent);
  await harness.prompt(fork, "what is worth keeping?");
  const [sent, forked] = harness.requests;
  expect(JSON.stringify(sent?.messages[0])).toContain(`nonce-of-${parent}`);
  expect(forked?.messages.slice(0, sent?.messages.length)).toEqual(sent?.messages);
});

test("a fork records its own work alone, and leaves its parent as it was", async () => {
  const harness = createHarness({ turns: [say("Parent."), say("Fork.")], tools: [look] });
  const parent = await harness.open();
  await harness.prompt(parent, "go");
  const before = sessionOf(harness, parent).state.lastSeq;
  const fork = await openFork(harness, parent);
  await harness.prompt(fork, "look");
  expect(sessionOf(harness, parent).state.lastSeq).toBe(before);
  const facts: Fact[] = [];
  for await (const { fact } of harness.store.read(fork, 0)) facts.push(fact);
  expect(facts.map(({ type }) => type)).toEqual([
    ...["session.created", "prompt.admitted", "step.started", "step.ended", "run.ended"],
  ]);
  expect(facts[2]).toMatchObject({ source: "fork", reminders: [] });
});

test("what others know about a session is stored with it, until it is closed", async () => {
  const harness = createHarness({ turns: [say("Done.")] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "go");
  const session = sessionOf(harness, sessionId);
  const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const fact: SideFact = {
    type: "memory.extracted",
    upTo: "stp_1",
    outcome: "searched",
    paths: [],
    denials: [],
    usage,
    cost: { usd: 0.5, estimated: false },
  };
  expect(await session.record(fact)).toBe(true);
  expect(harness.facts().at(-1)).toEqual(fact);
  expect(session.state).toMatchObject({ extractedUpTo: "stp_1", backgroundUsd: 0.5 });
  await harness.engine.send({ type: "session.close", sessionId });
  expect(await session.record(fact)).toBe(false);
});
