/** Questions of the model: every way to answer them by keys, and how they look. */
import type { Question } from "@kedge/protocol";
import { expect, test, vi } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { foreignControls, insideOf, press, screenOf, type } from "../../../test/press.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import { createQuestionDialog, type QuestionDialogProps } from "./question-dialog.ts";

const theme = bareTheme();

const database: Question = {
  question: "Which database shall I use?",
  options: [
    { label: "SQLite", description: "One file, no server; enough for one machine." },
    { label: "Postgres", description: "A server; for many writers 漢字." },
  ],
};
const parts: Question = {
  question: "Which parts?",
  options: [
    { label: "API", description: "" },
    { label: "Web", description: "A page" },
    { label: "Docs", description: "" },
  ],
  multiSelect: true,
};

function ask(questions: readonly Question[], props: Partial<QuestionDialogProps> = {}) {
  const onAnswers = vi.fn<(answers: readonly string[]) => void>();
  const onDismiss = vi.fn<() => void>();
  let clock = 0;
  const dialog = createQuestionDialog({
    questions,
    theme: () => theme,
    now: () => clock,
    lastKeyAt: () => Number.NEGATIVE_INFINITY,
    redraw: () => {},
    onAnswers,
    onDismiss,
    ...props,
  });
  // In sight long enough for keys to count.
  dialog.render(76, 22);
  clock = 1_000;
  const keys = (...names: readonly string[]) => names.map((name) => press(dialog, name));
  return { dialog, onAnswers, onDismiss, keys };
}

