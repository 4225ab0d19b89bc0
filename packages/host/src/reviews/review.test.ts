/** Reviews with scripted agents and a clock of our own: merging, judging, time limit, estimates and the data files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentOrder, emptySession, type Json, noUsage } from "@kedge/protocol";
import { expect, test } from "vitest";
import { estimateUsd } from "./estimate-cost.ts";
import { type Finding, mergeFindings, readFindings } from "./finding.ts";
import { reviewReport } from "./review-report.ts";
import { runReview } from "./run-review.ts";

const finding = (file: string, line: number, category: string, more: object = {}) => ({
  ...{ file, line, category, severity: "medium", scenario: "It breaks.", fix: "Do not.", ...more },
});

type Script = (order: AgentOrder, signal: AbortSignal) => Promise<Json | undefined>;

/** Ends as cancelled once the signal is aborted, like a real agent. */
function runsOf(script: Script) {
  const started: AgentOrder[] = [];
  return {
    started,
    runs: {
      async start(order: AgentOrder, _: object, signal: AbortSignal) {
        started.push(order);
        const aborted = new Promise<undefined>((resolve) =>
          signal.addEventListener("abort", () => resolve(undefined), { once: true }),
        );
        const ended = Promise.race([script(order, signal), aborted]).then((structured) => ({
          ...{
            agentId: "a",
            result: "",
            usage: noUsage,
            cost: { usd: 0.5, estimated: false },
            turns: 1,
            durationMs: 1,
          },
          ...(structured === undefined
            ? { status: "cancelled" as const, why: "It was canceled." }
            : { status: "completed" as const, structured }),
        }));
        return { ok: true as const, value: { agentId: "a", ended } };
      },
    },
  };
}

/** Timers that fire when the test says so. */
function handClock() {
  const waiting: { readonly work: () => void; readonly delayMs: number }[] = [];
  return {
    startTimer(work: () => void, delayMs: number) {
      const timer = { work, delayMs };
      waiting.push(timer);
      return () => void waiting.splice(waiting.indexOf(timer), 1);
    },
    passed(ms: number) {
      for (const { work, delayMs } of [...waiting]) if (delayMs <= ms) work();
    },
    left: () => waiting.length,
  };
}

const finders = ["correctness", "security", "tests"].map((lens) => ({ lens, agent: "reviewer", prompt: lens }));
const order = {
  ...{ sessionId: "ses_1", finders, timeLimitMs: 1000 },
  filterPrompt: ({ file, line }: Finding) => `${file}:${line}`,
};

test("candidates of all lenses are merged, each is judged once, and only sure ones are kept", async () => {
  const { runs, started } = runsOf(async ({ agent, prompt }) => {
    if (agent === "fp-filter") return { confidence: prompt.startsWith("b.ts") ? 7 : 8, reason: "Seen." };
    if (prompt === "correctness")
      return { findings: [finding("a.ts", 3, "bounds", { endLine: 9 }), finding("b.ts", 1, "x")] };
    if (prompt === "security") return { findings: [finding("./a.ts", 8, "Bounds", { severity: "high", endLine: 12 })] };
    return { findings: [finding("a.ts", 30, "bounds"), { file: "broken" }] };
  });
  const clock = handClock();
  const result = await runReview(order, { runs, startTimer: clock.startTimer });
  expect(started.map(({ agent }) => agent).filter((agent) => agent === "fp-filter")).toHaveLength(3);
  expect(started.every(({ isQuiet }) => isQuiet)).toBe(true);
  expect(
    result.findings.map(({ file, line, endLine, severity, lenses }) => [file, line, endLine, severity, lenses]),
  ).toEqual([
    ["a.ts", 3, 12, "high", ["correctness", "security"]],
    ["a.ts", 30, 30, "medium", ["tests"]],
  ]);
  expect(result).toMatchObject({ candidates: 3, dropped: 1, unjudged: [], failed: [], isPartial: false, usd: 3 });
  expect(clock.left()).toBe(0);
  const report = reviewReport("Fleet review", result);
  expect(report).toContain("3 candidates, 2 confirmed, 1 dropped, cost $3.0000.");
  expect(report).toContain("## 1. a.ts:3-12 high, bounds");
  expect(report).toContain("- Found by: correctness, security");
});

