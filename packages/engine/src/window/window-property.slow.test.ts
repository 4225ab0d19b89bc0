/** Random conversations: whatever is cleared, nothing protected goes, pairs stay, and a second look finds nothing. */
import { type ConversationItem, type SessionState, toolCalls } from "@kedge/protocol";
import { createSeededRandom, type SeededRandom } from "@kedge/testing";
import { beforeEach, expect, test } from "vitest";
import {
  createWrittenSession,
  rows,
  testModel,
  text,
  type WrittenCall,
  type WrittenSession,
} from "../../test/written-session.ts";
import { planMicrocompact, planPrune } from "./clear-results.ts";
import { tokensOfItem, tokensOfResult } from "./estimate-tokens.ts";
import { createResultIndex, isIdle } from "./result-index.ts";
import { defaultCompaction } from "./settings.ts";
import { planShake } from "./shake.ts";
import { createWindowPlanner, type WindowInput, type WindowPlanner } from "./window-plan.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));
const conversations = 60;
const tools = ["read", "bash", "grep", "edit", "write", "skill", "mcp_query"];
const paths = ["a.ts", "b.ts", ".kedge/plans/p.md"];
const media = [{ name: "a.png", mediaType: "image/png", base64: "AAAA" }];

function oneOf<Item>(random: SeededRandom, items: readonly Item[]): Item {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new Error("nothing to choose from");
  return item;
}

function randomCall(): WrittenCall {
  const tool = oneOf(random, tools);
  const output =
    random.below(3) === 0 ? rows(1, 1 + random.below(400)) : text(random.below(random.below(5) === 0 ? 40_000 : 9_000));
  return {
    tool,
    input: { filePath: oneOf(random, paths) },
    output,
    ...(random.below(8) === 0 && { outcome: "failed" as const }),
    ...(random.below(6) === 0 && { useless: true as const }),
    ...(random.below(9) === 0 && { media }),
  };
}

function addRandomStep(session: WrittenSession, { isReported = random.below(3) > 0 } = {}): void {
  session.step({
    ...(random.below(4) === 0 && { prompts: ["Go on"] }),
    blocks: [{ type: "text", text: text(random.below(500)) }],
    calls: Array.from({ length: random.below(4) }, randomCall),
    reportedTokens: isReported ? 20_000 + random.below(170_000) : 0,
  });
  if (random.below(6) === 0) session.endRun();
}

type Shown = {
  readonly key: string;
  readonly result: Extract<ConversationItem, { type: "results" }>["results"][number];
};

function resultsOf({ items }: SessionState): readonly Shown[] {
  return items.flatMap((item) =>
    item.type === "results" ? item.results.map((result) => ({ key: `${item.stepId} ${result.callId}`, result })) : [],
  );
}

function callIds({ items }: SessionState): readonly string[] {
  return items.flatMap((item) => (item.type === "answer" ? toolCalls(item.content).map(({ callId }) => callId) : []));
}

/** The calls that read or change a plan. */
function planCalls({ items }: SessionState): ReadonlySet<string> {
  const calls = items.flatMap((item) => (item.type === "answer" ? toolCalls(item.content) : []));
  const isPlan = ({ tool, inputText }: (typeof calls)[number]) =>
    ["read", "edit", "write"].includes(tool) && inputText.includes(".kedge/plans/");
  return new Set(calls.filter(isPlan).map(({ callId }) => callId));
}

const estimated = ({ items }: SessionState) => items.reduce((sum, item) => sum + tokensOfItem(item), 0);

