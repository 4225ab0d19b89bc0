/** What is counted: context and statistics, empty, filled, loading and at 60 columns. */
import { stripTerminalControls, type UsageSummary } from "@kedge/protocol";
import { expect, test } from "vitest";
import { dayMs, noon, summary, theme } from "../../../test/picker-samples.ts";
import { insideOf, screenOf } from "../../../test/press.ts";
import { type ContextInspected, createContextDialog } from "./context-dialog.ts";
import { createStatsDialog, type Stats } from "./stats-dialog.ts";

const usage = { input: 12_345, output: 3_210, reasoning: 400, cacheRead: 250_000, cacheWrite: 20_000, webSearches: 2 };
const plain = { input: 500, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

const context: ContextInspected = {
  model: "anthropic/sonnet",
  windowTokens: 200_000,
  tokens: 84_000,
  isMeasured: true,
  compactAt: 160_000,
  overflowAt: 190_000,
  tools: [],
  sources: [{ name: "base prompt", kind: "policy", place: "prefix", origin: "anthropic", tokens: 3_100 }],
  parts: [
    { name: "tool definitions", tokens: 9_000 },
    { name: "tool output", tokens: 60_000 },
    { name: "reminders", tokens: 12 },
  ],
};

test("context: bar, distance and parts, the largest first", () => {
  expect(screenOf(createContextDialog({ context: () => context, theme }))).toMatchInlineSnapshot(`
    "
    ╭─ Context ────────────────────────────────────────────────────────────────────╮
    │ anthropic/sonnet                                                        42 % │
    │ ████████████████████████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ │
    │ 84k of 200k tokens, counted by the provider.                                 │
    │ Auto-compacts at 160k (76k left)                                             │
    │ Largest: tool output. Run /shake to drop long tool output.                   │
    │                                                                              │
    │ system                                               3.1k   2 % █░░░░░░░░░░░ │
    │ tools                                                9.0k   5 % █░░░░░░░░░░░ │
    │ history                                                12  <1 % █░░░░░░░░░░░ │
    │ tool output                                           60k  32 % ████░░░░░░░░ │
    │ free                                                 116k  62 % ███████░░░░░ │
    │                                                                              │
    │ By part, estimated                                                           │
    │ tool output                                           60k  83 % ██████████░░ │
    │ tool definitions                                     9.0k  12 % █░░░░░░░░░░░ │
    │ base prompt (anthropic)                              3.1k   4 % █░░░░░░░░░░░ │
    │ reminders                                              12  <1 % █░░░░░░░░░░░ │
    │                                                                              │
    │ up/down scroll · esc close                                                   │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  expect(screenOf(createContextDialog({ context: () => context, theme }), { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Context ────────────────────────────────────────────────╮
    │ anthropic/sonnet                                    42 % │
    │ ████████████████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ │
    │ 84k of 200k tokens, counted by the provider.             │
    │ Auto-compacts at 160k (76k left)                         │
    │ Largest: tool output. Run /shake to drop long tool       │
    │ output.                                                  │
    │                                                          │
    │ system                           3.1k   2 % █░░░░░░░░░░░ │
    │ tools                            9.0k   5 % █░░░░░░░░░░░ │
    │ history                            12  <1 % █░░░░░░░░░░░ │
    │ tool output                       60k  32 % ████░░░░░░░░ │
    │ free                             116k  62 % ███████░░░░░ │
    │                                                          │
    │ By part, estimated                                       │
    │ tool output                       60k  83 % ██████████░░ │
    │ tool definitions                 9.0k  12 % █░░░░░░░░░░░ │
    │ base prompt (anthropic)          3.1k   4 % █░░░░░░░░░░░ │
    │ reminders                          12  <1 % █░░░░░░░░░░░ │
    │                                                          │
    │ up/down scroll · esc close                               │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("context: estimated, nearly full, too full, and loading", () => {
  const inside = (given: Partial<ContextInspected> | undefined) =>
    insideOf(createContextDialog({ context: () => given && { ...context, ...given }, theme }));
  expect(inside({ isMeasured: false, parts: [] })[2]).toBe("84k of 200k tokens, estimated.");
  expect(inside({ tokens: 170_000 })[3]).toBe("Auto-compacts with the next prompt. Run /compact to do it now.");
  expect(inside({ tokens: 199_000 })[3]).toBe("Context limit exceeded. Run /compact to continue.");
  expect(inside({ windowTokens: 0 })[0]).toMatch(/^anthropic\/sonnet +0 %$/);
  expect(inside(undefined)[0]).toBe("Measuring the context…");
});

const sessions = [
  ...Array.from({ length: 5 }, (_, index) => summary(`n${index}`, { createdAt: noon })),
  ...Array.from({ length: 2 }, (_, index) =>
    summary(`o${index}`, { createdAt: noon - 10 * dayMs, model: "local/qwen" }),
  ),
  summary("p", { createdAt: noon - 29 * dayMs, directory: "/home/me/work/quay/pier 漢字" }),
  summary("q", { createdAt: noon - 90 * dayMs, directory: "/srv" }),
];

const exact = (usd: number) => ({ usd, estimated: false });
const readTool = {
  ...{ tool: "read", calls: 1_200, successRate: 0.99 },
  ...{ completed: 1_188, refused: 2, failed: 10, interrupted: 0 },
};
const used: UsageSummary = {
  ...{ sessions: 12, steps: 340, usage, cost: { usd: 1.2, estimated: true }, cacheHitShare: 0.885 },
  cacheMisses: { count: 3, tokens: 9_000, usd: 0.02 },
  beside: [{ kind: "title", calls: 2, usage: plain, cost: exact(0.01) }],
  models: [
    { model: "anthropic/sonnet", steps: 300, usage, cost: exact(1.2), cacheHitShare: 0.9 },
    { model: "local/qwen 漢字", steps: 40, usage: plain, cost: { usd: 0.4, estimated: true }, cacheHitShare: 0 },
  ],
  projects: [
    { projectId: "p", directory: "/home/me/work/quay/pier 漢字", sessions: 11, steps: 330, usage, cost: exact(1.59) },
    { projectId: "q", directory: "/srv", sessions: 1, steps: 10, usage: plain, cost: exact(0.01) },
  ],
  tools: [readTool, { tool: "bash", calls: 1, completed: 0, refused: 0, failed: 1, interrupted: 0, successRate: 0 }],
  days: [
    { day: dayText(29), steps: 40, usage: plain, cost: exact(0.4) },
    { day: dayText(3), steps: 299, usage, cost: exact(1.19999) },
    { day: dayText(0), steps: 1, usage: plain, cost: exact(0.00001) },
    { day: "2020-01-01", steps: 1, usage: plain, cost: exact(5) },
  ],
  unreadable: ["ses_damaged"],
};

/** So many days before noon, as the host counts them. */
function dayText(daysAgo: number): string {
  return new Date(noon - daysAgo * dayMs).toISOString().slice(0, 10);
}

/** Lines of what was used. */
function usageShown(given: Partial<UsageSummary>, size: { readonly width: number; readonly height: number }) {
  const stats: Stats = { kind: "usage", usage: { ...used, ...given } };
  return createStatsDialog({ stats: () => stats, now: () => noon, theme }).render(size.width, size.height);
}

test("statistics: what was used and paid, per day, by model, project and tool", () => {
  const stats: Stats = { kind: "usage", usage: used };
  const dialog = createStatsDialog({ stats: () => stats, now: () => noon, theme });
  expect(screenOf(dialog, { height: 40 })).toMatchInlineSnapshot(`
    "
    ╭─ Statistics ─────────────────────────────────────────────────────────────────╮
    │ 12 sessions, 340 steps in 30 days                            $1.20 + unknown │
    │ tokens in 282k · out 3.2k · 89 % of input from cache · 3 cache misses for    │
    │ $0.0200                                                                      │
    │                                                                              │
    │ Cost per day, in dollars                                                     │
    │ 1.2                                                     █                    │
    │                                                         █                    │
    │                                                         █                    │
    │     ▅                                                   █                    │
    │   0 █                                                   █     ▁              │
    │     29 days ago                                            today             │
    │                                                                              │
    │ By model, tokens and cost                                                    │
    │ anthropic/sonnet                                     285k $1.20 ████████████ │
    │ local/qwen 漢字                             520 $0.40 + unknown ████░░░░░░░░ │
    │                                                                              │
    │ By project, tokens and cost                                                  │
    │ …/quay/pier 漢字                         11 sessions 285k $1.59 ████████████ │
    │ /srv                                      1 session 520 $0.0100 █░░░░░░░░░░░ │
    │                                                                              │
    │ Tools by success rate                                                        │
    │ read                                           1.2k calls  99 % ███████████░ │
    │ bash                                               1 call   0 % ░░░░░░░░░░░░ │
    │                                                                              │
    │ 1 session could not be read completely. Run kedge session verify --all for   │
    │ details.                                                                     │
    │                                                                              │
    │ Run \`kedge stats\` in your shell for all days.                                │
    │                                                                              │
    │ up/down scroll · esc close                                                   │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  expect(screenOf(dialog, { width: 60, height: 40 })).toMatchInlineSnapshot(`
    "
    ╭─ Statistics ─────────────────────────────────────────────╮
    │ 12 sessions, 340 steps in 30 days        $1.20 + unknown │
    │ tokens in 282k · out 3.2k · 89 % of input from cache · 3 │
    │ cache misses for $0.0200                                 │
    │                                                          │
    │ Cost per day, in dollars                                 │
    │ 1.2                           █                          │
    │                               █                          │
    │                               █                          │
    │     ▅                         █                          │
    │   0 █                         █  ▁                       │
    │     29 days ago              today                       │
    │                                                          │
    │ By model, tokens and cost                                │
    │ anthropic/sonnet                 285k $1.20 ████████████ │
    │ local/qwen 漢字         520 $0.40 + unknown ████░░░░░░░░ │
    │                                                          │
    │ By project, tokens and cost                              │
    │ …/quay/pier 漢字     11 sessions 285k $1.59 ████████████ │
    │ /srv                  1 session 520 $0.0100 █░░░░░░░░░░░ │
    │                                                          │
    │ Tools by success rate                                    │
    │ read                       1.2k calls  99 % ███████████░ │
    │ bash                           1 call   0 % ░░░░░░░░░░░░ │
    │                                                          │
    │ 1 session could not be read completely. Run kedge        │
    │ session verify --all for details.                        │
    │                                                          │
    │ Run \`kedge stats\` in your shell for all days.            │
    │                                                          │
    │ up/down scroll · esc close                               │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("statistics: nothing used, nothing priced, and more than are named", () => {
  const inside = (given: Partial<UsageSummary>) =>
    usageShown(given, { width: 76, height: 60 }).map((line) => stripTerminalControls(line).trimEnd());
  expect(inside({ sessions: 0 })[0]).toBe(
    "No usage in the last 30 days. Run `kedge stats` in your shell for all days.",
  );
  const free = { cost: exact(0), models: used.models.map((model) => ({ ...model, cost: exact(0) })), unreadable: [] };
  const unpriced = inside({ ...free, tools: [] });
  expect(unpriced.filter((line) => /^[A-Z]/.test(line))).toEqual([
    "Tokens per day, in thousands",
    "By model, tokens and cost",
    "By project, tokens and cost",
    "Run `kedge stats` in your shell for all days.",
  ]);
  expect(unpriced.find((line) => line.startsWith("anthropic/sonnet"))).toMatch(/285k \$0 ████████████$/);
  const tools = Array.from({ length: 20 }, (_, index) => ({ ...readTool, tool: `tool${index}` }));
  expect(inside({ tools })).toContain("and 12 more");
});

/** The same object at every drawing, as in the program. */
function bySession(given: typeof sessions | undefined): () => Stats | undefined {
  const stats: Stats | undefined = given && { kind: "sessions", sessions: given };
  return () => stats;
}

test("statistics of one who may not see the usage: sessions per day, by project and by model", () => {
  const dialog = createStatsDialog({ stats: bySession(sessions), now: () => noon, theme });
  expect(screenOf(dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Statistics ─────────────────────────────────────────────────────────────────╮
    │ 9 sessions, 8 started in the last 30 days                                    │
    │                                                                              │
    │ Started per day                                                              │
    │ 5                                                           █                │
    │                                                             █                │
    │                                                             █                │
    │                                         █                   █                │
    │ 0 █                                     █                   █                │
    │   29 days ago                                            today               │
    │                                                                              │
    │ By project                                                                   │
    │ …/me/harbour                                7                    ▃         █ │
    │ …/quay/pier 漢字                            1 █                              │
    │ /srv                                        1                                │
    │                                                                              │
    │ By model                                                                     │
    │ anthropic/sonnet                                              7 █████████░░░ │
    │ local/qwen                                                    2 ███░░░░░░░░░ │
    │                                                                              │
    │ Run \`kedge stats\` in your shell for tokens and cost of all sessions.         │
    │                                                                              │
    │ up/down scroll · esc close                                                   │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  expect(
    screenOf(createStatsDialog({ stats: bySession(sessions), now: () => noon, theme }), { width: 60 }),
  ).toMatchInlineSnapshot(`
    "
    ╭─ Statistics ─────────────────────────────────────────────╮
    │ 9 sessions, 8 started in the last 30 days                │
    │                                                          │
    │ Started per day                                          │
    │ 5                              █                         │
    │                                █                         │
    │                                █                         │
    │                      █         █                         │
    │ 0 █                  █         █                         │
    │   29 days ago              today                         │
    │                                                          │
    │ By project                                               │
    │ …/me/harbour            7                    ▃         █ │
    │ …/quay/pier 漢字        1 █                              │
    │ /srv                    1                                │
    │                                                          │
    │ By model                                                 │
    │ anthropic/sonnet                          7 █████████░░░ │
    │ local/qwen                                2 ███░░░░░░░░░ │
    │                                                          │
    │ lines 1-19 of 21, page keys scroll                       │
    │                                                          │
    │ up/down scroll · esc close                               │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("statistics: empty, loading, and more projects than are named", () => {
  const inside = (given: typeof sessions | undefined) =>
    insideOf(createStatsDialog({ stats: bySession(given), now: () => noon, theme }), { width: 76, height: 40 });
  expect(inside([])[0]).toBe("No session yet. Run `kedge stats` in your shell for tokens and cost of all");
  expect(inside(undefined)[0]).toBe("Collecting usage…");
  const places = Array.from({ length: 20 }, (_, index) => summary(`s${index}`, { directory: `/place/${index}` }));
  expect(inside(places)).toContain("and 12 more");
});

test("nothing changed gives the same lines, and other statistics other ones", () => {
  let known: Stats = { kind: "sessions", sessions };
  const dialog = createStatsDialog({ stats: () => known, now: () => noon, theme });
  const lines = dialog.render(76, 22);
  expect(dialog.render(76, 22)).toBe(lines);
  known = { kind: "usage", usage: used };
  expect(dialog.render(76, 22)).not.toBe(lines);
});
