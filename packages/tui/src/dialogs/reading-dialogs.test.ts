/** What is read: help, status, cost, context and statistics, empty, filled, long, loading and at 60 columns. */
import type { QueryAnswers } from "@kedge/protocol";
import { expect, test } from "vitest";
import { type ContextInspected, createContextDialog } from "./context-dialog.ts";
import { createCostDialog, type SessionCost } from "./cost-dialog.ts";
import type { GroupedRow } from "./grouped-rows.ts";
import { createHelpDialog } from "./help-dialog.ts";
import { dayMs, noon, providers, session, summary, theme } from "./picker-fixture.ts";
import { insideOf, press, screenOf, type } from "./press.ts";
import { createStatsDialog } from "./stats-dialog.ts";
import { createStatusDialog } from "./status-dialog.ts";
import { statusRowsOf } from "./status-rows.ts";

function help(query?: string) {
  return createHelpDialog({
    theme,
    actions: [
      { name: "submit", group: "prompt", summary: "Send the prompt", keys: ["enter"] },
      { name: "newline", group: "prompt", summary: "Begin a new line", keys: ["shift+enter", "ctrl+j"] },
      { name: "exit", group: "session", summary: "Leave kedge when the prompt is empty", keys: ["ctrl+d", "ctrl+x q"] },
      { name: "sidebar", group: "view", summary: "Show or hide the sidebar", keys: [] },
    ],
    commands: [
      { name: "model", aliases: ["models"], summary: "Choose the model", argumentHint: "[model]" },
      {
        name: "compact",
        aliases: [],
        summary: "Make the context smaller",
        argumentHint: "[what to keep in mind while doing so]",
      },
    ],
    ...(query !== undefined && { query }),
  });
}

