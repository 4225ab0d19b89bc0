/** Themes, modes, rules and tasks: how each looks, and what each key does. */
import type { ListedRule, PermissionMode, TaskSummary } from "@kedge/protocol";
import { expect, test } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { theme } from "../../../test/picker-samples.ts";
import { insideOf, press, screenOf, type } from "../../../test/press.ts";
import { symbolPresets } from "../../theme/symbols.ts";
import { createModeDialog } from "../permission/mode-dialog.ts";
import { createRulesDialog } from "../permission/rules-dialog.ts";
import { createDialogStack } from "../stack/dialog-stack.ts";
import { createTaskDialog } from "./task-dialog.ts";
import { createThemeDialog } from "./theme-dialog.ts";

type Calls = (readonly unknown[])[];

function themes(names: readonly string[] = ["ember", "harbour", "paper"]) {
  const calls: Calls = [];
  let shown = bareTheme();
  const dialog = createThemeDialog({
    names,
    current: "harbour",
    theme: () => shown,
    onPreview(name) {
      calls.push(["preview", name]);
      shown = bareTheme(name === "paper" ? symbolPresets.ascii : symbolPresets.unicode);
    },
    onCancel: () => calls.push(["cancel"]),
    onChoose: (name) => calls.push(["choose", name]),
  });
  dialog.render(76, 22);
  return { dialog, calls };
}

