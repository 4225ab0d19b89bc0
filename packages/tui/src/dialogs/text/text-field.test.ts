/** Typed text: every key of the field, characters of several code points, and what of it is in sight. */
import { stripTerminalControls } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { press, type } from "../../../test/press.ts";
import { cursorMark, visibleWidth } from "../../screen/text-width.ts";
import { createTextField, type TextField, type TextFieldProps } from "./text-field.ts";

const theme = bareTheme();

/** The text with `|` where the cursor stands. */
function seen(field: TextField, { width = 40, rowsMax = 9 } = {}): readonly string[] {
  return field.render({ width, theme, rowsMax }).map((line) => stripTerminalControls(line.replace(cursorMark, "|")));
}

function after(keys: readonly string[], props: TextFieldProps = {}): string {
  const field = createTextField(props);
  field.render({ width: 40, theme });
  for (const key of keys) press(field, key);
  return seen(field).join("\n").trimEnd();
}

test.each([
  ["left", ["left"], "one two thre|e"],
  ["home and end", ["home", "end", "home"], "|one two three"],
  ["words", ["alt+left", "ctrl+left"], "one |two three"],
  ["words to the right", ["home", "alt+right"], "one| two three"],
  ["backspace", ["backspace"], "one two thre|"],
  ["delete", ["home", "delete"], "|ne two three"],
  ["word before", ["ctrl+w"], "one two |"],
  ["to the start", ["left", "ctrl+u"], "|e"],
  ["to the end", ["ctrl+a", "right", "ctrl+k"], "o|"],
  ["edges hold", ["right", "delete", "home", "left", "backspace"], "|one two three"],
  ["typing in between", ["alt+b", "x", "space"], "one two x |three"],
])("%s", (_name, keys, expected) => {
  expect(after(keys, { initial: "one two three" })).toBe(expected);
});

test("keys of others are not taken", () => {
  const field = createTextField({});
  expect(
    ["enter", "escape", "tab", "up", "down", "ctrl+x", "f1", "shift+enter"].map((key) => press(field, key)),
  ).toEqual(Array.from({ length: 8 }, () => false));
  expect(field.text()).toBe("");
});

test("a character of several code points is one step and one deletion", () => {
  expect(after(["left", "backspace"], { initial: "a👍🏽🇩🇪漢" })).toBe("a👍🏽|漢");
  const field = createTextField({ initial: "e" });
  type(field, "\u0301x");
  press(field, "backspace");
  press(field, "backspace");
  expect(field.text()).toBe("");
});

test("pasted text is cleaned, and is one line where one is wanted", () => {
  const paste = { kind: "paste", text: "a\nb\u001b[31mc\r\n" } as const;
  const [line, lines] = [createTextField({}), createTextField({ isMultiline: true })];
  expect([line.handle(paste), lines.handle(paste)]).toEqual([true, true]);
  expect([line.text(), lines.text()]).toEqual(["a bc ", "a\nbc\n"]);
});

test("one line follows the cursor, also over wide characters", () => {
  const field = createTextField({ initial: "漢字かな交じり文" });
  expect(seen(field, { width: 9 })).toEqual(["交じり文| "]);
  press(field, "home");
  expect(seen(field, { width: 9 })).toEqual(["|漢字かな"]);
});

test("several lines wrap, grow by line ends, and up and down keep the column", () => {
  const field = createTextField({ isMultiline: true, initial: "first line\nsecond" });
  expect(seen(field, { width: 8 })).toEqual(["first l", "ine", "second| "]);
  press(field, "up");
  expect(seen(field, { width: 8 })).toEqual(["first l", "ine| ", "second"]);
  press(field, "up");
  press(field, "shift+enter");
  expect(field.text()).toBe("fir\nst line\nsecond");
  expect(seen(field, { width: 8, rowsMax: 2 })).toEqual(["fir", "|st line"]);
});

test("a secret is dots, and keeps its text", () => {
  const field = createTextField({ isSecret: true });
  type(field, "sk-1");
  expect([seen(field), field.text()]).toEqual([["••••| "], "sk-1"]);
});

test("what is unsafe in a text to be edited is shown, and kept", () => {
  const field = createTextField({ initial: "a\u001b[2Jb" });
  expect([seen(field), field.text()]).toEqual([["a␛[2Jb| "], "a\u001b[2Jb"]);
});

test("random keys keep every line within its width and the cursor in sight", () => {
  const { seed, below } = createSeededRandom();
  const keys = [
    "left",
    "right",
    "up",
    "down",
    "home",
    "end",
    "backspace",
    "delete",
    "ctrl+w",
    "alt+f",
    "a",
    "漢",
    "👍",
    "space",
    "shift+enter",
    "\u0301",
  ];
  for (let round = 0; round < 60; round += 1) {
    const field = createTextField({ isMultiline: below(2) === 0, isSecret: below(4) === 0 });
    const width = 4 + below(20);
    for (let step = 0; step < 60; step += 1) {
      press(field, keys[below(keys.length)] ?? "a");
      const lines = field.render({ width, theme, rowsMax: 4 });
      const why = `seed ${seed}, round ${round}, step ${step}`;
      expect(Math.max(...lines.map(visibleWidth)), why).toBeLessThanOrEqual(width);
      expect(lines.filter((line) => line.includes(cursorMark)).length, why).toBe(1);
    }
  }
});
