/** Each dialog in its four forms, at 60 columns: while it loads, empty, failed, and filled with its keys in sight. */
import { expect, test } from "vitest";
import { createMemoryInboxDialog } from "../src/dialogs/list/memory-inbox-dialog.ts";
import { createTaskDialog } from "../src/dialogs/list/task-dialog.ts";
import { createModelDialog } from "../src/dialogs/model/model-dialog.ts";
import { createProviderDialog } from "../src/dialogs/model/provider-dialog.ts";
import { createRulesDialog } from "../src/dialogs/permission/rules-dialog.ts";
import { createContextDialog } from "../src/dialogs/report/context-dialog.ts";
import { createCostDialog } from "../src/dialogs/report/cost-dialog.ts";
import { createStatsDialog, type Stats } from "../src/dialogs/report/stats-dialog.ts";
import { createServerDialog } from "../src/dialogs/server/server-dialog.ts";
import { createSessionDialog } from "../src/dialogs/session/session-dialog.ts";
import { createTreeDialog } from "../src/dialogs/session/tree-dialog.ts";
import { treeRowsOf } from "../src/dialogs/session/tree-rows.ts";
import { visibleWidth } from "../src/screen/text-width.ts";
import type { Dialog } from "../src/screen/view.ts";
import { memoryInboxTexts, serverTexts, sessionTexts, taskTexts, treeTexts } from "../src/texts/dialogs.ts";
import { modelTexts, providerTexts } from "../src/texts/onboarding.ts";
import { ruleTexts } from "../src/texts/permission-questions.ts";
import { contextTexts, costTexts, statsTexts } from "../src/texts/reports.ts";
import { message, noon, providers, summary, theme, words } from "./picker-samples.ts";
import { insideOf, screenOf } from "./press.ts";

const size = { width: 56, height: 18 };
const problem = "The server is not responding.";
const nothing = () => {};

/** The dialog with a value, with an empty one, or with none and perhaps a reason. */
type Form = "filled" | "empty" | "loading" | "failed";

type Forms = {
  readonly make: (form: Form) => Dialog;
  readonly loading: string;
  readonly empty: string;
  /** Something of its content. */
  readonly filled: string;
};

function given<Value>(form: Form, filled: Value, empty: Value): () => Value | undefined {
  const value = form === "filled" ? filled : form === "empty" ? empty : undefined;
  return () => value;
}

function reason(form: Form): () => string | undefined {
  return () => (form === "failed" ? problem : undefined);
}

const rule = { permission: "bash", pattern: "npm *", action: "allow", source: "user", ruleId: "r" } as const;
const task = { sessionId: "s", taskId: "t", command: "npm run dev", status: "running" } as const;
const topic = {
  ...{ slug: "tests", name: "Tests", description: "Tests run with vitest", text: "Tests run with vitest." },
  ...{ path: "inbox/tests.md", kind: "project", origin: "agent-inferred", created: "2026-03-01" },
};
const usage = { input: 1, output: 2, reasoning: 0, cacheRead: 4, cacheWrite: 5 };
const price = { usage, cost: { usd: 1, estimated: false } };
const costOf = (byModel: { readonly [model: string]: typeof price }) => ({
  ...{ ...price, total: price.cost, turns: 1, byModel, apiMs: 1_000, toolMs: 1_000, lines: { added: 1, removed: 0 } },
});
const sessionsOf = (count: number): Stats => ({
  kind: "sessions",
  sessions: Array.from({ length: count }, (_, index) => summary(`s${index}`)),
});
const context = {
  ...{ model: "mock/model", windowTokens: 100, tokens: 30, isMeasured: true, compactAt: 80, overflowAt: 95 },
  ...{ tools: [], sources: [], parts: [{ name: "conversation", tokens: 30 }] },
};

