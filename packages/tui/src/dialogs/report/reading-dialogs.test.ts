/** What is read: help and status, empty, filled, long, loading and at 60 columns. */
import type { QueryAnswers } from "@kedge/protocol";
import { expect, test } from "vitest";
import { providers, session, theme } from "../../../test/picker-samples.ts";
import { insideOf, press, screenOf, type } from "../../../test/press.ts";
import type { GroupedRow } from "./grouped-rows.ts";
import { createHelpDialog } from "./help-dialog.ts";
import { createStatusDialog } from "./status-dialog.ts";
import { statusRowsOf } from "./status-rows.ts";

function help(query?: string) {
  return createHelpDialog({
    theme,
    actions: [
      { name: "submit", group: "prompt", summary: "Send the prompt", keys: ["enter"] },
      { name: "newline", group: "prompt", summary: "Insert a newline", keys: ["shift+enter", "ctrl+j"] },
      { name: "exit", group: "session", summary: "Exit when the prompt is empty", keys: ["ctrl+d", "ctrl+x q"] },
      { name: "sidebar", group: "view", summary: "Show or hide the sidebar", keys: [] },
    ],
    commands: [
      { name: "model", aliases: ["models"], summary: "Choose a model", argumentHint: "[model]" },
      {
        name: "compact",
        aliases: [],
        summary: "Compact the context",
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
    │   shift+enter, ctrl+j  Insert a newline                                      │
    │                                                                              │
    │ Keys: session                                                                │
    │   ctrl+d, ctrl+x q     Exit when the prompt is empty                         │
    │                                                                              │
    │ Keys: view                                                                   │
    │   no key               Show or hide the sidebar                              │
    │                                                                              │
    │ Commands                                                                     │
    │   /model [model]       Choose a model (also /models)                         │
    │   /compact [what to keep in mind while doing so]                             │
    │                        Compact the context                                   │
    │                                                                              │
    │ Prefixes                                                                     │
    │   /                    a command                                             │
    │   @                    a project file or directory                           │
    │   !                    a shell command; its output goes to the model with    │
    │                        your next prompt                                      │
    │   !!                   a shell command the model never sees                  │
    │   #                    a note saved to memory and sent with your next prompt │
    │                                                                              │
    │ Mouse                                                                        │
    │   wheel                scroll                                                │
    │   click                expand a group, choose in a list, place the cursor    │
    │   shift and drag       select text (handled by the terminal)                 │
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
    │   shift+enter, ctrl+j  Insert a newline                  │
    │                                                          │
    │ Keys: session                                            │
    │   ctrl+d, ctrl+x q     Exit when the prompt is empty     │
    │                                                          │
    │ Keys: view                                               │
    │   no key               Show or hide the sidebar          │
    │ lines 1-9 of 32, page keys scroll                        │
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
    "  shift+enter, ctrl+j  Insert a newline",
  ]);
  type(dialog, "zzz");
  expect(insideOf(dialog)[2]).toBe("No matches. Press Backspace to widen the search.");
  press(dialog, "ctrl+u");
  const first = insideOf(dialog, { width: 76, height: 12 });
  press(dialog, "down");
  expect(insideOf(dialog, { width: 76, height: 12 })[2]).toBe(first[3]);
  press(dialog, "up");
  expect(insideOf(dialog, { width: 76, height: 12 })).toEqual(first);
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
  checks: [
    { name: "node", state: "ok", sentence: "v24.0.0" },
    { name: "git", state: "error", sentence: "it does not start", next: "Undo needs it; install git." },
    { name: "trust", state: "warning", sentence: "nobody said yet." },
  ],
  settingsWarnings: ["“ctrl+q” is used twice; the first one counts."],
});

test("status: how everything stands, with what is wrong marked and who pays", () => {
  const dialog = createStatusDialog({ rows: () => filledRows, theme });
  expect(screenOf(dialog, { height: 44 })).toMatchInlineSnapshot(`
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
    │ ! trust       not trusted; its settings and commands are ignored             │
    │                                                                              │
    │ Providers                                                                    │
    │ ! billing     Anthropic is billed to environment variable ANTHROPIC_API_KEY  │
    │   Anthropic   environment variable ANTHROPIC_API_KEY                         │
    │   Local 漢字  needs no key                                                   │
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
    │ Health                                                                       │
    │ ! git         it does not start. Undo needs it; install git.                 │
    │ ! trust       nobody said yet.                                               │
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
    │               ignored                                    │
    │ lines 1-17 of 40, page keys scroll                       │
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
    { group: "kedge", label: "engine", value: "lost; reconnecting", tone: "error" },
    { group: "Session", label: "session", value: "none yet" },
    { group: "Providers", label: "keys", value: "none; sign in with /login", tone: "warning" },
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
  });
  expect(rows.slice(2)).toEqual([
    { group: "Session", label: "title", value: "none yet" },
    { group: "Session", label: "id", value: "ses_1" },
    { group: "Session", label: "model", value: "local/qwen" },
    { group: "Session", label: "mode", value: "bypass", tone: "warning" },
    { group: "Session", label: "cost", value: "$1.00 + unknown" },
    { group: "Providers", label: "Local 漢字", value: "needs no key" },
    { group: "Providers", label: "Anthropic", value: "environment variable ANTHROPIC_API_KEY" },
  ]);
});

test("the provider in use stands first, a stored key needs no warning, and no more are named than one reads", () => {
  const [first] = providers.providers;
  if (first === undefined) throw new Error("the fixture has providers");
  const stored = { ...first, keySource: "stored key" };
  const others = Array.from({ length: 9 }, (_, at) => ({
    ...stored,
    providerId: `p${at}`,
    name: `P${at}`,
    models: [],
  }));
  const rows = statusRowsOf({
    version: "1",
    connection: "ready",
    session,
    providers: { providers: [...others, stored] },
  });
  expect(
    rows.filter(({ group }) => group === "Providers").map(({ label, value, tone }) => [label, value, tone]),
  ).toEqual([
    ["Anthropic", "stored key", undefined],
    ...others.slice(0, 7).map(({ name }) => [name, "stored key", undefined]),
    ["keys", "and 2 more; /login lists them", undefined],
  ]);
});

test("status: loading, failed, then there", () => {
  let rows: readonly GroupedRow[] | undefined;
  let problem: string | undefined;
  const dialog = createStatusDialog({ rows: () => rows, problem: () => problem, theme });
  expect(insideOf(dialog)[2]).toBe("Collecting status…");
  problem = "The engine did not answer.";
  expect(insideOf(dialog)[2]).toBe("The engine did not answer.");
  rows = filledRows;
  expect(insideOf(dialog).slice(2, 5)).toEqual(["The engine did not answer.", "", "kedge"]);
});
