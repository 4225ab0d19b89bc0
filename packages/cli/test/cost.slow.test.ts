/** Proves `kedge cost why` with the real program: on a session that it ran itself, and on one with lost caches. */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Fact, noUsage } from "@kedge/protocol";
import { openSqliteStore } from "@kedge/store";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const sessionId = "ses_stored";
const boot = "boot-of-the-test";
const time = Date.UTC(2026, 0, 2, 3, 4);

async function storeFacts({ home, project }: Workbench, facts: readonly Fact[]): Promise<void> {
  const opened = openSqliteStore({
    path: join(home, "data", "kedge.db"),
    blobsDirectory: join(home, "data", "blobs"),
    now: () => time,
    randomBytes,
    isAlive: () => false,
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  const { store } = opened;
  const created: Fact = {
    type: "session.created",
    directory: project,
    projectId: "p",
    model: "m/a",
    mode: "default",
    kedgeVersion: "0",
    boot,
  };
  await store.acquireLease(sessionId, { boot, pid: 1, startedAt: "" });
  const prompt: Fact = {
    type: "prompt.admitted",
    promptId: "prm",
    runId: "run",
    delivery: "steer",
    text: "Fix\u001b[2J it",
  };
  expect((await store.append(sessionId, [created, prompt, ...facts], { boot, durable: false })).ok).toBe(true);
  await store.releaseLease(sessionId, boot);
  await store.close();
}

const step = (number: number, usd: number, lost: string | undefined): readonly Fact[] => [
  {
    type: "step.started",
    stepId: `stp_${number}`,
    runId: "run",
    turn: number,
    source: "main",
    model: "m/a",
    requestId: "req",
    prompts: [],
    reminders: [],
  },
  {
    type: "step.ended",
    stepId: `stp_${number}`,
    outcome: "answered",
    content: [],
    usage: { ...noUsage, input: 12_345, cacheRead: 1_000_000, output: 7 },
    cost: { usd, estimated: false },
    ...(lost !== undefined && {
      cacheBreak: { cause: lost, tokensLost: 20_000, usd: 0.054, diffFile: "/debug/a\u001b[31m.diff" },
    }),
    durationMs: 1,
  },
];

test("the table names turns, costs and causes, and lets nothing through that steers a terminal", async () => {
  bench = await openWorkbench([]);
  const facts = [...step(1, 0.5, undefined), ...step(2, 1.25, "tools changed: \u001b[2Jbash\nread")];
  await storeFacts(bench, facts);
  const { code, stdout, stderr } = await bench.run(["cost", "why", "ses_st"]);
  const cells = "m/a    12,345   1,000,000            0       7          0";
  expect(stdout).toBe(
    [
      "ses_stored  Fix it",
      "",
      "turn  time (UTC)        model   input  cache read  cache write  output  reasoning     cost  why",
      `   1  2026-01-02 03:04  ${cells}  $0.5000  first request`,
      `   2  2026-01-02 03:04  ${cells}  $1.2500  cache lost: tools changed: bash read`,
      "",
      "Total: $1.7500 in 2 turns.",
      "Most expensive turns: 2 ($1.2500), 1 ($0.5000).",
      "Lost to cache misses: $0.0540 for 20,000 tokens in one miss.",
      "What changed before turn 2: /debug/a.diff",
      "",
    ].join("\n"),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("what was paid beside the turns has its own lines, here and in the sums of all sessions", async () => {
  bench = await openWorkbench([]);
  const paid = { usage: { ...noUsage, input: 10, output: 5 }, cost: { usd: 0.25, estimated: false } };
  await storeFacts(bench, [
    ...step(1, 0.5, undefined),
    { type: "session.updated", title: "A title", titleSource: "model", ...paid },
  ]);
  const why = await bench.run(["cost", "why", "ses_st"]);
  expect(why.stdout).toContain(
    [
      "Total: $0.7500 in 1 turn.",
      "Most expensive turns: 1 ($0.5000).",
      "Other calls: title at 2026-01-02 03:04, $0.2500.",
      "",
    ].join("\n"),
  );
  const stats = await bench.run(["stats"]);
  expect(stats.stdout).toContain("Sessions: 1, steps: 1, cost: $0.7500.\n");
  expect(stats.stdout).toContain("\nOf that, titles: 1, for $0.2500.\n");
});

test("a session that kedge ran itself is explained by its large result", async () => {
  bench = await openWorkbench([
    { toolCalls: [{ name: "read", input: { filePath: "long.txt" } }], usage: { input: 1_000, output: 20 } },
    { text: "Read.", usage: { input: 9_000, output: 10 } },
  ]);
  writeFileSync(join(bench.project, "long.txt"), "a line of twenty one\n".repeat(1_000));
  await bench.run(["-p", "read it"]);
  const text = await bench.run(["cost", "why"]);
  expect(text.stdout).toMatch(/first request\n.*large output of read before it \(\d+ characters\)\n/);
  expect(text.stdout).toContain(
    "Total: unknown in 2 turns.\nLost to cache misses: nothing.\nUnknown: a model has no known price",
  );
  const { code, stdout } = await bench.run(["cost", "why", "last", "--json"]);
  const report = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(report).toEqual({
    sessionId: expect.stringMatching(/^ses_/),
    title: "read it",
    rows: [expect.objectContaining({ turn: 1 }), expect.objectContaining({ turn: 2, outcome: "answered" })],
    usage: { ...noUsage, input: 10_000, output: 30 },
    cost: { usd: 0, estimated: true },
    cacheMisses: { count: 0, tokens: 0, usd: 0 },
    beside: [],
    mostExpensiveTurns: [2, 1],
  });
});

test("what is wrong is said in one sentence", async () => {
  bench = await openWorkbench([]);
  const { project } = bench;
  const form = "Usage: kedge cost why [session].";
  expect(await bench.run(["cost"])).toEqual({
    code: 2,
    stdout: "",
    stderr: `kedge: kedge cost needs an action. ${form}\n`,
  });
  expect(await bench.run(["cost", "how"])).toEqual({
    code: 2,
    stdout: "",
    stderr: `kedge: kedge cost does not accept "how". ${form}\n`,
  });
  expect(await bench.run(["cost", "why", "last"])).toEqual({
    code: 1,
    stdout: "",
    stderr: `kedge: No sessions in ${project} yet. Start one with kedge.\n`,
  });
  await storeFacts(bench, []);
  expect(await bench.run(["cost", "why", "last"])).toEqual({
    code: 0,
    stdout: "ses_stored  Fix it\nNo model was called in this session.\n",
    stderr: "",
  });
});
