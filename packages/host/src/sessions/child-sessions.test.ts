/** Proves which sessions count as children of another one, and that what they used is summed over all of them. */
import { randomBytes } from "node:crypto";
import { type Fact, keepChildren, noUsage, type SessionOrigin } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { childrenUse } from "./child-sessions.ts";

const holder = { boot: "boot_1", pid: 1, startedAt: "" };

function factsOf(origin: SessionOrigin | undefined, usd: number): readonly Fact[] {
  return [
    {
      ...{ type: "session.created", directory: "/p", projectId: "p", model: "m/a", mode: "default", kedgeVersion: "0" },
      boot: holder.boot,
      ...(origin !== undefined && { origin }),
    },
    {
      ...{ type: "step.started", stepId: "s1", runId: "r1", turn: 1, source: "main", model: "m/a", requestId: "q" },
      ...{ prompts: [], reminders: [] },
    },
    {
      ...{ type: "step.ended", stepId: "s1", outcome: "answered", content: [], durationMs: 1 },
      usage: { ...noUsage, input: 10 },
      cost: { usd, estimated: false },
    },
  ];
}

async function openStore(sessions: { readonly [sessionId: string]: readonly Fact[] }) {
  const store = createMemoryStore({ now: () => 1, randomBytes, isAlive: () => true });
  for (const [sessionId, facts] of Object.entries(sessions)) {
    await store.acquireLease(sessionId, holder);
    await store.append(sessionId, facts, { boot: holder.boot, durable: false });
  }
  return store;
}

test("children are those that work for a session, with what their own children used", async () => {
  const store = await openStore({
    ses_1: factsOf(undefined, 1),
    ses_2: factsOf({ kind: "child", sessionId: "ses_1", callId: "c1" }, 2),
    ses_3: factsOf({ kind: "child", sessionId: "ses_2" }, 4),
    ses_4: factsOf({ kind: "fork", sessionId: "ses_1" }, 8),
    ses_5: factsOf({ kind: "replay", sessionId: "ses_1" }, 16),
  });
  const made = await store.sessions({ parentId: "ses_1", limit: 10 });
  expect(made.map(({ sessionId }) => sessionId).sort()).toEqual(["ses_2", "ses_4", "ses_5"]);
  expect((await keepChildren(made, store)).map(({ sessionId }) => sessionId)).toEqual(["ses_2"]);
  expect(await childrenUse("ses_1", store)).toEqual({
    sessions: 2,
    usage: { ...noUsage, input: 20 },
    cost: { usd: 6, estimated: false },
  });
  expect(await childrenUse("ses_3", store)).toBeUndefined();
});