/** Plans once, applies everything through the fold, and checks what must hold after every plan. */
function checkPlan(
  session: WrittenSession,
  planner: WindowPlanner,
  given: Pick<WindowInput, "nowMs" | "isRejected">,
): void {
  const { state } = session;
  const input = { state, model: testModel, settings: defaultCompaction, fixedTokens: 500, ...given };
  const before = resultsOf(state);
  const tokensBefore = estimated(state);
  const callsBefore = callIds(state);
  const plan = planner.plan(input);
  const cleared = plan.clears.flatMap((fact) => fact.results.map(({ stepId, callId }) => `${stepId} ${callId}`));
  expect(new Set(cleared).size).toBe(cleared.length);
  const plans = planCalls(state);
  const last = state.items.at(-1);
  const unseen = last?.type === "results" ? last.stepId : "none";
  expect(cleared.filter((key) => key.startsWith(`${unseen} `))).toEqual([]);
  for (const { key, result } of before.filter(({ key }) => cleared.includes(key))) {
    const { tool, outcome, callId } = result;
    expect([key, result.cleared, outcome, tool === "skill", plans.has(callId)]).toEqual([
      key,
      undefined,
      "completed",
      false,
      false,
    ]);
  }
  for (const fact of plan.clears) session.emit(fact);
  const freed = plan.clears.reduce((sum, { tokensFreed }) => sum + tokensFreed, 0);
  expect(tokensBefore - estimated(state)).toBeGreaterThanOrEqual(freed);
  expect(callIds(state)).toEqual(callsBefore);
  expect(resultsOf(state).map(({ key }) => key)).toEqual(before.map(({ key }) => key));
  expect(
    resultsOf(state)
      .filter(({ result }) => result.cleared !== undefined)
      .map(({ key }) => key),
  ).toEqual(
    before.filter(({ key, result }) => result.cleared !== undefined || cleared.includes(key)).map(({ key }) => key),
  );
  expect(resultsOf(state).every(({ result }) => result.cleared === undefined || result.media === undefined)).toBe(true);
  expect(plan.tokensAfter).toBeLessThanOrEqual(
    Math.max(plan.size.tokens, given.isRejected ? testModel.contextTokens : 0),
  );
}

test("clearing keeps its promises", () => {
  for (let count = 0; count < conversations; count += 1) {
    const session = createWrittenSession();
    const planner = createWindowPlanner();
    for (let step = 0; step < 25; step += 1) {
      addRandomStep(session);
      const isExpired = random.below(6) === 0;
      checkPlan(session, planner, { nowMs: isExpired ? 4_000_000 : 0, isRejected: random.below(10) === 0 });
    }
  }
});

test("the newest five stay, and the newest 40,000 tokens and two turns", () => {
  const repeatable = ["read", "bash", "grep", "edit", "write"];
  let [microcompacts, prunes] = [0, 0];
  for (let count = 0; count < conversations; count += 1) {
    const session = createWrittenSession();
    for (let step = 0; step < 25; step += 1) addRandomStep(session);
    const { items } = session.state;
    const index = createResultIndex()(session.state);
    const shown = resultsOf(session.state);

    const microcompact = planMicrocompact(index.results, "size");
    const newestFive = shown.filter(({ result }) => repeatable.includes(result.tool)).slice(-5);
    const fiveIds = new Set(newestFive.map(({ result }) => result.callId));
    expect(microcompact?.results.filter(({ callId }) => fiveIds.has(callId)) ?? []).toEqual([]);
    if (microcompact !== undefined) microcompacts += 1;

    const prune = planPrune(index);
    if (prune === undefined) continue;
    prunes += 1;
    expect(prune.tokensFreed).toBeGreaterThanOrEqual(20_000);
    const turnStarts = items.flatMap((item, at) => (item.type === "prompt" ? [at] : []));
    const protectedFrom = turnStarts.at(-2) ?? 0;
    const idle = new Set(index.results.filter(isIdle).map(({ result }) => result.callId));
    for (const { callId, stepId } of prune.results) {
      if (idle.has(callId)) continue;
      const at = shown.findIndex(({ result }) => result.callId === callId);
      const newer = shown.slice(at + 1).reduce((sum, { result }) => sum + tokensOfResult(result), 0);
      const place = items.findIndex((item) => item.type === "results" && item.stepId === stepId);
      expect([callId, newer >= 40_000, place < protectedFrom]).toEqual([callId, true, true]);
    }
  }
  expect([microcompacts > 0, prunes > 0]).toEqual([true, true]);
});