const dialogs: { readonly [name: string]: Forms } = {
  tasks: {
    make: (form) =>
      createTaskDialog({
        tasks: given(form, [task], []),
        problem: reason(form),
        theme,
        onOpen: nothing,
        onStop: nothing,
      }),
    ...{ loading: taskTexts.loading, empty: taskTexts.empty, filled: task.command },
  },
  rules: {
    make: (form) =>
      createRulesDialog({
        ...{ rules: given(form, [rule], []), problem: reason(form), mode: () => "default", theme, onRemove: nothing },
      }),
    ...{ loading: ruleTexts.loading, empty: ruleTexts.empty, filled: rule.pattern },
  },
  providers: {
    make: (form) =>
      createProviderDialog({
        ...{ providers: given(form, providers, { providers: [] }), problem: reason(form), theme },
        ...{ onKey: nothing, onLogin: nothing, onRemove: nothing },
      }),
    ...{ loading: providerTexts.loading, empty: providerTexts.empty, filled: "Anthropic" },
  },
  models: {
    make: (form) =>
      createModelDialog({
        ...{ providers: given(form, providers, { providers: [] }), problem: reason(form), theme },
        ...{ current: () => undefined, recent: [], favourites: () => [] },
        ...{ onToggleFavourite: nothing, onChoose: nothing, onLogin: nothing },
      }),
    ...{ loading: modelTexts.loading, empty: modelTexts.empty, filled: "Claude Opus" },
  },
  sessions: {
    make: (form) =>
      createSessionDialog({
        ...{ sessions: given(form, [summary("a")], []), problem: reason(form), statuses: () => ({}), theme },
        ...{ current: undefined, directory: "/", now: () => noon },
        ...{ onChoose: nothing, onRename: nothing, onArchive: nothing, onDelete: nothing },
      }),
    ...{ loading: sessionTexts.loading, empty: sessionTexts.empty, filled: "Session a" },
  },
  tree: {
    make: (form) =>
      createTreeDialog({
        rows: given(form, treeRowsOf([message("m", [words("Paint it blue.")])], "m", []), []),
        ...{ problem: reason(form), theme, onChoose: nothing, onLabel: nothing },
      }),
    ...{ loading: treeTexts.loading, empty: treeTexts.empty, filled: "Paint it blue." },
  },
  servers: {
    make: (form) =>
      createServerDialog({
        servers: given(form, [{ name: "tides", state: "connected", file: ".mcp.json", scope: "project" }], []),
        ...{ problem: reason(form), theme, onOpen: nothing, onLog: nothing, onAct: nothing },
      }),
    ...{ loading: serverTexts.loading, empty: serverTexts.empty, filled: "tides" },
  },
  "memory inbox": {
    make: (form) =>
      createMemoryInboxDialog({ topics: given(form, [topic], []), problem: reason(form), theme, onAnswer: nothing }),
    ...{ loading: memoryInboxTexts.loading, empty: memoryInboxTexts.empty, filled: topic.description },
  },
  cost: {
    make: (form) =>
      createCostDialog({
        cost: given(form, costOf({ "mock/model": price }), costOf({})),
        problem: reason(form),
        theme,
      }),
    ...{ loading: costTexts.loading, empty: costTexts.empty, filled: costTexts.total },
  },
  statistics: {
    make: (form) =>
      createStatsDialog({
        stats: given(form, sessionsOf(3), sessionsOf(0)),
        problem: reason(form),
        theme,
        now: () => noon,
      }),
    ...{ loading: statsTexts.loading, empty: statsTexts.empty, filled: statsTexts.startedPerDay },
  },
  context: {
    make: (form) =>
      createContextDialog({
        ...{ context: given(form, context, { ...context, tokens: 0, parts: [] }), problem: reason(form), theme },
      }),
    ...{ loading: contextTexts.loading, empty: "0 of 100 tokens", filled: "conversation" },
  },
};

function shown(name: string, form: Form): string {
  const dialog = dialogs[name]?.make(form);
  if (dialog === undefined) throw new Error(`there is no dialog ${name}`);
  const lines = insideOf(dialog, size);
  expect(lines.length).toBeLessThanOrEqual(size.height);
  for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(size.width);
  // A sentence is wrapped where the dialog ends.
  return lines.map((line) => line.trim()).join(" ");
}

test.each(Object.keys(dialogs))("%s", (name) => {
  const { loading, empty, filled } = dialogs[name] as Forms;
  expect(shown(name, "loading")).toContain(loading);
  expect(shown(name, "empty")).toContain(empty);
  expect(shown(name, "failed")).toContain(problem);
  expect(shown(name, "failed")).not.toContain(loading);
  const whole = shown(name, "filled");
  expect(whole).toContain(filled);
  expect(whole).toContain("esc close");
  expect(screenOf((dialogs[name] as Forms).make("filled"), { width: 60, height: 18 })).toMatchSnapshot();
});
