/** Proves what a session is said to be doing: by who holds it, and by what its facts left open. */
import { randomBytes } from "node:crypto";
import { type Fact, noUsage, runWithoutSteps } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { isChild, readStatuses } from "./session-status.ts";

const holder = { boot: "boot_1", pid: 1, startedAt: "" };
const created: Fact = {
  ...{ type: "session.created", directory: "/p", projectId: "p", model: "m/a", mode: "default", kedgeVersion: "0" },
  boot: holder.boot,
};
const prompt: Fact = { type: "prompt.admitted", promptId: "p1", runId: "r1", text: "go", delivery: "follow-up" };
const stepStarted: Fact = {
  ...{ type: "step.started", stepId: "s1", runId: "r1", turn: 1, source: "main", model: "m/a", requestId: "q" },
  prompts: [{ promptId: "p1", form: "prompt" }],
  reminders: [],
};
const stepEnded = (outcome: "answered" | "failed"): Fact => ({
  ...{ type: "step.ended", stepId: "s1", outcome, content: [], usage: noUsage, durationMs: 1 },
  cost: { usd: 0, estimated: false },
});
const asked: Fact = {
  ...{ type: "permission.asked", stepId: "s1", requestId: "per_1", callId: "c1", tool: "bash", permission: "bash" },
  ...{ patterns: ["x"], always: [], reason: "it asks" },
};
const question: Fact = { type: "question.asked", requestId: "que_1", callId: "c1", questions: [] };
const ended: Fact = { type: "run.ended", runId: "r1", ...runWithoutSteps("completed", "") };

async function storeWith(facts: readonly Fact[], isLiving = true) {
  const store = createMemoryStore({ now: () => 1, randomBytes, isAlive: () => isLiving });
  await store.acquireLease("ses_1", holder);
  await store.append("ses_1", facts, { boot: holder.boot, durable: false });
  return store;
}

test.each<readonly [string, readonly Fact[]]>([
  ["idle", [created]],
  ["busy", [created, prompt]],
  ["busy", [created, prompt, stepStarted]],
  ["retry", [created, prompt, stepStarted, stepEnded("failed")]],
  ["busy", [created, prompt, stepStarted, stepEnded("answered")]],
  ["busy", [created, prompt, stepStarted, stepEnded("failed"), { ...stepStarted, stepId: "s2" }]],
  ["waiting", [created, prompt, stepStarted, stepEnded("answered"), asked]],
  ["waiting", [created, prompt, stepStarted, stepEnded("answered"), question]],
  ["idle", [created, prompt, stepStarted, stepEnded("answered"), ended]],
])("%s, while a process holds the session", async (status, facts) => {
  expect([...(await readStatuses(await storeWith(facts)))]).toEqual([["ses_1", status]]);
});

test("what nobody holds, or only a process that died, is not at work", async () => {
  const given = await storeWith([created, prompt, stepStarted]);
  await given.releaseLease("ses_1", holder.boot);
  expect([...(await readStatuses(given))]).toEqual([]);
  expect([...(await readStatuses(await storeWith([created, prompt, stepStarted], false)))]).toEqual([]);
});

test.each([
  ["fork", false],
  ["handoff", false],
  ["import", false],
  ["replay", true],
  ["child", true],
] as const)("a session that came from another by a %s: is it a child? %s", async (kind, expected) => {
  const store = await storeWith([{ ...created, origin: { kind, sessionId: "ses_0" } }]);
  const summary = await store.session("ses_1");
  if (summary === undefined) throw new Error("the session was not stored");
  expect(await isChild(summary, store)).toBe(expected);
});
