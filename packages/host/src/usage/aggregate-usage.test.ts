/** Proves the sums over sessions with a real SQLite store. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fact, FailureError, noUsage, type Store, type ToolOutcome, type Usage } from "@kedge/protocol";
import { openSqliteStore } from "@kedge/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aggregateUsage } from "./aggregate-usage.ts";
import { explainCost } from "./explain-cost.ts";

let folder: string;
let store: Store;
let time: number;

const dayMs = 24 * 60 * 60 * 1_000;
const firstDay = Date.UTC(2026, 0, 1, 12);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-usage-"));
  time = firstDay;
  const opened = openSqliteStore({
    path: join(folder, "kedge.db"),
    blobsDirectory: join(folder, "blobs"),
    now: () => time,
    randomBytes,
    isAlive: () => true,
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  store = opened.store;
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const boot = "boot-1";

async function append(sessionId: string, ...facts: readonly Fact[]): Promise<void> {
  await store.acquireLease(sessionId, { boot, pid: process.pid, startedAt: "" });
  expect((await store.append(sessionId, facts, { boot, durable: false })).ok).toBe(true);
}

const created = (projectId: string): Fact => ({
  type: "session.created",
  directory: `/projects/${projectId}`,
  projectId,
  model: "m/default",
  mode: "default",
  kedgeVersion: "0",
  boot,
});

let steps = 0;

function step(model: string, usage: Usage, usd: number, change: { readonly lost?: number } = {}): readonly Fact[] {
  steps += 1;
  const stepId = `stp_${steps}`;
  const { lost } = change;
  return [
    {
      type: "step.started",
      stepId,
      runId: "run_1",
      turn: 1,
      source: "main",
      model,
      requestId: "req",
      prompts: [],
      reminders: [],
    },
    {
      type: "step.ended",
      stepId,
      outcome: "answered",
      content: [{ type: "text", text: "Yes." }],
      usage,
      cost: { usd, estimated: model === "m/unknown" },
      ...(lost !== undefined && {
        cacheBreak: { cause: "the provider dropped its cache", tokensLost: lost, usd: 0.5 },
      }),
      durationMs: 1,
    },
  ];
}

const call = (tool: string, outcome: ToolOutcome, output = "out"): Fact => ({
  type: "tool.ended",
  callId: "call_1",
  stepId: "stp_1",
  tool,
  outcome,
  output,
  phases: {},
});

const usage: Usage = { ...noUsage, input: 100, output: 10, cacheRead: 300 };
const doubled: Usage = { ...noUsage, input: 200, output: 20, cacheRead: 600 };
const estimated = false;

test("sums by day, model, project and tool", async () => {
  await append("ses_1", created("one"), ...step("m/a", usage, 1), call("read", "completed"), call("bash", "failed"));
  time += dayMs;
  await append("ses_1", ...step("m/unknown", usage, 0.25), call("read", "completed"), call("read", "refused"));
  await append("ses_2", created("two"), ...step("m/a", doubled, 2, { lost: 5_000 }), call("read", "interrupted"));
  await append("ses_3", created("two"));
  const read = { tool: "read", calls: 4, completed: 2, failed: 0, refused: 1, interrupted: 1, successRate: 0.5 };
  const bash = { tool: "bash", calls: 1, completed: 0, failed: 1, refused: 0, interrupted: 0, successRate: 0 };
  expect(await aggregateUsage(store, {})).toEqual({
    sessions: 2,
    steps: 3,
    usage: { ...noUsage, input: 400, output: 40, cacheRead: 1_200 },
    cost: { usd: 3.25, estimated: true },
    cacheHitShare: 0.75,
    cacheMisses: { count: 1, tokens: 5_000, usd: 0.5 },
    beside: [],
    models: [
      {
        model: "m/a",
        steps: 2,
        usage: { ...noUsage, input: 300, output: 30, cacheRead: 900 },
        cost: { usd: 3, estimated },
        cacheHitShare: 0.75,
      },
      { model: "m/unknown", steps: 1, usage, cost: { usd: 0.25, estimated: true }, cacheHitShare: 0.75 },
    ],
    projects: [
      {
        projectId: "two",
        directory: "/projects/two",
        sessions: 1,
        steps: 1,
        usage: doubled,
        cost: { usd: 2, estimated },
      },
      {
        projectId: "one",
        directory: "/projects/one",
        sessions: 1,
        steps: 2,
        usage: doubled,
        cost: { usd: 1.25, estimated: true },
      },
    ],
    tools: [read, bash],
    days: [
      { day: "2026-01-01", steps: 1, usage, cost: { usd: 1, estimated } },
      {
        day: "2026-01-02",
        steps: 2,
        usage: { ...noUsage, input: 300, output: 30, cacheRead: 900 },
        cost: { usd: 2.25, estimated: true },
      },
    ],
    unreadable: [],
  });
});

test("counts only what happened since a time and in a project", async () => {
  await append("ses_1", created("one"), ...step("m/a", usage, 1), call("read", "completed"));
  await append("ses_2", created("two"), ...step("m/a", usage, 4));
  time += dayMs;
  await append("ses_1", ...step("m/b", usage, 2));
  const recent = await aggregateUsage(store, { sinceMs: firstDay + 1 });
  expect(recent).toMatchObject({ sessions: 1, steps: 1, cost: { usd: 2 }, tools: [] });
  expect(recent.models.map(({ model }) => model)).toEqual(["m/b"]);
  const project = await aggregateUsage(store, { projectId: "one" });
  expect(project).toMatchObject({ sessions: 1, steps: 2, cost: { usd: 3 } });
});

test("an empty store has used nothing", async () => {
  expect(await aggregateUsage(store, {})).toEqual({
    sessions: 0,
    steps: 0,
    usage: noUsage,
    cost: { usd: 0, estimated },
    cacheHitShare: 0,
    cacheMisses: { count: 0, tokens: 0, usd: 0 },
    beside: [],
    models: [],
    projects: [],
    tools: [],
    days: [],
    unreadable: [],
  });
});

test("a session with a damaged record is named and the others are counted", async () => {
  await append("ses_1", created("one"), ...step("m/a", usage, 1));
  await append("ses_2", created("one"), ...step("m/a", usage, 2));
  const damaged: Pick<Store, "sessions" | "read"> = {
    sessions: (filter) => store.sessions(filter),
    async *read(sessionId, afterSeq) {
      if (sessionId === "ses_1") throw new FailureError({ code: "storage", message: "Damaged.", retryable: false });
      yield* store.read(sessionId, afterSeq);
    },
  };
  expect(await aggregateUsage(damaged, {})).toMatchObject({ sessions: 1, cost: { usd: 2 }, unreadable: ["ses_1"] });
});

test("the cost of a stored session is explained from the store", async () => {
  const large = call("read", "completed", "x".repeat(40_000));
  await append("ses_1", created("one"), ...step("m/a", usage, 1), large, ...step("m/a", usage, 3, { lost: 9_000 }));
  const { rows, cost, cacheMisses } = await explainCost(store.read("ses_1", 0));
  expect(rows.map(({ turn, time: at, causes }) => ({ turn, at, causes }))).toEqual([
    { turn: 1, at: firstDay, causes: ["first request"] },
    {
      turn: 2,
      at: firstDay,
      causes: ["cache lost: the provider dropped its cache", "large output of read before it (40000 characters)"],
    },
  ]);
  expect({ cost, cacheMisses }).toEqual({
    cost: { usd: 4, estimated },
    cacheMisses: { count: 1, tokens: 9_000, usd: 0.5 },
  });
});

const small = { ...noUsage, input: 10, output: 1 };

test.each(["import", "fork", "replay"] as const)(
  "what a session brought along by %s was paid for elsewhere",
  async (kind) => {
    const origin = { kind, sessionId: "ses_other" };
    // What every fact of a session that was created here has as well.
    const first = { ...created("p"), origin } as Fact;
    await append("ses_1", first, ...step("m/a", small, 5));
    expect(await aggregateUsage(store, {})).toMatchObject({ sessions: 0, steps: 0, cost: { usd: 0 }, tools: [] });
    await append("ses_1", { type: "session.resumed", boot, mode: "default" }, ...step("m/a", small, 2));
    expect(await aggregateUsage(store, {})).toMatchObject({ sessions: 1, steps: 1, cost: { usd: 2 } });
  },
);

test("what was paid beside the steps is in every sum and told apart", async () => {
  const cost = { usd: 0.25, estimated: false };
  await append(
    "ses_1",
    created("p"),
    ...step("m/a", small, 1),
    { type: "session.updated", title: "A title", titleSource: "model", usage: small, cost },
    { type: "message.added", messageId: "msg_1", kind: "branch-summary", text: "", usage: small, cost },
    { type: "message.added", messageId: "msg_2", kind: "imported", text: "" },
  );
  const { steps: count, cost: total, beside, models, days, projects } = await aggregateUsage(store, {});
  expect({ count, total }).toEqual({ count: 1, total: { usd: 1.5, estimated: false } });
  expect(beside).toEqual([
    { kind: "title", calls: 1, usage: small, cost },
    { kind: "branch-summary", calls: 1, usage: small, cost },
  ]);
  expect(models.map(({ model, steps: of, cost: { usd } }) => [model, of, usd])).toEqual([
    ["m/a", 1, 1],
    ["m/default", 0, 0.5],
  ]);
  expect([days[0]?.cost.usd, projects[0]?.cost.usd]).toEqual([1.5, 1.5]);
});

test("sessions that were put away still cost what they cost", async () => {
  await append("ses_1", created("p"), ...step("m/a", small, 3), { type: "session.updated", isArchived: true });
  expect(await aggregateUsage(store, {})).toMatchObject({ sessions: 1, cost: { usd: 3 } });
});
