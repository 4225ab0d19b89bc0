/** Modes, foreign keys, pending keys, key forms, and the places where a cursor may stand. */
import { describe, expect, test } from "vitest";
import { createTestPrompt, keyForms, playRow, type Row, rowName } from "../../test/vim-prompt.ts";
import { createVimEngine } from "./vim-engine.ts";

const plain = { ctrl: false, shift: false, meta: false };

/** The widget's cursor may stand behind a line; a NORMAL cursor stands on a character. */
const standing: readonly Row[] = [
  { text: "ab |", keys: "x", expected: "a|b", register: " " },
  { text: "ab|", keys: "h", expected: "|ab" },
  { text: "ab|\ncd", keys: "x", expected: "|a\ncd", register: "b" },
  { text: "ab|\ncd", keys: "i", expected: "a|b\ncd", mode: "insert" },
  { text: "ab|\ncd", keys: "v", expected: "a|b\ncd" },
  { text: "ab\n|", keys: "x", expected: "ab\n|" },
  { text: "|", keys: "x", expected: "|" },
  { text: "|", keys: "$", expected: "|" },
  { text: "|", keys: "w", expected: "|" },
  { text: "|", keys: "e", expected: "|" },
  { text: "|", keys: "b", expected: "|" },
  { text: "|", keys: "diw", expected: "|" },
  { text: "|", keys: "J", expected: "|" },
  { text: "|", keys: "yyp", expected: "\n|" },
  { text: "ab\nc|d", keys: "D", expected: "ab\n|c" },
  { text: "ab\nc|d", keys: "A<Esc>", expected: "ab\nc|d" },
  { text: "ab\n|cd", keys: "i<Esc>", expected: "ab\n|cd" },
  { text: "ab\n|cd", keys: "a<Esc>", expected: "ab\n|cd" },
  { text: "ab\n|cd", keys: "o<Esc>", expected: "ab\ncd\n|" },
];

const family = "👨‍👩‍👧";
const accented = "e\u0301";
const flag = "🇪🇺";

const clusters: readonly Row[] = [
  { text: `|${family}b`, keys: "l", expected: `${family}|b` },
  { text: `${family}|b`, keys: "h", expected: `|${family}b` },
  { text: `a|${family}b`, keys: "x", expected: "a|b", register: family },
  { text: `a${family}|`, keys: "x", expected: "|a", register: family },
  { text: `ca|f${accented} x`, keys: "lx", expected: "caf| x", register: accented },
  { text: `|caf${accented} x`, keys: "e", expected: `caf|${accented} x` },
  { text: `|caf${accented} x`, keys: "dw", expected: "|x", register: `caf${accented} ` },
  { text: `|caf${accented}!`, keys: "f\u00e9", expected: `caf|${accented}!` },
  { text: "|café!", keys: `f${accented}`, expected: "caf|é!" },
  { text: `|caf${accented}!`, keys: "fe", expected: `|caf${accented}!` },
  { text: `|a${flag}${flag}b`, keys: "ll", expected: `a${flag}|${flag}b` },
  { text: `|a ${flag}👍 b`, keys: "w", expected: `a |${flag}👍 b` },
  { text: `a |${flag}👍 b`, keys: "diw", expected: "a | b", register: `${flag}👍` },
  { text: `|${flag}`, keys: "a!<Esc>", expected: `${flag}|!` },
  { text: `|a${flag}`, keys: "A<Esc>", expected: `a|${flag}` },
  { text: `|${flag}a`, keys: "xp", expected: `a|${flag}` },
  { text: `|${flag}a`, keys: "$j", expected: `${flag}|a` },
  { text: `${family}${family}|b\nxyz`, keys: "j", expected: `${family}${family}b\nxy|z` },
  { text: `a${flag}|b`, keys: "rx", expected: `a${flag}|b` },
  { text: "\n|\u0301b", keys: "iae<Esc>", expected: `\na|${accented}b` },
  { text: "|b", keys: `i${family}<Esc>.`, expected: `|${family}${family}b` },
  { text: "日|本 語", keys: "w", expected: "日本 |語" },
  { text: "|日本 語", keys: "dw", expected: "|語", register: "日本 " },
  { text: "|abÉc", keys: "fÉ", expected: "ab|Éc" },
];

/** Swallowed without effect, together with the key that belongs to them. */
const unsupported: readonly Row[] = [
  ..."vVuUnN/?:RsSXQKHLM~%&*#()+-_{}\\!=".split("").map((key) => ({ text: "a|b c", keys: key, expected: "a|b c" })),
  ...["ra", "ma", "'a", "`a", '"a', "qa", "@a", "zz", "ZZ"].map((keys) => ({ text: "a|b", keys, expected: "a|b" })),
  { text: "|a b", keys: '"ayw', expected: "|a b", register: "a " },
  { text: "a|b c", keys: "<Space>", expected: "a|b c" },
  { text: "a|b c", keys: "<BS>", expected: "a|b c" },
  { text: "a|b c", keys: "<Del>", expected: "a|b c" },
  { text: "a|b c", keys: "é", expected: "a|b c" },
  { text: "a|b c", keys: "dx", expected: "a|b c" },
  { text: "a|b c", keys: "dp", expected: "a|b c" },
  { text: "a|b c", keys: "dyw", expected: "ab |c" },
  { text: "a|b c", keys: "gw", expected: "a|b c" },
  { text: "a|b c", keys: "dgx", expected: "a|b c" },
  { text: "a|b c", keys: "d<Esc>w", expected: "ab |c" },
  { text: "a|b c", keys: "d<BS>w", expected: "ab |c" },
  { text: "a|b c", keys: "d<Left>w", expected: "ab |c" },
  { text: "a|b c", keys: "d<C-w>w", expected: "ab |c" },
  { text: "a|b c", keys: "f<Esc>w", expected: "ab |c" },
];

