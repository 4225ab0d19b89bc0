import { noUsage } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { createWrittenSession, rows, testModel, text, type WrittenSession } from "../../test/written-session.ts";
import { clearedText, uneventfulText } from "./clear-results.ts";
import { type CompactionSettings, defaultCompaction } from "./settings.ts";
import { createWindowPlanner, type WindowInput } from "./window-plan.ts";

const hourMs = 3_600_000;

function planOf(session: WrittenSession, given: Partial<WindowInput> = {}) {
  const input = { model: testModel, settings: defaultCompaction, fixedTokens: 0, nowMs: 0 };
  return createWindowPlanner().plan({ ...input, state: session.state, ...given });
}

const settings = (given: Partial<CompactionSettings>): CompactionSettings => ({ ...defaultCompaction, ...given });

/** Seven results of 1,000 tokens, and what the vendor counted for all of it. */
function written(reportedTokens: number): WrittenSession {
  const session = createWrittenSession();
  for (let index = 0; index < 7; index += 1) {
    session.step({ prompts: index === 0 ? ["Go"] : [], calls: [{ tool: "bash", output: text(1_000) }] });
  }
  session.step({ blocks: [{ type: "text", text: "Done." }], reportedTokens });
  return session;
}

const firstTwo = [1, 2].map((number) => ({ stepId: `stp_${number}`, callId: `call_${number}`, text: clearedText }));

test("a conversation that fits is left alone", () => {
  expect(planOf(written(100_000))).toEqual({
    clears: [],
    size: { tokens: 100_000, isMeasured: true, parts: { reported: 100_000, fixed: 0, estimated: 0 } },
    tokensAfter: 100_000,
    thresholds: { overflowAt: 180_000, compactAt: 167_000 },
    verdict: "fits",
  });
});

describe("the verdict", () => {
  test.each([
    ["below the threshold", 166_999, {}, "fits"],
    ["at the threshold, and clearing is enough", 167_000, {}, "fits"],
    ["above the threshold by more than clearing gains", 169_000, {}, "compact"],
    ["what must not be sent", 182_000, {}, "overflow"],
    ["above it without a strategy", 169_000, { strategy: "off" }, "fits"],
    ["what must not be sent, without a strategy", 182_000, { strategy: "off" }, "overflow"],
    ["above it with nothing done by itself", 169_000, { enabled: false }, "fits"],
    ["what must not be sent, with nothing done by itself", 180_000, { enabled: false }, "overflow"],
  ] as const)("%s", (_, reported, given, verdict) => {
    expect(planOf(written(reported), { settings: settings(given) }).verdict).toBe(verdict);
  });
});

test("at the threshold old results are cleared, and what they freed is taken off what was reported", () => {
  const plan = planOf(written(167_500));
  expect(plan.clears).toEqual([
    { type: "context.cleared", reason: "size", results: firstTwo, tokensFreed: 1_983, resentTokens: 5_026 },
  ]);
  expect([plan.tokensAfter, plan.verdict]).toEqual([165_517, "fits"]);
});

test("results are pruned only when clearing the ones that can be had again was not enough", () => {
  const session = createWrittenSession();
  for (let turn = 0; turn < 4; turn += 1) {
    session.step({ prompts: ["Go"], calls: [{ tool: "mcp_query", output: text(45_000) }] });
  }
  for (let index = 0; index < 6; index += 1) session.step({ calls: [{ tool: "bash", output: text(3_000) }] });
  session.step({ blocks: [{ type: "text", text: "Done." }], reportedTokens: 169_000 });
  const cleared = (plan: ReturnType<typeof planOf>) =>
    plan.clears.map(({ reason, results }) => [reason, ...results.map(({ callId }) => callId)]);
  const enough = planOf(session);
  expect([cleared(enough), enough.verdict]).toEqual([[["size", "call_5"]], "fits"]);
  session.step({ blocks: [{ type: "text", text: "Done." }], reportedTokens: 171_000 });
  const more = planOf(session);
  expect([cleared(more), more.verdict]).toEqual([
    [
      ["size", "call_5"],
      ["size", "call_1", "call_2"],
    ],
    "fits",
  ]);
});