const roundingTokensMax = 10;

test("a second look right after finds nothing to clear and the same size", () => {
  for (let count = 0; count < conversations; count += 1) {
    const session = createWrittenSession();
    const planner = createWindowPlanner();
    for (let step = 0; step < 25; step += 1) {
      addRandomStep(session);
      if (random.below(3) === 0) session.admit(text(random.below(300)));
      const nowMs = random.below(6) === 0 ? 4_000_000 : 0;
      const input = { state: session.state, model: testModel, settings: defaultCompaction, fixedTokens: 500, nowMs };
      const first = planner.plan(input);
      for (const fact of first.clears) session.emit(fact);
      const second = planner.plan(input);
      expect([second.clears, second.verdict]).toEqual([[], first.verdict]);
      // Where an answer has more results than are shown, what is cleared makes room for others, to the letter or nearly.
      expect(Math.abs(second.tokensAfter - first.tokensAfter)).toBeLessThanOrEqual(roundingTokensMax);
    }
  }
});

test("all that can go goes at once when it is needed", () => {
  for (let count = 0; count < conversations; count += 1) {
    const session = createWrittenSession();
    for (let step = 0; step < 25; step += 1) addRandomStep(session);
    // Without a report everything is estimated, so that what is freed and what is there are of one measure.
    addRandomStep(session, { isReported: false });
    const input = { state: session.state, model: testModel, settings: defaultCompaction, fixedTokens: 500 };
    const worst = { ...input, nowMs: 4_000_000, thresholdPercent: 0.001 };
    for (const fact of createWindowPlanner().plan(worst).clears) session.emit(fact);
    expect(createWindowPlanner().plan(worst).clears).toEqual([]);
  }
});

test("one that grew with its session knows what a new one finds", () => {
  for (let count = 0; count < conversations; count += 1) {
    const session = createWrittenSession();
    const planner = createWindowPlanner();
    for (let step = 0; step < 25; step += 1) {
      // A new one knows nothing of counts before it, so each step brings one.
      addRandomStep(session, { isReported: true });
      const input = { state: session.state, model: testModel, settings: defaultCompaction, fixedTokens: 500, nowMs: 0 };
      const plan = planner.plan(input);
      expect(plan).toEqual(createWindowPlanner().plan(input));
      if (random.below(2) === 0) for (const fact of plan.clears) session.emit(fact);
    }
  }
});

test("what is shaken out can be found again", async () => {
  for (let count = 0; count < conversations; count += 1) {
    const session = createWrittenSession();
    for (let step = 0; step < 15; step += 1) addRandomStep(session);
    const before = new Map(resultsOf(session.state).map(({ key, result }) => [key, result]));
    const tokensBefore = estimated(session.state);
    const saved: string[] = [];
    const fact = await planShake(session.state, { mode: "automatic", save: async (output) => saved.push(output) - 1 });
    if (fact === undefined) {
      expect(saved).toEqual([]);
      continue;
    }
    session.emit(fact);
    expect(tokensBefore - estimated(session.state)).toBeGreaterThanOrEqual(fact.tokensFreed);
    for (const { stepId, callId, text: line } of fact.results) {
      const result = before.get(`${stepId} ${callId}`);
      const number = /artifact:\/\/(\d+)/.exec(line)?.[1];
      expect(result?.tool).not.toBe("skill");
      expect(result !== undefined && tokensOfResult(result) >= 400).toBe(true);
      if (number !== undefined) expect(saved[Number(number)]).toBe(result?.output);
      else expect(line.startsWith(result?.output ?? "none")).toBe(true);
    }
  }
});