test("a single question with options, descriptions and own words", () => {
  expect(screenOf(ask([database]).dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Question ───────────────────────────────────────────────────────────────────╮
    │ Which database shall I use?                                                  │
    │                                                                              │
    │ ❯ 1   SQLite                                                                 │
    │       One file, no server; enough for one machine.                           │
    │   2   Postgres                                                               │
    │       A server; for many writers 漢字.                                       │
    │   3   Other…                                                                 │
    │                                                                              │
    │ up/down select · enter choose · esc dismiss                                  │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
});

test("several, at 60 columns, the second one with marks", () => {
  const { dialog, keys } = ask([database, parts]);
  keys("enter", "space", "down", "down", "space");
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Questions ──────────────────────────────────────────────╮
    │  1 ✓ · 2 ✓ · review                                      │
    │                                                          │
    │ Which parts?                                             │
    │                                                          │
    │   1 ☑ API                                                │
    │   2 ☐ Web                                                │
    │       A page                                             │
    │ ❯ 3 ☑ Docs                                               │
    │   4 ☐ Other…                                             │
    │                                                          │
    │ up/down select · space toggle · enter next · left/right  │
    │ questions · esc dismiss                                  │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test.each([
  [["enter"], "SQLite"],
  [["down", "enter"], "Postgres"],
  [["up", "up", "space"], "Postgres"],
  [["2"], "Postgres"],
])("one answer: %j gives %s", (names, answer) => {
  const { keys, onAnswers } = ask([database]);
  keys(...names);
  expect(onAnswers.mock.calls).toEqual([[[answer]]]);
});

test("own words are written in their line; Escape leads back to the options, digits and blanks are text", () => {
  const { dialog, keys, onAnswers, onDismiss } = ask([database]);
  keys("3");
  type(dialog, "x");
  keys("escape", "enter", "backspace");
  type(dialog, "2 of them 漢字");
  expect(screenOf(dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Question ───────────────────────────────────────────────────────────────────╮
    │ Which database shall I use?                                                  │
    │                                                                              │
    │   1   SQLite                                                                 │
    │       One file, no server; enough for one machine.                           │
    │   2   Postgres                                                               │
    │       A server; for many writers 漢字.                                       │
    │ ❯ 3   2 of them 漢字                                                         │
    │                                                                              │
    │ enter done · esc back                                                        │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  keys("enter");
  expect(onAnswers.mock.calls).toEqual([[["2 of them 漢字"]]]);
  expect(onDismiss).not.toHaveBeenCalled();
});

test("several marks are one answer, with own words behind them; nothing marked takes the one at the cursor", () => {
  const first = ask([parts]);
  first.keys("3", "space", "1", "4");
  type(first.dialog, "tests");
  first.keys("enter", "enter");
  const second = ask([parts]);
  second.keys("down", "enter");
  const third = ask([parts]);
  third.keys("1", "1", "2", "enter");
  expect([first, second, third].map(({ onAnswers }) => onAnswers.mock.calls)).toEqual([
    [[["API, tests"]]],
    [[["Web"]]],
    [[["Web"]]],
  ]);
});

test("several questions are reviewed before they are sent, and can be changed on the way", () => {
  const { dialog, keys, onAnswers } = ask([database, parts]);
  keys("enter", "1", "2", "enter");
  expect(screenOf(dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Questions ──────────────────────────────────────────────────────────────────╮
    │  1 ✓ · 2 ✓ · review                                                          │
    │                                                                              │
    │ Send these answers?                                                          │
    │                                                                              │
    │ 1 Which database shall I use?                                                │
    │   → SQLite                                                                   │
    │ 2 Which parts?                                                               │
    │   → API, Web                                                                 │
    │                                                                              │
    │ enter send · left back · esc dismiss                                         │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  keys("left", "left", "down", "enter", "right");
  expect(onAnswers).not.toHaveBeenCalled();
  keys("enter");
  expect(onAnswers.mock.calls).toEqual([[["Postgres", "API, Web"]]]);
});

test("an answer that is missing is asked for instead of sent", () => {
  const { dialog, keys, onAnswers } = ask([database, parts]);
  keys("tab", "enter", "enter");
  expect(onAnswers).not.toHaveBeenCalled();
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Questions ──────────────────────────────────────────────╮
    │  1 · 2 ✓ · review                                        │
    │                                                          │
    │ Which database shall I use?                              │
    │                                                          │
    │ ❯ 1   SQLite                                             │
    │       One file, no server; enough for one machine.       │
    │   2   Postgres                                           │
    │       A server; for many writers 漢字.                   │
    │   3   Other…                                             │
    │                                                          │
    │ Answer this question first: choose an option or type     │
    │ your own.                                                │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  keys("enter", "right", "enter");
  expect(onAnswers.mock.calls).toEqual([[["SQLite", "API"]]]);
});

test("Escape dismisses", () => {
  const { keys, onDismiss, onAnswers } = ask([database]);
  keys("escape");
  expect(onDismiss).toHaveBeenCalledOnce();
  expect(onAnswers.mock.calls).toEqual([]);
});

test("a long question scrolls by page keys, and follows the cursor", () => {
  const long = { ...database, question: Array.from({ length: 40 }, (_, index) => `Line ${index}.`).join("\n") };
  const { dialog, keys } = ask([long]);
  const at = () => insideOf(dialog, { width: 60, height: 12 }).slice(0, 1);
  expect(at()).toEqual(["Line 0."]);
  keys("pageDown");
  expect(at()).toEqual(["Line 8."]);
  keys("down", "down");
  expect(insideOf(dialog, { width: 60, height: 12 }).some((line) => line.includes("Other…"))).toBe(true);
});

test.each([24, 60, 120])("hostile texts stay on their lines at %i columns", (width) => {
  const evil = "\u001b[2J\u001b[31mred\u202e\n2  Postgres\u0007";
  const question = { question: evil, options: [{ label: evil, description: evil }] };
  const { dialog, keys } = ask([question, { ...question, multiSelect: true }]);
  for (const key of ["", "enter", "space", "right"]) {
    if (key !== "") keys(key);
    const lines = dialog.render(width, 30);
    for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
    expect(lines.flatMap(foreignControls)).toEqual([]);
    expect(dialog.render(width, 4).length).toBeLessThanOrEqual(4);
  }
});

test("a question without options is answered by typing, and a letter on the row of own words is the first of them", () => {
  const open = ask([{ question: "Which file?", options: [] }]);
  type(open.dialog, "2 files");
  open.keys("enter");
  expect(open.onAnswers).toHaveBeenCalledWith(["2 files"]);
  const other = ask([database]);
  type(other.dialog, "x");
  other.keys("up");
  type(other.dialog, "redis");
  other.keys("enter");
  expect(other.onAnswers).toHaveBeenCalledWith(["redis"]);
});