describe("an expired cache", () => {
  test.each([
    ["is not sure within an hour", { nowMs: hourMs }, []],
    ["is sure after an hour", { nowMs: hourMs + 1 }, firstTwo],
    ["is sure after the time that the vendor keeps it", { nowMs: 300_001, cacheMs: 300_000 }, firstTwo],
    [
      "clears nothing when nothing is done by itself",
      { nowMs: hourMs + 1, settings: settings({ enabled: false }) },
      [],
    ],
  ])("%s", (_, given, results) => {
    expect(planOf(written(10_000), given).clears.flatMap((fact) => fact.results)).toEqual(results);
  });

  test("counts from the last answer", () => {
    const session = written(10_000);
    session.at(hourMs);
    session.step({ blocks: [{ type: "text", text: "Yes." }] });
    expect(planOf(session, { nowMs: hourMs + hourMs }).clears).toEqual([]);
    expect(planOf(session, { nowMs: hourMs + hourMs + 1 }).clears.map(({ reason }) => reason)).toEqual([
      "cache-expired",
    ]);
  });
});

test("a useless result goes when the cache has expired, and is not cleared a second time by what follows", () => {
  const session = createWrittenSession();
  const output = text(100);
  session.step({ prompts: ["Go"], calls: [{ tool: "grep", output, useless: true }] });
  for (let index = 0; index < 6; index += 1) session.step({ calls: [{ tool: "bash", output }] });
  expect(planOf(session, { nowMs: hourMs + 1 }).clears).toEqual([
    {
      type: "context.cleared",
      reason: "useless",
      results: [{ stepId: "stp_1", callId: "call_1", text: uneventfulText }],
      tokensFreed: 93,
    },
    {
      type: "context.cleared",
      reason: "cache-expired",
      results: [{ stepId: "stp_2", callId: "call_2", text: clearedText }],
      tokensFreed: 91,
    },
  ]);
  expect(planOf(session, { settings: settings({ dropUseless: false }) }).clears).toEqual([]);
});

test("a useless result goes in the same batch as what the size demands", () => {
  const session = createWrittenSession();
  const useless = { tool: "grep", output: "No file has a line that matches this pattern.", useless: true } as const;
  session.step({ prompts: ["Go"], calls: [useless] });
  for (const tokens of [5_000, 1_000, 1_000, 1_000, 1_000, 1_000]) {
    session.step({ calls: [{ tool: "bash", output: text(tokens) }] });
  }
  session.step({ blocks: [{ type: "text", text: "Done." }], reportedTokens: 167_000 });
  expect(planOf(session).clears.map(({ reason, results }) => [reason, ...results.map(({ callId }) => callId)])).toEqual(
    [
      ["useless", "call_1"],
      ["size", "call_2"],
    ],
  );
});

describe("inside a run nothing that was shown is changed", () => {
  const read = (output: string) => ({ tool: "read", input: { filePath: "a.ts" }, output });

  /** The same file again and again, with little behind each. */
  function rereading(times: number): WrittenSession {
    const session = createWrittenSession();
    for (let index = 0; index < times; index += 1) {
      session.step({ prompts: index === 0 ? ["Go"] : [], calls: [read(rows(1, 200))] });
    }
    return session;
  }

  test("however often a file is read again", () => {
    const session = createWrittenSession();
    const planner = createWindowPlanner();
    const input = { model: testModel, settings: defaultCompaction, fixedTokens: 0, nowMs: 0 };
    for (let index = 0; index < 40; index += 1) {
      session.step({ prompts: index === 0 ? ["Go"] : [], calls: [read(rows(1, 200))] });
      expect(planner.plan({ ...input, state: session.state }).clears).toEqual([]);
    }
  });

  test("and before the next one in one batch, with what is sent again", () => {
    const session = rereading(40);
    session.answer();
    session.endRun();
    session.admit("More");
    const [fact, ...others] = planOf(session).clears;
    expect([fact?.reason, fact?.results.length, others]).toEqual(["superseded", 39, []]);
    expect([fact?.tokensFreed, fact?.resentTokens]).toEqual([22_912, 1_141]);
  });

  test("and not before the next one where more is sent again than is saved", () => {
    const session = rereading(2);
    session.step({ blocks: [{ type: "text", text: text(30_000) }] });
    session.endRun();
    expect(planOf(session).clears).toEqual([]);
    expect(planOf(session, { nowMs: hourMs + 1 }).clears.map(({ reason }) => reason)).toEqual(["superseded"]);
  });

  test("but for a conversation that has grown too large", () => {
    const session = rereading(7);
    session.answer(167_000);
    expect(planOf(session).clears.map(({ reason, results }) => [reason, results.length])).toEqual([["superseded", 6]]);
  });
});

