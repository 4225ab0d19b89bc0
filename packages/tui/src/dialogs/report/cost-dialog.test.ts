/** The cost of a session: filled, with agents and limits, empty, loading and at 60 columns. */
import { expect, test } from "vitest";
import { noon, theme } from "../../../test/picker-samples.ts";
import { insideOf, screenOf } from "../../../test/press.ts";
import { createCostDialog, type SessionCost } from "./cost-dialog.ts";

const usage = { input: 12_345, output: 3_210, reasoning: 400, cacheRead: 250_000, cacheWrite: 20_000, webSearches: 2 };
const plain = { input: 500, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const cost: SessionCost = {
  total: { usd: 1.2, estimated: true },
  usage,
  turns: 12,
  apiMs: 184_000,
  toolMs: 42_500,
  lines: { added: 120, removed: 34 },
  budgets: [
    { window: "session", usdMax: 5, usd: 1.6 },
    { window: "day", usdMax: 10, usd: 8.25, resetsAt: noon },
    { window: "month", usdMax: 100, usd: 100.04, resetsAt: noon },
  ],
  children: { sessions: 2, usage: plain, cost: { usd: 0.4, estimated: false } },
  byModel: {
    "local/qwen 漢字": { usage: plain, cost: { usd: 0, estimated: true } },
    "anthropic/sonnet": { usage, cost: { usd: 1.2, estimated: false } },
  },
};

test("cost: total and per model, a model without a price costs unknown", () => {
  expect(screenOf(createCostDialog({ cost: () => cost, theme }))).toMatchInlineSnapshot(`
    "
    ╭─ Cost ───────────────────────────────────────────────────────────────────────╮
    │ Total                                            $1.20 + unknown in 12 turns │
    │ input 12k · output 3.2k · thinking 400 · cache read 250k · cache write 20k · │
    │ searches 2                                                                   │
    │ API time 3 m 4 s · tool time 42 s · +120 -34 lines                           │
    │                                                                              │
    │ Limits                                                                       │
    │ This session                                      $1.60 of $5.00, $3.40 left │
    │ ████████████████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ │
    │ Today                                            $8.25 of $10.00, $1.75 left │
    │ ███████████████████████████████████████████████████████████████░░░░░░░░░░░░░ │
    │ This month                                       $100.04 of $100.00, $0 left │
    │ ████████████████████████████████████████████████████████████████████████████ │
    │ The cost of a request is known only afterwards, so one request can exceed a  │
    │ limit.                                                                       │
    │                                                                              │
    │ anthropic/sonnet                                                 $1.20 100 % │
    │ ████████████████████████████████████████████████████████████████████████████ │
    │ input 12k · output 3.2k · thinking 400 · cache read 250k · cache write 20k · │
    │ searches 2                                                                   │
    │ lines 1-19 of 28, page keys scroll                                           │
    │                                                                              │
    │ up/down scroll · esc close                                                   │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  expect(screenOf(createCostDialog({ cost: () => cost, theme }), { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Cost ───────────────────────────────────────────────────╮
    │ Total                        $1.20 + unknown in 12 turns │
    │ input 12k · output 3.2k · thinking 400 · cache read 250k │
    │ · cache write 20k · searches 2                           │
    │ API time 3 m 4 s · tool time 42 s · +120 -34 lines       │
    │                                                          │
    │ Limits                                                   │
    │ This session                  $1.60 of $5.00, $3.40 left │
    │ ██████████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ │
    │ Today                        $8.25 of $10.00, $1.75 left │
    │ ██████████████████████████████████████████████░░░░░░░░░░ │
    │ This month                   $100.04 of $100.00, $0 left │
    │ ████████████████████████████████████████████████████████ │
    │ The cost of a request is known only afterwards, so one   │
    │ request can exceed a limit.                              │
    │                                                          │
    │ anthropic/sonnet                             $1.20 100 % │
    │ ████████████████████████████████████████████████████████ │
    │ input 12k · output 3.2k · thinking 400 · cache read 250k │
    │ · cache write 20k · searches 2                           │
    │ lines 1-19 of 28, page keys scroll                       │
    │                                                          │
    │ up/down scroll · esc close                               │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("cost: nothing spent, nothing priced, loading and failed", () => {
  const nothingDone = { turns: 0, apiMs: 0, toolMs: 0, lines: { added: 0, removed: 0 } };
  const none: SessionCost = { total: { usd: 0, estimated: false }, usage: plain, ...nothingDone, byModel: {} };
  const free: SessionCost = { ...none, turns: 1, byModel: { "local/qwen": { usage: plain, cost: none.total } } };
  const inside = (value: SessionCost | undefined, problem?: string) =>
    insideOf(createCostDialog({ cost: () => value, problem: () => problem, theme }), { width: 40 });
  expect(inside(none)[0]).toBe("No cost yet.");
  expect(inside(free).slice(0, 6)).toEqual([
    "Total                       $0 in 1 turn",
    "input 500 · output 20 · cache read 0 ·",
    "cache write 0",
    "API time 0 s · tool time 0 s · +0 -0",
    "lines",
    "",
  ]);
  expect(inside(undefined)[0]).toBe("Calculating cost…");
  expect(inside(undefined, "No such session.")[0]).toBe("No such session.");
});
