import { type CacheBreak, type Fact, type FactOf, type FactRecord, noUsage, type Usage } from "@kedge/protocol";
import { expect, test } from "vitest";
import { type CostRow, explainCost, mostExpensive } from "./explain-cost.ts";

const usage: Usage = { ...noUsage, input: 100, output: 10, reasoning: 4, cacheRead: 1_000, cacheWrite: 50 };
const cacheBreak: CacheBreak = { cause: "tools changed: bash", tokensLost: 9_000, usd: 0.02 };

const start = (step: number, change: Partial<FactOf<"step.started">> = {}): Fact => ({
  type: "step.started",
  stepId: `stp_${step}`,
  runId: "run_1",
  turn: 1,
  source: "main",
  model: "m/a",
  requestId: "req_1",
  prompts: [],
  reminders: [],
  ...change,
});
const end = (step: number, change: Partial<FactOf<"step.ended">> = {}): Fact => ({
  type: "step.ended",
  stepId: `stp_${step}`,
  outcome: "answered",
  content: [],
  usage,
  cost: { usd: 0.01, estimated: false },
  durationMs: 1,
  ...change,
});
const tool = (name: string, characters: number): Fact => ({
  type: "tool.ended",
  callId: "call_1",
  stepId: "stp_1",
  tool: name,
  outcome: "completed",
  output: "x".repeat(characters),
  phases: {},
});
const runEnd = (...transitions: FactOf<"run.ended">["transitions"]): Fact => ({
  type: "run.ended",
  runId: "run_1",
  reason: "completed",
  text: "",
  usage: noUsage,
  usageByModel: {},
  cost: { usd: 0, estimated: false },
  turns: 1,
  durationMs: 1,
  transitions,
  denials: [],
});

const records = (facts: readonly Fact[]): readonly FactRecord[] =>
  facts.map((fact, index) => ({ sessionId: "ses_1", seq: index + 1, time: 1_000 + index, fact, prev: "", hash: "" }));
const explain = (...facts: readonly Fact[]) => explainCost(records(facts));
const causes = async (...facts: readonly Fact[]) => (await explain(...facts)).rows.map((row) => row.causes);

test("every step has a row, and the rows add up", async () => {
  const report = await explain(
    start(1),
    end(1, { cost: { usd: 0.25, estimated: true } }),
    start(2, { model: "m/b" }),
    end(2, { cacheBreak, usage: { ...usage, cacheRead: 0, webSearches: 2 } }),
  );
  const second = { ...usage, cacheRead: 0, webSearches: 2 };
  const common = { source: "main", outcome: "answered" } as const;
  const rows: readonly CostRow[] = [
    {
      ...{ ...common, turn: 1, stepId: "stp_1", time: 1_000, model: "m/a", usage },
      cost: { usd: 0.25, estimated: true },
      causes: ["first request"],
    },
    {
      ...{ ...common, turn: 2, stepId: "stp_2", time: 1_002, model: "m/b", usage: second, cacheBreak },
      cost: { usd: 0.01, estimated: false },
      causes: ["cache lost: tools changed: bash", "previous model: m/a"],
    },
  ];
  expect(report).toEqual({
    rows,
    usage: { input: 200, output: 20, reasoning: 8, cacheRead: 1_000, cacheWrite: 100, webSearches: 2 },
    cost: { usd: 0.26, estimated: true },
    cacheMisses: { count: 1, tokens: 9_000, usd: 0.02 },
    beside: [],
  });
});

test("an empty session has no rows", async () => {
  expect(await explain()).toEqual({
    rows: [],
    usage: noUsage,
    cost: { usd: 0, estimated: false },
    cacheMisses: { count: 0, tokens: 0, usd: 0 },
    beside: [],
  });
});

