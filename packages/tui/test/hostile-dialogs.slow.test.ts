/** Whatever names, titles and texts hold, and however small the screen is: no line breaks, and nothing steers the terminal. */
import { expect, test } from "vitest";
import { createTaskDialog } from "../src/dialogs/list/task-dialog.ts";
import { createThemeDialog } from "../src/dialogs/list/theme-dialog.ts";
import {
  createLoginConsentDialog,
  createLoginMethodDialog,
  createLoginWaitDialog,
} from "../src/dialogs/model/login-dialogs.ts";
import { createModelDialog } from "../src/dialogs/model/model-dialog.ts";
import { createProviderDialog } from "../src/dialogs/model/provider-dialog.ts";
import { createModeDialog } from "../src/dialogs/permission/mode-dialog.ts";
import { createRulesDialog } from "../src/dialogs/permission/rules-dialog.ts";
import { createContextDialog } from "../src/dialogs/report/context-dialog.ts";
import { createCostDialog } from "../src/dialogs/report/cost-dialog.ts";
import { createHelpDialog } from "../src/dialogs/report/help-dialog.ts";
import { createStatsDialog, type Stats } from "../src/dialogs/report/stats-dialog.ts";
import { createStatusDialog } from "../src/dialogs/report/status-dialog.ts";
import { statusRowsOf } from "../src/dialogs/report/status-rows.ts";
import { createSessionDialog } from "../src/dialogs/session/session-dialog.ts";
import { createTreeDialog } from "../src/dialogs/session/tree-dialog.ts";
import { treeRowsOf } from "../src/dialogs/session/tree-rows.ts";
import { visibleWidth } from "../src/screen/text-width.ts";
import type { Dialog } from "../src/screen/view.ts";
import { evil, heights, manyProviders, message, noon, session, summary, theme, words } from "./picker-samples.ts";
import { foreignControls, press } from "./press.ts";

const nothing = () => {};
const usage = { input: 1, output: 2, reasoning: 3, cacheRead: 4, cacheWrite: 5 };
const evilProviders = {
  providers: [
    {
      ...{ providerId: evil, name: evil, hasKey: true, keySource: evil },
      models: [{ model: evil, name: evil, contextTokens: 1, inputUsdPerMillion: 0.001, hasTools: true }],
    },
    { providerId: "漢字".repeat(40), name: "漢字".repeat(40), hasKey: false, models: [] },
  ],
};
const evilSessions = [
  summary(evil, { title: evil, directory: `/${evil}/a/b`, model: evil }),
  summary("long", { title: "漢字 👩‍👩‍👧 ".repeat(50), parentId: evil }),
];
const rows = treeRowsOf([message("m", [words(evil)]), message("n", [words(evil)], { treeParent: "m" })], "n", [
  { messageId: "m", label: evil },
]);
const statusRows = statusRowsOf({
  version: evil,
  connection: "ready",
  session: { ...session, title: evil, model: evil },
  providers: evilProviders,
  config: { settings: {}, entries: [{ key: evil, value: 1, layer: "user", file: evil }], warnings: [evil] },
  checks: [{ name: evil, state: "error", sentence: evil, next: evil }],
});
const rule = { permission: evil, pattern: evil, action: "deny", source: "session", ruleId: "r" } as const;
const model = { usage, cost: { usd: 1, estimated: true } };
const evilStats: Stats = { kind: "sessions", sessions: evilSessions };
const evilSum = { steps: 1, ...model };
const evilUsage: Stats = {
  kind: "usage",
  usage: {
    ...{ ...evilSum, sessions: 1, cacheHitShare: 2, cacheMisses: { count: 1, tokens: 1, usd: 1 }, beside: [] },
    models: [{ ...evilSum, model: evil, cacheHitShare: 0 }],
    projects: [{ ...evilSum, projectId: evil, directory: `/${evil}/a/b`, sessions: 1 }],
    tools: [{ tool: evil, calls: 1, successRate: 7, completed: 1, refused: 0, failed: 0, interrupted: 0 }],
    days: [{ ...evilSum, day: evil }],
    unreadable: [evil],
  },
};
const task = { sessionId: "s", taskId: "t", command: evil, status: "ended", result: evil } as const;