test("when the time is over there is a partial result: slow finders are named, what nobody judged is listed", async () => {
  const never = new Promise<undefined>(() => {});
  const clock = handClock();
  const { runs } = runsOf(async ({ agent, prompt }) => {
    if (agent === "fp-filter") {
      if (prompt === "a.ts:1") return { confidence: 9, reason: "Sure." };
      queueMicrotask(() => clock.passed(1000));
      return never;
    }
    if (prompt === "correctness") return { findings: [finding("a.ts", 1, "x"), finding("b.ts", 2, "y")] };
    if (prompt === "tests") queueMicrotask(() => clock.passed(800));
    return prompt === "security" ? { findings: [] } : never;
  });
  const result = await runReview(order, { runs, startTimer: clock.startTimer });
  expect(result.findings.map(({ file }) => file)).toEqual(["a.ts"]);
  expect(result.unjudged.map(({ file }) => file)).toEqual(["b.ts"]);
  expect(result.failed).toEqual([{ lens: "tests", why: "It was canceled." }]);
  const report = reviewReport("Fleet review", result);
  expect(report).toContain("**Partial result:**");
  expect(report).toContain("## Not judged\n- b.ts:2 medium, y: It breaks.");
  expect(report).toContain("## Not finished\n- tests: It was canceled.");
});

test("a review that is stopped ends at once", async () => {
  const stop = new AbortController();
  const { runs, started } = runsOf(async () => {
    queueMicrotask(() => stop.abort());
    return new Promise<undefined>(() => {});
  });
  const result = await runReview({ ...order, signal: stop.signal }, { runs, startTimer: handClock().startTimer });
  expect(result).toMatchObject({ findings: [], isPartial: true });
  expect(started).toHaveLength(3);
});

test("what a model returns in another form is no finding", () => {
  expect(readFindings("none", "x")).toEqual([]);
  expect(readFindings({ findings: [1, {}, finding("a", 1, "c", { severity: "fatal" })] }, "x")).toEqual([]);
  const [read] = readFindings({ findings: [finding("a", 5, "c", { endLine: 2 })] }, "x");
  expect(read).toMatchObject({ line: 5, endLine: 5, lenses: ["x"] });
  const apart = readFindings({ findings: [finding("a", 1, "c"), finding("a", 2, "c"), finding("b", 1, "c")] }, "x");
  expect(mergeFindings(apart)).toHaveLength(3);
});

test("the cost is estimated by earlier reviewers, then by the size of the change, or not at all", () => {
  const state = emptySession("ses_1");
  const order = { agents: 12, diffCharacters: 400_000, prices: undefined };
  expect(estimateUsd(state, order)).toBeUndefined();
  expect(estimateUsd(state, { ...order, prices: { input: 3, output: 15 } })).toBeCloseTo(25.2);
  expect(estimateUsd({ ...state, turns: 4, cost: { usd: 0.4, estimated: false } }, order)).toBeCloseTo(8.4);
});

test("exclusions and precedents are data, and enough of them", () => {
  const data = JSON.parse(readFileSync(join(import.meta.dirname, "data", "security.json"), "utf8"));
  expect(new Set(data.exclusions).size).toBeGreaterThanOrEqual(18);
  expect(new Set(data.precedents).size).toBeGreaterThanOrEqual(12);
  const all = data.exclusions.join("\n");
  for (const word of [
    "Denial of service",
    "Log spoofing",
    "Regex injection",
    "Race conditions",
    "Outdated",
    "Memory safety",
    "tests",
    "only the path",
  ])
    expect(all).toContain(word);
});