test("the most expensive come first, equal ones in their order", async () => {
  const priced = (step: number, usd: number) => [start(step), end(step, { cost: { usd, estimated: false } })];
  const { rows } = await explain(...priced(1, 1), ...priced(2, 3), ...priced(3, 2), ...priced(4, 3));
  expect(mostExpensive(rows, 3).map(({ turn }) => turn)).toEqual([2, 4, 3]);
  expect(rows.map(({ turn }) => turn)).toEqual([1, 2, 3, 4]);
});

test("the tool that added most since the step before is named, if it added much", async () => {
  const found = await causes(
    ...[start(1), end(1), tool("read", 9_999), start(2), end(2)],
    ...[tool("read", 6_000), tool("bash", 7_000), tool("read", 5_000), start(3), end(3)],
    ...[start(4), end(4)],
  );
  expect(found).toEqual([["first request"], [], ["large output of read before it (11000 characters)"], []]);
});

test("attempts that failed before the answer are counted", async () => {
  const retry = (attempt: number, code: "rate_limit" | "server_error") => ({ attempt, code, delayMs: 1 });
  const retries = [retry(1, "rate_limit"), retry(2, "rate_limit"), retry(3, "server_error")];
  expect(await causes(start(1), end(1, { retries }), start(2), end(2, { retries: retries.slice(2) }))).toEqual([
    ["first request", "3 attempts failed before it (rate_limit, server_error)"],
    ["one attempt failed before it (server_error)"],
  ]);
});

test("each transition of a run explains its step", async () => {
  const transitions = [
    ...(["tool_results", "queued_input", "structured_retry", "output_escalate", "output_resume"] as const),
    ...(["server_pause", "unexpected_stop", "stream_restart", "model_fallback", "media_strip"] as const),
  ];
  const steps = Array.from({ length: transitions.length + 1 }, (_, index) => [start(index), end(index)]).flat();
  expect(await causes(...steps, runEnd(...transitions))).toEqual([
    ["first request"],
    [],
    [],
    ["the previous answer did not match the schema"],
    ["the previous answer was truncated and retried with a larger limit"],
    ["continues a truncated answer"],
    ["continues an answer paused by the provider"],
    ["the previous answer was empty"],
    ["the previous answer was interrupted and retried"],
    [],
    ["retried without images and documents, which the provider rejected"],
  ]);
});

test("without the end of the run, the failure of the step before explains the repetition", async () => {
  const failed = (step: number, code: "max_output_tokens" | "server_error") =>
    end(step, { outcome: "failed", failure: { code, message: "", retryable: true } });
  const steps = [start(1), failed(1, "server_error"), start(2), failed(2, "max_output_tokens"), start(3), end(3)];
  const expected = [
    ["first request"],
    ["the previous answer was interrupted and retried"],
    ["the previous answer was truncated and retried with a larger limit"],
  ];
  expect(await causes(...steps)).toEqual(expected);
  // After a crash the run is closed without transitions.
  expect(await causes(...steps, runEnd())).toEqual(expected);
  expect(await causes(start(1), failed(1, "server_error"), start(2, { runId: "run_2" }), end(2))).toEqual([
    ["first request"],
    [],
  ]);
});

test("a step without a count says that its cost is not known", async () => {
  const unknown = "it failed and the provider gave no token count; its cost is unknown";
  const interrupted = end(1, { outcome: "interrupted", usage: noUsage, cost: { usd: 0, estimated: false } });
  expect(await causes(start(1), interrupted, start(2), end(2, { outcome: "interrupted" }))).toEqual([
    ["first request", unknown],
    [],
  ]);
});

test("resume, undo, fallback and a change of model explain what no cache could have saved", async () => {
  const resumed: Fact = { type: "session.resumed", boot: "b", mode: "default" };
  const reverted: Fact = { type: "session.reverted", promptId: "p", snapshot: "", restores: [], files: [] };
  const fallback = { from: "m/a", reason: "server_overload" } as const;
  const found = await causes(
    ...[start(1), end(1), resumed, start(2), end(2), reverted, start(3), end(3)],
    ...[start(4, { model: "m/b", fallback }), end(4), start(5), end(5), start(6), end(6)],
  );
  expect(found).toEqual([
    ["first request"],
    ["first request after the session was resumed"],
    ["the conversation was changed by undo or redo"],
    ["fallback for m/a (server_overload)"],
    ["previous model: m/b"],
    [],
  ]);
});