test("themes with a sample of the one that is shown", () => {
  expect(screenOf(themes().dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Themes ─────────────────────────────────────────────────────────────────────╮
    │ ❯                                                  3 entries, type to filter │
    │                                                                              │
    │   ember                                                                      │
    │ ❯ harbour                                                            current │
    │   paper                                                                      │
    │                                                                              │
    │ up/down select · enter choose · esc close                                    │
    │ ──────────────────────────────────────────────────────────────────────────── │
    │ ## A heading                                                                 │
    │ • Words with code and a link.                                                │
    │ const tide = read("low", 2); // a note                                       │
    │ - a removed line                                                             │
    │ + an added line                                                              │
    │ ✓ Read src/index.ts ✗ Test 3 warnings                                        │
    │                                                                              │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  expect(screenOf(themes().dialog, { width: 60, height: 16 })).toMatchInlineSnapshot(`
    "
    ╭─ Themes ─────────────────────────────────────────────────╮
    │ ❯                              3 entries, type to filter │
    │                                                          │
    │   ember                                                  │
    │ ❯ harbour                                        current │
    │   paper                                                  │
    │                                                          │
    │ up/down select · enter choose · esc close                │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("the sample is drawn anew in the theme that is tried", () => {
  const { dialog } = themes();
  expect(insideOf(dialog)).toContain("✓ Read src/index.ts ✗ Test 3 warnings");
  press(dialog, "down");
  expect(insideOf(dialog)).toContain("+ Read src/index.ts x Test 3 warnings");
});

test("each selection is shown, leaving takes it back, choosing does not", () => {
  const left = themes();
  const stack = createDialogStack();
  stack.open(left.dialog);
  press(stack, "down");
  press(stack, "up");
  press(stack, "escape");
  expect(left.calls).toEqual([["preview", "paper"], ["preview", "harbour"], ["cancel"]]);
  const kept = themes();
  stack.open(kept.dialog);
  type(stack, "emb");
  press(stack, "enter");
  stack.close();
  expect(kept.calls).toEqual([
    ["preview", "ember"],
    ["choose", "ember"],
  ]);
});

test("without themes there is a sentence", () => {
  expect(insideOf(themes([]).dialog)[2]).toBe("No themes found. Add one as a JSON file in ~/.kedge/themes.");
});

function modes(first: PermissionMode) {
  const calls: Calls = [];
  let mode = first;
  const dialog = createModeDialog({ current: () => mode, theme, onChoose: (chosen) => calls.push([chosen]) });
  return {
    dialog,
    calls,
    set: (next: PermissionMode) => {
      mode = next;
    },
  };
}

test("modes with what they mean, and the agents of Tab", () => {
  expect(screenOf(modes("default").dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Modes ──────────────────────────────────────────────────────────────────────╮
    │ ❯                                                  6 entries, type to filter │
    │                                                                              │
    │ Permission modes                                                             │
    │ ❯ default  ask before edits and commands                             current │
    │   accept-edits  edit project files without asking                            │
    │   plan  read-only; plan first                                                │
    │   auto  a model approves safe actions                                        │
    │ Agents (switch with Tab)                                                     │
    │   build  all tools                                                   current │
    │   plan  read-only; plan first                                                │
    │                                                                              │
    │ up/down select · enter choose · esc close                                    │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  expect(screenOf(modes("plan").dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Modes ──────────────────────────────────────────────────╮
    │ ❯                              6 entries, type to filter │
    │                                                          │
    │ Permission modes                                         │
    │   default  ask before edits and commands                 │
    │   accept-edits  edit project files without asking        │
    │ ❯ plan  read-only; plan first                    current │
    │   auto  a model approves safe actions                    │
    │ Agents (switch with Tab)                                 │
    │   build  all tools                                       │
    │   plan  read-only; plan first                    current │
    │                                                          │
    │ up/down select · enter choose · esc close                │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("bypass is shown only while it holds", () => {
  const { dialog, set } = modes("bypass");
  expect(insideOf(dialog).filter((line) => line.includes("bypass"))).toHaveLength(1);
  set("auto");
  expect(insideOf(dialog).filter((line) => line.includes("bypass"))).toEqual([]);
});

test("a mode and an agent are chosen", () => {
  const { dialog, calls } = modes("default");
  press(dialog, "down");
  press(dialog, "enter");
  press(dialog, "end");
  press(dialog, "enter");
  type(dialog, "auto");
  press(dialog, "enter");
  expect(calls).toEqual([["accept-edits"], ["plan"], ["auto"]]);
});

const ruleList: readonly ListedRule[] = [
  { permission: "read", pattern: "*", action: "allow", source: "builtin" },
  { permission: "bash", pattern: "git push *", action: "ask", source: "project" },
  { permission: "edit", pattern: "**/.env", action: "deny", source: "policy" },
  { permission: "bash", pattern: "npm test\nrm 漢字", action: "allow", source: "session", ruleId: "s.0" },
];

function rules(given: () => readonly ListedRule[] | undefined = () => ruleList) {
  const calls: Calls = [];
  const dialog = createRulesDialog({ rules: given, mode: () => "default", theme, onRemove: (id) => calls.push([id]) });
  dialog.render(76, 22);
  return { dialog, calls };
}

test("rules in their order, with source and action, below the mode", () => {
  expect(screenOf(rules().dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Permissions ────────────────────────────────────────────────────────────────╮
    │ Mode: default. Within a source, later rules override earlier ones.           │
    │                                                                              │
    │ ❯                                                  4 entries, type to filter │
    │                                                                              │
    │ ❯ read *                                                       builtin allow │
    │   bash git push *                                                project ask │
    │   edit **/.env                                                   policy deny │
    │   bash npm test␊rm 漢字                                        session allow │
    │                                                                              │
    │ up/down select · enter choose · ctrl+d remove · esc close                    │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  expect(screenOf(rules().dialog, { width: 60, height: 9 })).toMatchInlineSnapshot(`
    "
    ╭─ Permissions ────────────────────────────────────────────╮
    │ ❯                              4 entries, type to filter │
    │ ❯ read *                                   builtin allow │
    │   bash git push *                            project ask │
    │   edit **/.env                               policy deny │
    │   bash npm test␊rm 漢字                    session allow │
    │ up/down select · enter choose · ctrl+d remove            │
    │ esc close                                                │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("a rule is removed after a question, one from elsewhere says where it is", () => {
  const { dialog, calls } = rules();
  press(dialog, "ctrl+d");
  expect(insideOf(dialog).at(-1)).toBe("This rule comes from kedge. Change it there.");
  type(dialog, "deny");
  expect(insideOf(dialog).at(-1)).not.toMatch(/kedge itself/);
  press(dialog, "enter");
  expect(insideOf(dialog).at(-1)).toBe("This rule comes from your organization's policy. Change it there.");
  press(dialog, "ctrl+u");
  press(dialog, "end");
  press(dialog, "ctrl+d");
  expect(insideOf(dialog)[0]).toBe("Remove the rule “allow bash npm test␊rm 漢字”?");
  press(dialog, "n");
  press(dialog, "ctrl+d");
  press(dialog, "y");
  expect(calls).toEqual([["s.0"]]);
});

test("each action has its colour", () => {
  const marked = { ...bareTheme(), fg: (token: string, text: string) => `<${token}:${text}>` };
  const dialog = createRulesDialog({
    rules: () => ruleList,
    mode: () => "plan",
    theme: () => marked,
    onRemove: () => {},
  });
  const lines = dialog.render(76, 22).join("\n");
  for (const mark of ["<success:builtin allow>", "<warning:project ask>", "<error:policy deny>"]) {
    expect(lines).toContain(mark);
  }
});

test("rules: loading and empty", () => {
  let known: readonly ListedRule[] | undefined;
  const { dialog } = rules(() => known);
  expect(insideOf(dialog)[4]).toBe("Loading rules…");
  known = [];
  expect(insideOf(dialog)[4]).toBe("No rules. The permission mode decides.");
});

test("a click hits the rule on its line, although the mode stands above", () => {
  const { dialog } = rules();
  dialog.handle({ kind: "mouse", mouse: { type: "click", x: 2, y: 7 } });
  expect(insideOf(dialog)[0]).toMatch(/^Remove the rule/);
});

const taskList: readonly TaskSummary[] = [
  { sessionId: "s", taskId: "t1", command: "npm run build\n&& echo done", status: "ended", result: "exit code 1" },
  { sessionId: "s", taskId: "t2", command: "npm run dev -- --port 3000 漢字", status: "running" },
];

function tasks(given: () => readonly TaskSummary[] | undefined = () => taskList) {
  const calls: Calls = [];
  const dialog = createTaskDialog({
    tasks: given,
    theme,
    onOpen: (id) => calls.push(["open", id]),
    onStop: (id) => calls.push(["stop", id]),
  });
  dialog.render(76, 22);
  return { dialog, calls };
}

test("tasks: those that run first", () => {
  expect(screenOf(tasks().dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Tasks ──────────────────────────────────────────────────────────────────────╮
    │ ❯                                                  2 entries, type to filter │
    │                                                                              │
    │ Running                                                                      │
    │ ❯ ◐ npm run dev -- --port 3000 漢字                                  running │
    │ Ended                                                                        │
    │   • npm run build && echo done                                   exit code 1 │
    │                                                                              │
    │ up/down select · enter choose · ctrl+k stop · esc close                      │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  expect(screenOf(tasks(() => []).dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Tasks ──────────────────────────────────────────────────╮
    │ ❯                                              0 entries │
    │                                                          │
    │ No background tasks. Servers and other long-running      │
    │ commands appear here.                                    │
    │                                                          │
    │ up/down select · enter choose · ctrl+k stop · esc close  │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  expect(insideOf(tasks(() => undefined).dialog)[2]).toBe("Loading tasks…");
});

test("enter opens the output, ctrl+k stops what runs after a question", () => {
  const { dialog, calls } = tasks();
  press(dialog, "enter");
  press(dialog, "ctrl+k");
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Stop task ──────────────────────────────────────────────╮
    │ Stop “npm run dev -- --port 3000 漢字”? Its output so    │
    │ far is kept.                                             │
    │                                                          │
    │ ❯ n  Keep running                                        │
    │   y  Stop                                                │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  press(dialog, "escape");
  press(dialog, "ctrl+k");
  press(dialog, "y");
  press(dialog, "down");
  press(dialog, "ctrl+k");
  expect(dialog.title).toBe("Tasks");
  press(dialog, "enter");
  expect(calls).toEqual([
    ["open", "t2"],
    ["stop", "t2"],
    ["open", "t1"],
  ]);
});