test("a read before an edit goes with the first step of the next run", () => {
  const session = createWrittenSession();
  session.step({
    prompts: ["Go"],
    calls: [
      { tool: "read", input: { filePath: "a.ts" }, output: text(100) },
      { tool: "edit", input: { filePath: "a.ts" } },
    ],
  });
  session.answer();
  expect(planOf(session).clears).toEqual([]);
  session.endRun();
  session.admit("More");
  expect(planOf(session).clears.map(({ reason }) => reason)).toEqual(["superseded"]);
});

test("what the vendor rejected fills the window, whatever was counted", () => {
  const plan = planOf(written(100_000), { isRejected: true });
  expect([plan.size.tokens, plan.tokensAfter, plan.verdict]).toEqual([100_000, 198_017, "overflow"]);
  expect(plan.clears.map(({ reason }) => reason)).toEqual(["size"]);
});

test("a threshold for tests comes before the settings", () => {
  expect(planOf(written(20_000), { thresholdPercent: 5 }).verdict).toBe("compact");
});

describe("what was counted goes on to count after results were cleared", () => {
  /** The vendor counted far less than an estimate comes to, and one result was cleared. */
  function cleared() {
    const session = createWrittenSession();
    session.step({ prompts: [text(150_000)], calls: [{ tool: "grep", output: text(100), useless: true }] });
    session.answer(100_000);
    session.endRun();
    const planner = createWindowPlanner();
    const plan = (given: Partial<WindowInput> = {}) =>
      planner.plan({
        model: testModel,
        settings: defaultCompaction,
        fixedTokens: 0,
        nowMs: 0,
        state: session.state,
        ...given,
      });
    const first = plan();
    for (const fact of first.clears) session.emit(fact);
    return { session, plan, first };
  }
  const sizeOf = ({ size, verdict }: ReturnType<typeof planOf>) => [size.tokens, size.isMeasured, verdict];

  test("with what was said since then", () => {
    const { session, plan, first } = cleared();
    expect([first.tokensAfter, first.verdict]).toEqual([99_907, "fits"]);
    expect(sizeOf(plan())).toEqual([99_907, true, "fits"]);
    session.admit(text(300));
    expect(sizeOf(plan())).toEqual([100_307, true, "fits"]);
  });

  test("without what else was taken out", () => {
    const session = createWrittenSession();
    session.step({
      calls: [
        { tool: "grep", output: text(100), useless: true },
        { tool: "mcp_query", output: text(7_508) },
      ],
    });
    session.answer(100_000);
    const planner = createWindowPlanner();
    const nowMs = hourMs + 1;
    const input = { model: testModel, settings: defaultCompaction, fixedTokens: 0, nowMs, state: session.state };
    const { clears, tokensAfter } = planner.plan(input);
    for (const fact of clears) session.emit(fact);
    const results = [{ stepId: "stp_1", callId: "call_2", text: text(8) }];
    session.emit({ type: "context.cleared", reason: "shaken", results, tokensFreed: 7_500 });
    expect(tokensAfter - planner.plan(input).size.tokens).toBe(7_500);
  });

  test.each<readonly [string, (session: WrittenSession) => Partial<WindowInput>]>([
    ["another model is asked", () => ({ model: { ...testModel, ref: "mock/other" } })],
    [
      "a summary stands for it",
      (session) => {
        session.emit({
          type: "context.compacted",
          compactionId: "cmp_1",
          trigger: "manual",
          strategy: "summary",
          summary: "s",
          shortSummary: "s",
          restored: [],
          firstKeptId: "prm_1",
          files: { read: [], modified: [] },
          itemsReplaced: 0,
          tokensBefore: 0,
          tokensAfter: 0,
          boundary: {},
          usage: noUsage,
          cost: { usd: 0, estimated: false },
        });
        return {};
      },
    ],
  ])("but not when %s", (_, change) => {
    const { session, plan } = cleared();
    const { size, verdict } = plan(change(session));
    expect([size.isMeasured, size.tokens > 200_000, verdict]).toEqual([false, true, "overflow"]);
  });

  test("but not when the next answer was counted", () => {
    const { session, plan } = cleared();
    session.step({ blocks: [{ type: "text", text: "Yes." }], reportedTokens: 90_000 });
    expect(sizeOf(plan())).toEqual([90_000, true, "fits"]);
  });
});