const dialogs: { readonly [name: string]: () => Dialog } = {
  models: () =>
    createModelDialog({
      providers: () => evilProviders,
      problem: () => evil,
      current: () => evil,
      recent: [],
      favourites: () => [],
      theme,
      onToggleFavourite: nothing,
      onChoose: nothing,
      onLogin: nothing,
    }),
  sessions: () =>
    createSessionDialog({
      sessions: () => evilSessions,
      statuses: () => ({}),
      current: evil,
      directory: "/",
      now: () => noon,
      theme,
      onChoose: nothing,
      onRename: nothing,
      onArchive: nothing,
      onDelete: nothing,
      onSearchText: nothing,
    }),
  tree: () => createTreeDialog({ rows: () => rows, theme, onChoose: nothing, onLabel: nothing }),
  themes: () =>
    createThemeDialog({
      names: [evil, "b"],
      current: evil,
      theme,
      onPreview: nothing,
      onCancel: nothing,
      onChoose: nothing,
    }),
  modes: () => createModeDialog({ current: () => "bypass", theme, onChoose: nothing }),
  help: () =>
    createHelpDialog({
      actions: [{ name: evil, group: evil, summary: evil, keys: [evil] }],
      commands: [{ name: evil, aliases: [evil], summary: evil, argumentHint: evil }],
      theme,
    }),
  status: () => createStatusDialog({ rows: () => statusRows, problem: () => evil, theme }),
  cost: () =>
    createCostDialog({
      cost: () => ({
        ...{ ...model, total: model.cost, turns: 1, byModel: { [evil]: model } },
        ...{ apiMs: 1, toolMs: 1, lines: { added: 1, removed: 1 } },
      }),
      theme,
    }),
  context: () =>
    createContextDialog({
      context: () => ({
        model: evil,
        windowTokens: 9,
        tokens: 3,
        isMeasured: true,
        compactAt: 5,
        overflowAt: 7,
        tools: [],
        sources: [{ name: evil, kind: "data", place: "turn", origin: evil, tokens: 2 }],
        parts: [{ name: evil, tokens: 3 }],
      }),
      theme,
    }),
  stats: () => createStatsDialog({ stats: () => evilStats, now: () => noon, theme }),
  usage: () => createStatsDialog({ stats: () => evilUsage, now: () => noon, theme }),
  rules: () => createRulesDialog({ rules: () => [rule], mode: () => "default", theme, onRemove: nothing }),
  tasks: () => createTaskDialog({ tasks: () => [task], theme, onOpen: nothing, onStop: nothing }),
  providers: () =>
    createProviderDialog({
      ...{ providers: () => evilProviders, theme, onKey: nothing, onLogin: nothing, onRemove: nothing },
    }),
  "sign-in methods": () =>
    createLoginMethodDialog({
      ...{ name: evil, theme, onKey: nothing, onLogin: nothing, onEscape: nothing },
      logins: [{ method: "device", label: evil, notice: evil, missing: evil }],
    }),
  "sign-in consent": () =>
    createLoginConsentDialog({
      ...{ login: { method: "device", label: evil, notice: evil }, theme, onYes: nothing, onBack: nothing },
    }),
  "sign-in wait": () =>
    createLoginWaitDialog({ name: evil, url: evil, code: evil, theme, onCopy: nothing, onCancel: nothing }),
};

test.each(Object.keys(dialogs))("%s keeps to its lines and its place", (name) => {
  const dialog = dialogs[name]?.();
  if (dialog === undefined) throw new Error("every name has a dialog");
  const look = () => {
    for (const width of [8, 20, 56, 120]) {
      for (const height of heights) {
        const lines = dialog.render(width, height);
        expect(lines.length, `${width}x${height}`).toBeLessThanOrEqual(height);
        for (const line of lines) {
          expect(visibleWidth(line), `${width}x${height}: ${line}`).toBeLessThanOrEqual(width);
          expect(foreignControls(line), `${width}x${height}`).toEqual([]);
        }
      }
    }
  };
  look();
  // Into the questions that some of them ask.
  for (const key of ["ctrl+r", "escape", "ctrl+l", "escape", "ctrl+d", "escape", "ctrl+k", "enter"]) {
    press(dialog, key);
    look();
  }
});

test("a thousand of everything: what is drawn is what there is room for, and only what changed is drawn again", () => {
  const many = manyProviders(1_000);
  const sessions = Array.from({ length: 1_000 }, (_, index) => summary(`s${index}`, { createdAt: noon - index * 1e7 }));
  const stats: Stats = { kind: "sessions", sessions };
  const opened: readonly Dialog[] = [
    createProviderDialog({ providers: () => many, theme, onKey: nothing, onLogin: nothing, onRemove: nothing }),
    createStatsDialog({ stats: () => stats, now: () => noon, theme }),
    createRulesDialog({ rules: () => manyRules, mode: () => "default", theme, onRemove: nothing }),
    createTreeDialog({ rows: () => manyRows, theme, onChoose: nothing, onLabel: nothing }),
  ];
  for (const dialog of opened) {
    const lines = dialog.render(76, 22);
    expect(lines.length).toBeLessThanOrEqual(22);
    expect(dialog.render(76, 22)).toBe(lines);
  }
});

const manyRules = Array.from({ length: 1_000 }, (_, index) => ({ ...rule, pattern: `p${index}`, ruleId: `r${index}` }));
const manyRows = treeRowsOf(
  Array.from({ length: 1_000 }, (_, at) =>
    message(`m${at}`, [words("said")], at === 0 ? {} : { treeParent: `m${at - 1}` }),
  ),
  "m999",
  [],
);