describe.each(keyForms)("with capitals as %s", (form) => {
  test.each([...standing, ...clusters, ...unsupported].map((row) => [rowName(row), row] as const))("%s", (_, row) => {
    expect(playRow(row, form)).toEqual(row);
  });
});

test("starts in NORMAL, and tells when the mode changes", () => {
  const prompt = createTestPrompt("a|b");
  expect(prompt.engine.mode).toBe("normal");
  expect(prompt.press("aX<Esc>")).toEqual([
    { consumed: true, mode: "insert", cursor: 2 },
    { consumed: false },
    { consumed: true, mode: "normal", cursor: 2 },
  ]);
  expect(prompt.engine.mode).toBe("normal");
});

test("says only what changed, and a new text with its cursor", () => {
  expect(createTestPrompt("|ab").press("l0vx")).toEqual([
    { consumed: true, cursor: 1 },
    { consumed: true, cursor: 0 },
    { consumed: true },
    { consumed: true, text: "b", cursor: 0 },
  ]);
});

test.each(["<Space>", "<BS>", "<Del>", "v", "é", "日本"])(
  "%s is swallowed in NORMAL, as it would change the text",
  (key) => {
    expect(
      new Set(
        createTestPrompt("a|b")
          .press(key)
          .map(({ consumed }) => consumed),
      ),
    ).toEqual(new Set([true]));
  },
);

const foreignKeys = "<Enter> <Tab> <Up> <Down> <Left> <Right> <Home> <End> <Pageup> <F1> <F12> <C-r> <C-c> <M-x>".split(
  " ",
);

test.each(foreignKeys)("%s belongs to the application in NORMAL", (key) => {
  const prompt = createTestPrompt("a|b");
  expect(prompt.press(key)).toEqual([{ consumed: false }]);
  expect(prompt.marked()).toBe("a|b");
});

test.each([...foreignKeys, "a", "d", "$", "<Space>", "<BS>", "<Del>"])("%s belongs to the widget in INSERT", (key) => {
  const engine = createTestPrompt("a|b");
  expect(engine.press(`i${key}`)[1]).toEqual({ consumed: false });
});

test.each(["escape", "Escape", "esc"])(
  "%s leaves INSERT, and in NORMAL clears pending keys for the application",
  (key) => {
    const engine = createVimEngine();
    engine.handleKey({ ...plain, key: "a" }, "ab", 0);
    expect(engine.handleKey({ ...plain, key }, "ab", 1)).toEqual({ consumed: true, mode: "normal", cursor: 0 });
    engine.handleKey({ ...plain, key: "d" }, "ab", 0);
    expect(engine.pending).toBe("d");
    expect(engine.handleKey({ ...plain, key }, "ab", 0)).toEqual({ consumed: false });
    expect(engine.pending).toBe("");
  },
);

test.each([
  ["d", "d"],
  ["ci", "ci"],
  ["d3", "d3"],
  ["12", "12"],
  ["df", "df"],
  ["dg", "dg"],
  [">", ">"],
  ["r", "r"],
  ["dw", ""],
  ["dx", ""],
  ["di?", ""],
])("after %s the pending keys are %j", (keys, pending) => {
  const prompt = createTestPrompt("|ab cd");
  prompt.press(keys);
  expect(prompt.engine.pending).toBe(pending);
});

test.each(["$", "^", ">", "<", '"', "(", "{", ":"])("the symbol %s means the same with the shift flag", (key) => {
  const results = [false, true].map((shift) => {
    const engine = createVimEngine();
    return [engine.handleKey({ ...plain, key, shift }, "  ab c", 3), engine.pending];
  });
  expect(results[0]).toEqual(results[1]);
});

test("a submit clears pending keys and keeps the mode", () => {
  const prompt = createTestPrompt("|ab");
  prompt.press("d");
  prompt.engine.reset();
  expect([prompt.engine.pending, prompt.engine.mode]).toEqual(["", "normal"]);
  prompt.press("w");
  expect(prompt.marked()).toBe("a|b");
  prompt.press("i");
  prompt.engine.reset();
  expect(prompt.engine.mode).toBe("insert");
});

test("after a submit in INSERT, dot repeats what was typed since", () => {
  const prompt = createTestPrompt("|old text");
  prompt.press("cwnew");
  prompt.engine.reset();
  prompt.replace("|");
  prompt.press("xy<Esc>.");
  expect(prompt.marked()).toBe("xx|yy");
});

test("a submit keeps register, last find and last change", () => {
  const prompt = createTestPrompt("|a.b.c");
  prompt.press("f.x");
  prompt.engine.reset();
  prompt.replace("|x.y.z");
  prompt.press(";.P");
  expect(prompt.marked()).toBe("x|.y.z");
});

test("two engines share nothing", () => {
  const first = createTestPrompt("|ab");
  first.press("xi");
  const second = createTestPrompt("|");
  second.press("p");
  expect([second.marked(), second.engine.mode]).toEqual(["|", "normal"]);
});
