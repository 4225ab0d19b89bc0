/** Proves `kedge stats` with the real program on sessions that it ran itself and on an old one. */
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

const boot = "boot-of-the-test";

/** One session of long ago, in another project whose name tries to steer the terminal. */
async function storeOldSession({ home }: Workbench): Promise<void> {
  const opened = openSqliteStore({
    path: join(home, "data", "kedge.db"),
    blobsDirectory: join(home, "data", "blobs"),
    now: () => Date.UTC(2020, 1, 3),
    randomBytes,
    isAlive: () => false,
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  const { store } = opened;
  const common = { stepId: "stp_1", usage: { ...noUsage, input: 1_000, cacheRead: 3_000, output: 5 } } as const;
  const facts: readonly Fact[] = [
    {
      type: "session.created",
      directory: "/old\u001b[2J/project",
      projectId: "old",
      model: "m/a",
      mode: "default",
      kedgeVersion: "0",
      boot,
    },
    {
      type: "step.started",
      stepId: "stp_1",
      runId: "run",
      turn: 1,
      source: "main",
      model: "m/a",
      requestId: "req",
      prompts: [],
      reminders: [],
    },
    {
      type: "step.ended",
      ...common,
      outcome: "answered",
      content: [],
      cost: { usd: 2, estimated: false },
      durationMs: 1,
    },
  ];
  await store.acquireLease("ses_old", { boot, pid: 1, startedAt: "" });
  expect((await store.append("ses_old", facts, { boot, durable: false })).ok).toBe(true);
  await store.close();
}

async function runTwoTurns(): Promise<Workbench> {
  bench = await openWorkbench([
    {
      toolCalls: [
        { id: "call_1", name: "read", input: { filePath: "note.txt" } },
        { id: "call_2", name: "read", input: { filePath: "missing.txt" } },
      ],
      usage: { input: 1_000, output: 20 },
    },
    { text: "Read.", usage: { input: 2_000, output: 10 } },
  ]);
  writeFileSync(join(bench.project, "note.txt"), "a note\n");
  await bench.run(["-p", "read it"]);
  await storeOldSession(bench);
  return bench;
}

test("the tables cover models, days, projects and tools of everything stored", async () => {
  const { run, project } = await runTwoTurns();
  const { code, stdout, stderr } = await run(["stats"]);
  const name = project.padEnd("/old/project".length);
  expect(stdout.replace(/^(?!2020)\d{4}-\d\d-\d\d/m, "yyyy-mm-dd")).toBe(
    [
      "Sessions: 2, steps: 3, cost: $2.0000 + unknown.",
      "Tokens: 7,000 in, 35 out; 43 % of input from cache.",
      "Unknown: a model has no known price, or an answer was not counted. Set prices with provider.<id>.models.<model>.cost.",
      "",
      "model            steps  input  cache read  cache write  output     cost  from cache",
      "m/a                  1  1,000       3,000            0       5  $2.0000        75 %",
      "mock/mock-model      2  3,000           0            0      30  unknown         0 %",
      "",
      "day (UTC)   steps  input  cache read  cache write  output     cost",
      "2020-02-03      1  1,000       3,000            0       5  $2.0000",
      "yyyy-mm-dd      2  3,000           0            0      30  unknown",
      "",
      `${"project".padEnd(name.length)}  sessions  steps  input  cache read  cache write  output     cost`,
      `${"/old/project".padEnd(name.length)}         1      1  1,000       3,000            0       5  $2.0000`,
      `${name}         1      2  3,000           0            0      30  unknown`,
      "",
      "tool  calls  success  failed  refused  interrupted",
      "read      2     50 %       1        0            0",
      "",
    ].join("\n"),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("--days leaves out what is older, --json prints one object", async () => {
  const { run } = await runTwoTurns();
  const { code, stdout } = await run(["stats", "--days", "2", "--json"]);
  const usage = { ...noUsage, input: 3_000, output: 30 };
  const cost = { usd: 0, estimated: true };
  const sum = { steps: 2, usage, cost };
  expect(JSON.parse(stdout)).toEqual({
    sinceMs: expect.any(Number),
    sessions: 1,
    ...sum,
    cacheHitShare: 0,
    cacheMisses: { count: 0, tokens: 0, usd: 0 },
    beside: [],
    models: [{ model: "mock/mock-model", ...sum, cacheHitShare: 0 }],
    projects: [{ projectId: expect.any(String), directory: expect.stringMatching(/project$/), sessions: 1, ...sum }],
    tools: [{ tool: "read", calls: 2, completed: 1, failed: 1, refused: 0, interrupted: 0, successRate: 0.5 }],
    days: [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ...sum }],
    unreadable: [],
  });
  expect(code).toBe(0);
});

test("with nothing stored there is nothing to tell, and words are refused", async () => {
  bench = await openWorkbench([]);
  expect(await bench.run(["stats"])).toEqual({ code: 0, stdout: "No usage in this period.\n", stderr: "" });
  expect(await bench.run(["stats", "all"])).toEqual({
    code: 2,
    stdout: "",
    stderr: 'kedge: kedge stats does not accept "all".\n',
  });
});
