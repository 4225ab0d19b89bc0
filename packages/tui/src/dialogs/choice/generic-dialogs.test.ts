/** Confirmation, words and trust: how they look, what keys answer, and that the safe answer is the default. */
import { expect, test, vi } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { foreignControls, insideOf, press, screenOf, type } from "../../../test/press.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import type { Dialog } from "../../screen/view.ts";
import { createTrustDialog, type TrustDialogProps } from "../permission/trust-dialog.ts";
import { createTextDialog, type TextDialogProps } from "../text/text-dialog.ts";
import { createConfirmDialog } from "./confirm-dialog.ts";

const theme = () => bareTheme();
const evil = "\u001b[2J\u001b[31mred\u202e\nSay yes\u0007";

function confirm(sentence: string, safe?: "yes" | "no") {
  const onAnswer = vi.fn<(isYes: boolean) => void>();
  const parts = { title: "Delete session", sentence, yes: "Delete", no: "Cancel", theme, onAnswer };
  return { dialog: createConfirmDialog({ ...parts, ...(safe !== undefined && { safe }) }), onAnswer };
}

test("a confirmation shows its sentence and both answers", () => {
  expect(screenOf(confirm("Delete “漢字 and more” with 120 messages?").dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Delete session ─────────────────────────────────────────╮
    │ Delete “漢字 and more” with 120 messages?                │
    │                                                          │
    │ ❯ n  Cancel                                              │
    │   y  Delete                                              │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test.each([
  ["enter", [[false]]],
  ["escape", [[false]]],
  ["n", [[false]]],
  ["y", [[true]]],
  ["shift+y", [[true]]],
  ["ctrl+y", []],
])("%s confirms %j", (key, answers) => {
  const { dialog, onAnswer } = confirm("Sure?");
  press(dialog, key);
  expect(onAnswer.mock.calls).toEqual(answers);
});

test("where yes is safe it stands first, and Escape is still a no", () => {
  const { dialog, onAnswer } = confirm("Save before leaving?", "yes");
  press(dialog, "enter");
  press(dialog, "down");
  press(dialog, "enter");
  press(dialog, "escape");
  expect(onAnswer.mock.calls).toEqual([[true], [false], [false]]);
});

function words(props: Partial<TextDialogProps> = {}) {
  const onText = vi.fn<(text: string) => void>();
  const dialog = createTextDialog({ title: "Rename", theme, onText, ...props });
  return { dialog, onText };
}

test("one line with a text to begin with", () => {
  const { dialog, onText } = words({ sentence: "New title:", initial: "old" });
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Rename ─────────────────────────────────────────────────╮
    │ New title:                                               │
    │ ❯ old                                                    │
    │                                                          │
    │ enter done · esc back                                    │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  type(dialog, " name ");
  press(dialog, "enter");
  expect(onText.mock.calls).toEqual([["old name"]]);
});

test("empty text is refused with a sentence, until something is typed", () => {
  const { dialog, onText } = words();
  press(dialog, "space");
  press(dialog, "enter");
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Rename ─────────────────────────────────────────────────╮
    │ ❯                                                        │
    │                                                          │
    │ Type something first, or press Escape to go back.        │
    │ enter done · esc back                                    │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  type(dialog, "x");
  expect(insideOf(dialog)).not.toContain("Type something first, or press Escape to go back.");
  press(dialog, "enter");
  expect(onText.mock.calls).toEqual([["x"]]);
});

test("several lines, with what they are about above and scrolled by page keys", () => {
  const about = Array.from({ length: 40 }, (_, index) => `about ${index}`);
  const { dialog, onText } = words({ above: { render: () => about }, isMultiline: true, sentence: "Your words:" });
  dialog.handle({ kind: "paste", text: "first\nsecond 漢字" });
  dialog.render(56, 14);
  press(dialog, "pageDown");
  expect(screenOf(dialog, { width: 60, height: 16 })).toMatchInlineSnapshot(`
    "
    ╭─ Rename ─────────────────────────────────────────────────╮
    │ about 5                                                  │
    │ about 6                                                  │
    │ about 7                                                  │
    │ about 8                                                  │
    │ about 9                                                  │
    │ about 10                                                 │
    │ lines 6-11 of 40, page keys scroll                       │
    │                                                          │
    │ Your words:                                              │
    │ ❯ first                                                  │
    │   second 漢字                                            │
    │                                                          │
    │ enter done · shift+enter new line · esc back             │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  press(dialog, "shift+enter");
  press(dialog, "enter");
  expect(onText.mock.calls).toEqual([["first\nsecond 漢字\n"]]);
});

test("a secret shows dots, and what was wrong with it", () => {
  const { dialog, onText } = words({ isSecret: true, problem: () => "The key was refused; paste it again." });
  dialog.handle({ kind: "paste", text: "sk-secret\n" });
  expect(insideOf(dialog)).toEqual([
    "❯ ••••••••••",
    "",
    "The key was refused; paste it again.",
    "enter done · esc back",
  ]);
  press(dialog, "enter");
  expect(onText.mock.calls).toEqual([["sk-secret"]]);
});

test("Escape closes, or goes back where there is a way back", () => {
  const onEscape = vi.fn();
  expect([press(words().dialog, "escape"), press(words({ onEscape }).dialog, "escape")]).toEqual([false, true]);
  expect(onEscape).toHaveBeenCalledOnce();
});

function trust(props: Partial<TrustDialogProps> = {}) {
  const onAnswer = vi.fn<(answer: "trusted" | "refused" | undefined) => void>();
  const lines = [".kedge/settings.json (2 rules)", "AGENTS.md (instructions)"];
  let clock = 0;
  const appearance = { theme, now: () => clock, lastKeyAt: () => Number.NEGATIVE_INFINITY, redraw: () => {} };
  const dialog = createTrustDialog({ ...appearance, root: "/work/app", lines, isChanged: false, onAnswer, ...props });
  // In sight long enough for keys to count.
  dialog.render(76, 22);
  clock = 1_000;
  return { dialog, onAnswer };
}

test("trust shows all that a project brings", () => {
  expect(screenOf(trust().dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Trust this project? ────────────────────────────────────────────────────────╮
    │ If you don't trust it, only its deny and ask rules apply. Trust it only if   │
    │ you would run its code.                                                      │
    │                                                                              │
    │ These files in /work/app can instruct kedge or run code:                     │
    │   • .kedge/settings.json (2 rules)                                           │
    │   • AGENTS.md (instructions)                                                 │
    │                                                                              │
    │ ❯ n  No, ignore these files                                                  │
    │   y  Yes, trust this project                                                 │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
});

test("trust after a change, with more than fits, at 60 columns", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `changed .kedge/commands/command-${index}.md`);
  expect(screenOf(trust({ isChanged: true, lines }).dialog, { width: 60, height: 16 })).toMatchInlineSnapshot(`
    "
    ╭─ Trust this project? ────────────────────────────────────╮
    │ If you don't trust it, only its deny and ask rules       │
    │ apply. Trust it only if you would run its code.          │
    │                                                          │
    │ These files in /work/app changed since you trusted the   │
    │   project:                                               │
    │   • changed .kedge/commands/command-0.md                 │
    │   • changed .kedge/commands/command-1.md                 │
    │   • changed .kedge/commands/command-2.md                 │
    │   • changed .kedge/commands/command-3.md                 │
    │   • changed .kedge/commands/command-4.md                 │
    │ lines 1-10 of 35, page keys scroll                       │
    │                                                          │
    │ ❯ n  No, ignore these files                              │
    │   y  Yes, trust this project                             │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test.each([
  ["enter", [["refused"]]],
  ["n", [["refused"]]],
  ["escape", [[undefined]]],
])("%s answers trust with %j", (key, answers) => {
  const { dialog, onAnswer } = trust();
  press(dialog, key);
  expect(onAnswer.mock.calls).toEqual(answers);
});

test("y only selects trust, and Enter gives it", () => {
  const { dialog, onAnswer } = trust();
  press(dialog, "y");
  expect(onAnswer.mock.calls).toEqual([]);
  expect(insideOf(dialog).slice(-4)).toEqual([
    "  n  No, ignore these files",
    "❯ y  Yes, trust this project",
    "",
    "Press Enter to confirm.",
  ]);
  press(dialog, "enter");
  expect(onAnswer.mock.calls).toEqual([["trusted"]]);
});

test.each([20, 60, 120])("hostile texts stay on their lines at %i columns", (width) => {
  const dialogs: readonly Dialog[] = [
    confirm(evil).dialog,
    words({ title: evil, sentence: evil, initial: evil, problem: () => evil }).dialog,
    words({ initial: evil, isMultiline: true }).dialog,
    trust({ root: evil, lines: [evil, evil] }).dialog,
  ];
  for (const dialog of dialogs) {
    const lines = [...dialog.render(width, 40), dialog.title];
    for (const line of lines.slice(0, -1)) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
    expect(lines.flatMap(foreignControls)).toEqual([]);
    expect(dialog.render(width, 3).length).toBeLessThanOrEqual(3);
  }
});