test("help: keys, commands, prefixes and the mouse", () => {
  expect(screenOf(help(), { height: 40 })).toMatchInlineSnapshot(`
    "
    ╭─ Help ───────────────────────────────────────────────────────────────────────╮
    │ ❯                                                                            │
    │                                                                              │
    │ Keys: prompt                                                                 │
    │   enter                Send the prompt                                       │
    │   shift+enter, ctrl+j  Begin a new line                                      │
    │                                                                              │
    │ Keys: session                                                                │
    │   ctrl+d, ctrl+x q     Leave kedge when the prompt is empty                  │
    │                                                                              │
    │ Keys: view                                                                   │
    │   no key               Show or hide the sidebar                              │
    │                                                                              │
    │ Commands                                                                     │
    │   /model [model]       Choose the model (also /models)                       │
    │   /compact [what to keep in mind while doing so]                             │
    │                        Make the context smaller                              │
    │                                                                              │
    │ Prefixes                                                                     │
    │   /                    a command                                             │
    │   @                    a file or directory of the project                    │
    │   !                    a command of your shell, whose output the model sees  │
    │   #                    a note for later sessions                             │
    │                                                                              │
    │ Mouse                                                                        │
    │   wheel                scrolls what is under it                              │
    │   click                unfolds a group, chooses in a list, puts the cursor   │
    │                        into the prompt                                       │
    │   shift and drag       selects text as the terminal does                     │
    │                                                                              │
    │ type to filter · up/down scroll · esc close                                  │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  expect(screenOf(help(), { width: 60, height: 16 })).toMatchInlineSnapshot(`
    "
    ╭─ Help ───────────────────────────────────────────────────╮
    │ ❯                                                        │
    │                                                          │
    │ Keys: prompt                                             │
    │   enter                Send the prompt                   │
    │   shift+enter, ctrl+j  Begin a new line                  │
    │                                                          │
    │ Keys: session                                            │
    │   ctrl+d, ctrl+x q     Leave kedge when the prompt is    │
    │                        empty                             │
    │                                                          │
    │ Keys: view                                               │
    │ lines 1-9 of 30, page keys scroll                        │
    │                                                          │
    │ type to filter · up/down scroll · esc close              │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("help is filtered by typing, and scrolls", () => {
  const dialog = help();
  type(dialog, "ctrl line");
  expect(insideOf(dialog).slice(0, 4)).toEqual([
    "❯ ctrl line",
    "",
    "Keys: prompt",
    "  shift+enter, ctrl+j  Begin a new line",
  ]);
  type(dialog, "zzz");
  expect(insideOf(dialog)[2]).toBe("Nothing matches; backspace widens the search.");
  press(dialog, "ctrl+u");
  const first = insideOf(dialog, { width: 76, height: 12 });
  press(dialog, "down");
  expect(insideOf(dialog, { width: 76, height: 12 })[2]).toBe(first[3]);
  press(dialog, "end");
  expect(insideOf(dialog, { width: 76, height: 12 }).join("\n")).toContain("shift and drag");
  press(dialog, "home");
  expect(insideOf(dialog, { width: 76, height: 12 })).toEqual(first);
  expect(press(dialog, "escape")).toBe(false);
  expect(insideOf(help("mouse"))[2]).toBe("Mouse");
});

const project: QueryAnswers["project.read"] = {
  projectId: "p",
  directory: "/home/me/harbour/packages/crane",
  root: "/home/me/harbour",
  isGitRepository: true,
  isTrusted: false,
  mode: "default",
};
const config: QueryAnswers["config.read"] = {
  settings: {},
  entries: [
    { key: "model", value: "x", layer: "user", file: "/home/me/.kedge/config.json", line: 2 },
    { key: "mode", value: "x", layer: "user", file: "/home/me/.kedge/config.json", line: 3 },
    { key: "theme", value: "x", layer: "environment" },
    { key: "other", value: "x", layer: "default" },
  ],
  warnings: ["“modle” is no setting; did you mean “model”?"],
};
const filledRows = statusRowsOf({
  version: "0.1.0",
  connection: "ready",
  session,
  effort: "high",
  project,
  paths: { home: "/home/me/.kedge", data: "/home/me/.kedge/data", directory: "/home/me", root: "/home/me" },
  providers,
  config,
  keyVariables: { anthropic: "ANTHROPIC_API_KEY" },
  settingsWarnings: ["“ctrl+q” is used twice; the first one counts."],
});

test("status: how everything stands, with what is wrong marked and who pays", () => {
  const dialog = createStatusDialog({ rows: () => filledRows, theme });
  expect(screenOf(dialog, { height: 40 })).toMatchInlineSnapshot(`
    "
    ╭─ Status ─────────────────────────────────────────────────────────────────────╮
    │ ❯                                                                            │
    │                                                                              │
    │ kedge                                                                        │
    │   version     0.1.0                                                          │
    │   engine      ready                                                          │
    │                                                                              │
    │ Session                                                                      │
    │   title       Mend the crane                                                 │
    │   id          ses_1                                                          │
    │   model       anthropic/sonnet, effort high                                  │
    │   mode        default                                                        │
    │   cost        $0.42                                                          │
    │                                                                              │
    │ Project                                                                      │
    │   directory   /home/me/harbour/packages/crane                                │
    │   root        /home/me/harbour                                               │
    │   git         yes                                                            │
    │ ! trust       not trusted; its settings and commands are left out            │
    │                                                                              │
    │ Providers                                                                    │
    │   keys        Anthropic, Local 漢字                                          │
    │ ! who pays    the account behind ANTHROPIC_API_KEY of your environment pays  │
    │               for Anthropic                                                  │
    │                                                                              │
    │ Settings                                                                     │
    │   2 settings  user: /home/me/.kedge/config.json                              │
    │   1 setting   environment                                                    │
    │ ! warning     “modle” is no setting; did you mean “model”?                   │
    │ ! warning     “ctrl+q” is used twice; the first one counts.                  │
    │                                                                              │
    │ Files                                                                        │
    │   settings    /home/me/.kedge                                                │
    │   sessions    /home/me/.kedge/data                                           │
    │                                                                              │
    │ type to filter · up/down scroll · esc close                                  │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Status ─────────────────────────────────────────────────╮
    │ ❯                                                        │
    │                                                          │
    │ kedge                                                    │
    │   version     0.1.0                                      │
    │   engine      ready                                      │
    │                                                          │
    │ Session                                                  │
    │   title       Mend the crane                             │
    │   id          ses_1                                      │
    │   model       anthropic/sonnet, effort high              │
    │   mode        default                                    │
    │   cost        $0.42                                      │
    │                                                          │
    │ Project                                                  │
    │   directory   /home/me/harbour/packages/crane            │
    │   root        /home/me/harbour                           │
    │   git         yes                                        │
    │ ! trust       not trusted; its settings and commands are │
    │               left out                                   │
    │ lines 1-17 of 34, page keys scroll                       │
    │                                                          │
    │ type to filter · up/down scroll · esc close              │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("status of a start without anything", () => {
  const rows = statusRowsOf({ version: "0.1.0", connection: "lost", providers: { providers: [] } });
  expect(rows).toEqual([
    { group: "kedge", label: "version", value: "0.1.0" },
    { group: "kedge", label: "engine", value: "lost; kedge tries to reach it again", tone: "error" },
    { group: "Session", label: "session", value: "none yet" },
    { group: "Providers", label: "keys", value: "none; /connect stores one", tone: "warning" },
  ]);
});

test("the key of a provider that is not in use is named without a warning", () => {
  const other = {
    ...session,
    model: "local/qwen",
    mode: "bypass" as const,
    title: "",
    cost: { usd: 1, estimated: true },
  };
  const rows = statusRowsOf({
    version: "1",
    connection: "ready",
    session: other,
    providers,
    keyVariables: { anthropic: "ANTHROPIC_API_KEY", openai: "OPENAI_API_KEY" },
  });
  expect(rows.slice(2)).toEqual([
    { group: "Session", label: "title", value: "none yet" },
    { group: "Session", label: "id", value: "ses_1" },
    { group: "Session", label: "model", value: "local/qwen" },
    { group: "Session", label: "mode", value: "bypass", tone: "warning" },
    { group: "Session", label: "cost", value: "$1.00 (estimated)" },
    { group: "Providers", label: "keys", value: "Anthropic, Local 漢字" },
    {
      group: "Providers",
      label: "who pays",
      value: "the account behind ANTHROPIC_API_KEY of your environment pays for Anthropic",
    },
  ]);
});

test("status: loading, failed, then there", () => {
  let rows: readonly GroupedRow[] | undefined;
  let problem: string | undefined;
  const dialog = createStatusDialog({ rows: () => rows, problem: () => problem, theme });
  expect(insideOf(dialog)[2]).toBe("Asking how things stand.");
  problem = "The engine did not answer.";
  expect(insideOf(dialog)[2]).toBe("The engine did not answer.");
  rows = filledRows;
  expect(insideOf(dialog).slice(2, 5)).toEqual(["The engine did not answer.", "", "kedge"]);
});

const usage = { input: 12_345, output: 3_210, reasoning: 400, cacheRead: 250_000, cacheWrite: 20_000, webSearches: 2 };
const plain = { input: 500, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const cost: SessionCost = {
  total: { usd: 1.6, estimated: true },
  usage,
  turns: 12,
  byModel: {
    "local/qwen 漢字": { usage: plain, cost: { usd: 0.4, estimated: true } },
    "anthropic/sonnet": { usage, cost: { usd: 1.2, estimated: false } },
  },
};

test("cost: total and per model, what is estimated is marked with the model", () => {
  expect(screenOf(createCostDialog({ cost: () => cost, theme }))).toMatchInlineSnapshot(`
    "
    ╭─ Cost ───────────────────────────────────────────────────────────────────────╮
    │ Total                                            estimated $1.60 in 12 turns │
    │ input 12k · output 3.2k · thinking 400 · cache read 250k · cache write 20k · │
    │ searches 2                                                                   │
    │                                                                              │
    │ anthropic/sonnet                                                  $1.20 75 % │
    │ █████████████████████████████████████████████████████████░░░░░░░░░░░░░░░░░░░ │
    │ input 12k · output 3.2k · thinking 400 · cache read 250k · cache write 20k · │
    │ searches 2                                                                   │
    │                                                                              │
    │ local/qwen 漢字                                         estimated $0.40 25 % │
    │ ███████████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ │
    │ input 500 · output 20 · cache read 0 · cache write 0                         │
    │                                                                              │
    │ $0.40 (25 % of the total) is estimated: no price is known for local/qwen 漢  │
    │ 字.                                                                          │
    │                                                                              │
    │ up/down scroll · esc close                                                   │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  expect(screenOf(createCostDialog({ cost: () => cost, theme }), { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Cost ───────────────────────────────────────────────────╮
    │ Total                        estimated $1.60 in 12 turns │
    │ input 12k · output 3.2k · thinking 400 · cache read 250k │
    │ · cache write 20k · searches 2                           │
    │                                                          │
    │ anthropic/sonnet                              $1.20 75 % │
    │ ██████████████████████████████████████████░░░░░░░░░░░░░░ │
    │ input 12k · output 3.2k · thinking 400 · cache read 250k │
    │ · cache write 20k · searches 2                           │
    │                                                          │
    │ local/qwen 漢字                     estimated $0.40 25 % │
    │ ██████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ │
    │ input 500 · output 20 · cache read 0 · cache write 0     │
    │                                                          │
    │ $0.40 (25 % of the total) is estimated: no price is      │
    │ known for local/qwen 漢字.                               │
    │                                                          │
    │ up/down scroll · esc close                               │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("cost: nothing spent, nothing priced, loading and failed", () => {
  const none: SessionCost = { total: { usd: 0, estimated: false }, usage: plain, turns: 0, byModel: {} };
  const free: SessionCost = { ...none, turns: 1, byModel: { "local/qwen": { usage: plain, cost: none.total } } };
  const inside = (value: SessionCost | undefined, problem?: string) =>
    insideOf(createCostDialog({ cost: () => value, problem: () => problem, theme }), { width: 40 });
  expect(inside(none)[0]).toBe("No model was asked yet, so nothing was");
  expect(inside(free).slice(0, 6)).toEqual([
    "Total                       $0 in 1 turn",
    "input 500 · output 20 · cache read 0 ·",
    "cache write 0",
    "",
    "local/qwen                      $0 100 %",
    "████████████████████████████████████████",
  ]);
  expect(inside(undefined)[0]).toBe("Adding up the cost.");
  expect(inside(undefined, "No such session.")[0]).toBe("No such session.");
});

const context: ContextInspected = {
  model: "anthropic/sonnet",
  windowTokens: 200_000,
  tokens: 84_000,
  isMeasured: true,
  compactAt: 160_000,
  overflowAt: 190_000,
  parts: [
    { name: "instructions", tokens: 3_100 },
    { name: "descriptions of tools", tokens: 9_000 },
    { name: "results of tools", tokens: 60_000 },
    { name: "reminders", tokens: 12 },
  ],
};

test("context: bar, distance and parts, the largest first", () => {
  expect(screenOf(createContextDialog({ context: () => context, theme }))).toMatchInlineSnapshot(`
    "
    ╭─ Context ────────────────────────────────────────────────────────────────────╮
    │ anthropic/sonnet                                                        42 % │
    │ ████████████████████████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ │
    │ 84k of 200k tokens, as the vendor counts.                                    │
    │ 76k tokens to go until it is shortened, at 160k.                             │
    │                                                                              │
    │ By part, estimated                                                           │
    │ results of tools                                      60k  83 % ██████████░░ │
    │ descriptions of tools                                9.0k  12 % █░░░░░░░░░░░ │
    │ instructions                                         3.1k   4 % █░░░░░░░░░░░ │
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
    │ 84k of 200k tokens, as the vendor counts.                │
    │ 76k tokens to go until it is shortened, at 160k.         │
    │                                                          │
    │ By part, estimated                                       │
    │ results of tools                  60k  83 % ██████████░░ │
    │ descriptions of tools            9.0k  12 % █░░░░░░░░░░░ │
    │ instructions                     3.1k   4 % █░░░░░░░░░░░ │
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
  expect(inside({ tokens: 170_000 })[3]).toBe("It is shortened with the next prompt; /compact does it now.");
  expect(inside({ tokens: 199_000 })[3]).toBe("It is too large to be sent; /compact makes it smaller.");
  expect(inside({ windowTokens: 0 })[0]).toMatch(/^anthropic\/sonnet +0 %$/);
  expect(inside(undefined)[0]).toBe("Measuring the conversation.");
});

const sessions = [
  ...Array.from({ length: 5 }, (_, index) => summary(`n${index}`, { createdAt: noon })),
  ...Array.from({ length: 2 }, (_, index) =>
    summary(`o${index}`, { createdAt: noon - 10 * dayMs, model: "local/qwen" }),
  ),
  summary("p", { createdAt: noon - 29 * dayMs, directory: "/home/me/work/quay/pier 漢字" }),
  summary("q", { createdAt: noon - 90 * dayMs, directory: "/srv" }),
];

test("statistics: per day, by project and by model", () => {
  const costs = { n0: { usd: 1, estimated: false }, p: { usd: 0.5, estimated: true } };
  const dialog = createStatsDialog({ sessions: () => sessions, costs: () => costs, now: () => noon, theme });
  expect(screenOf(dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Statistics ─────────────────────────────────────────────────────────────────╮
    │ 9 sessions, 8 begun in 30 days                               $1.50 estimated │
    │                                                                              │
    │ Begun per day                                                                │
    │ 5                                                           █                │
    │                                                             █                │
    │                                                             █                │
    │                                         █                   █                │
    │ 0 █                                     █                   █                │
    │   29 days ago                                            today               │
    │                                                                              │
    │ By project                                                                   │
    │ …/me/harbour                          7 $1.00                    ▃         █ │
    │ …/quay/pier 漢字            1 $0.50 estimated █                              │
    │ /srv                                        1                                │
    │                                                                              │
    │ By model                                                                     │
    │ anthropic/sonnet                              7 $1.50 estimated █████████░░░ │
    │ local/qwen                                                    2 ███░░░░░░░░░ │
    │                                                                              │
    │ \`kedge stats\` in your shell shows tokens and cost of all sessions.           │
    │                                                                              │
    │ up/down scroll · esc close                                                   │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  expect(
    screenOf(createStatsDialog({ sessions: () => sessions, now: () => noon, theme }), { width: 60 }),
  ).toMatchInlineSnapshot(`
    "
    ╭─ Statistics ─────────────────────────────────────────────╮
    │ 9 sessions, 8 begun in 30 days                           │
    │                                                          │
    │ Begun per day                                            │
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
    insideOf(createStatsDialog({ sessions: () => given, now: () => noon, theme }), { width: 76, height: 40 });
  expect(inside([])[0]).toBe("No session yet. `kedge stats` in your shell shows tokens and cost of all");
  expect(inside(undefined)[0]).toBe("Counting sessions.");
  const places = Array.from({ length: 20 }, (_, index) => summary(`s${index}`, { directory: `/place/${index}` }));
  expect(inside(places)).toContain("and 12 more");
});

test("nothing changed gives the same lines, and another session list other ones", () => {
  let known = sessions;
  const dialog = createStatsDialog({ sessions: () => known, now: () => noon, theme });
  const lines = dialog.render(76, 22);
  expect(dialog.render(76, 22)).toBe(lines);
  known = [...sessions];
  expect(dialog.render(76, 22)).not.toBe(lines);
});