test("files that went back alone changed nothing of the conversation", async () => {
  const reverted: Fact = {
    type: "session.reverted",
    promptId: "p",
    only: "files",
    snapshot: "",
    restores: [],
    files: [],
  };
  const again: Fact = { type: "session.unreverted", promptId: "p", only: "files", restores: [], files: [] };
  expect(await causes(start(1), end(1), reverted, again, start(2), end(2))).toEqual([["first request"], []]);
});

test("calls in the background have rows of their own and explain nothing of the conversation", async () => {
  const background = { source: "background", model: "m/small" } as const;
  const found = await causes(
    ...[start(1), start(2, background), end(2), end(1), tool("read", 20_000)],
    ...[start(3, background), end(3), start(4), end(4), runEnd("stream_restart")],
  );
  expect(found).toEqual([
    ["first request"],
    ["first request"],
    [],
    ["the previous answer was interrupted and retried", "large output of read before it (20000 characters)"],
  ]);
});

const paid = { usage: { ...noUsage, input: 500, output: 40 }, cost: { usd: 0.5, estimated: false } } as const;
const compacted: Fact = {
  type: "context.compacted",
  compactionId: "cmp_1",
  trigger: "threshold",
  strategy: "summary",
  summary: "What was done.",
  shortSummary: "Done.",
  restored: [],
  files: { read: [], modified: [] },
  itemsReplaced: 4,
  tokensBefore: 1_000,
  tokensAfter: 100,
  boundary: {},
  model: "m/small",
  ...paid,
};

test("summaries, titles and failed summaries are paid for beside the steps, and are in the sum", async () => {
  const failure = { code: "server_error", message: "", retryable: true } as const;
  const report = await explain(
    ...[start(1), end(1), compacted],
    { type: "compaction.failed", trigger: "manual", failure, ...paid },
    { type: "session.updated", title: "A title", titleSource: "model", ...paid },
    { type: "session.updated", title: "Mine", titleSource: "user" },
    { type: "message.added", messageId: "msg_1", kind: "branch-summary", text: "It went.", ...paid },
    ...[start(2), end(2)],
  );
  expect(report.beside).toEqual([
    { kind: "compaction", model: "m/small", time: 1_002, ...paid },
    { kind: "compaction", time: 1_003, ...paid },
    { kind: "title", time: 1_004, ...paid },
    { kind: "branch-summary", time: 1_006, ...paid },
  ]);
  expect(report.cost).toEqual({ usd: expect.closeTo(2.02, 9), estimated: false });
  expect(report.usage).toMatchObject({ input: 2_200, output: 180 });
  expect(report.rows.map((row) => row.causes)).toEqual([["first request"], ["the conversation was compacted"]]);
});

test("results that were taken out explain the next request, and so does a summary within the run only once", async () => {
  const cleared: Fact = { type: "context.cleared", reason: "size", results: [], tokensFreed: 1_200 };
  expect(await causes(start(1), end(1), cleared, start(2), end(2), start(3), end(3))).toEqual([
    ["first request"],
    ["cleared old results (the conversation had grown too large): 1,200 tokens freed"],
    [],
  ]);
  const useless: Fact = { ...cleared, reason: "useless", resentTokens: 3_400 };
  expect(await causes(start(1), end(1), useless, { ...cleared, reason: "superseded" }, start(2), end(2))).toEqual([
    ["first request"],
    [
      "cleared old results (they were empty; later results supersede them): 2,400 tokens freed, 3,400 tokens after them sent again",
    ],
  ]);
  expect(await causes(start(1), end(1), compacted, start(2), end(2), runEnd("context_compacted"))).toEqual([
    ["first request"],
    ["the conversation was compacted"],
  ]);
});
