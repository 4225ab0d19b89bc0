/** Agents that an earlier process left at work: each is ended once, by its own record and by nothing that only names it. */
import type { Fact } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createHarness, type Harness, say } from "./harness.ts";

const started = (agentId: string): Fact => ({
  type: "agent.started",
  ...{ agentId, agent: "explore", description: "Look", depth: 1 },
});

async function factsOf({ store }: Harness, sessionId: string): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for await (const { fact } of store.read(sessionId, 0)) facts.push(fact);
  return facts;
}

/** A parent whose process ended before it could store how its agents ended. */
async function leave(harness: Harness, parent: string, ...agentIds: readonly string[]): Promise<Harness> {
  const open = harness.engine.openSessions().find(({ state }) => state.sessionId === parent);
  for (const agentId of agentIds) await open?.record(started(agentId) as Extract<Fact, { type: "agent.started" }>);
  await harness.engine.close();
  return createHarness({ turns: [say("Heard.")], store: harness.store, boot: "boot-2" });
}

const endsIn = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (fact.type === "agent.ended" ? [`${fact.agentId} ${fact.status} ${fact.result}`] : []));

test("one that had finished is ended with its result, one that never began without any", async () => {
  const harness = createHarness({ turns: [say("Found it.")] });
  const parent = await harness.open();
  const child = await harness.openWith({ parent: { sessionId: parent } });
  await harness.prompt(child, "look");
  const later = await leave(harness, parent, child, "ses_neverbegan1");
  await later.resume(parent);
  expect(endsIn(await factsOf(later, parent))).toEqual([`${child} completed Found it.`, "ses_neverbegan1 orphaned "]);
  await later.engine.close();
  const again = createHarness({ store: harness.store, boot: "boot-3" });
  await again.resume(parent);
  expect(endsIn(await factsOf(again, parent))).toHaveLength(2);
});

test("a result too long for its parent is cut at a character, and the rest is named", async () => {
  const harness = createHarness({ turns: [say("語".repeat(20_000))] });
  const parent = await harness.open();
  const child = await harness.openWith({ parent: { sessionId: parent } });
  await harness.prompt(child, "look");
  const later = await leave(harness, parent, child);
  await later.resume(parent);
  const [end] = (await factsOf(later, parent)).flatMap((fact) => (fact.type === "agent.ended" ? [fact] : []));
  expect(end).toMatchObject({
    result: `${"語".repeat(10_922)}\n[27,234 more bytes]`,
    outputPath: `agent://${child}`,
  });
});

test("a session that works for somebody else is no agent of this one, whatever a record names", async () => {
  const harness = createHarness({ turns: [say("A secret of another session.")] });
  const parent = await harness.open();
  const other = await harness.open();
  await harness.prompt(other, "hello");
  const later = await leave(harness, parent, other);
  await later.resume(parent);
  expect(endsIn(await factsOf(later, parent))).toEqual([`${other} orphaned `]);
  expect(JSON.stringify(await factsOf(later, parent))).not.toContain("A secret");
});

test("an agent that was at work, and one that worked for it, are closed in their own records too", async () => {
  const waiting = Promise.withResolvers<void>();
  const harness = createHarness({
    provider: {
      async *stream(_, signal) {
        waiting.resolve();
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        yield { type: "failed", failure: { code: "aborted", message: "Stopped.", retryable: false } };
      },
    },
  });
  const parent = await harness.open();
  const child = await harness.openWith({ parent: { sessionId: parent } });
  await harness.submit(child, "look");
  await waiting.promise;
  const open = harness.engine.openSessions();
  for (const [of, agentId] of [
    [parent, child],
    [child, "ses_grandchild1"],
  ] as const) {
    const session = open.find(({ state }) => state.sessionId === of);
    await session?.record(started(agentId) as Extract<Fact, { type: "agent.started" }>);
  }
  // Killed: nothing more is stored, and the leases belong to a process that is gone.
  const later = createHarness({ store: harness.store, boot: "boot-2" });
  await harness.store.releaseLease(parent, "boot-1");
  await harness.store.releaseLease(child, "boot-1");
  await later.resume(parent);
  expect(endsIn(await factsOf(later, parent))).toEqual([`${child} orphaned `]);
  const own = await factsOf(later, child);
  expect(endsIn(own)).toEqual(["ses_grandchild1 orphaned "]);
  expect(own.at(-1)).toMatchObject({ type: "run.ended", reason: "aborted" });
});
