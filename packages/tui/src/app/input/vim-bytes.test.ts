/** Proves vim mode from the bytes of a terminal on: decoded, routed and applied to the prompt. */
import { expect, test } from "vitest";
import { bytes, openRouteBench } from "../../../test/route-bench.ts";

const esc = bytes.escape;

type Row = readonly [before: string, keys: string, after: string];

/** Both texts begin at the first letter, in NORMAL; `⎋` is Escape and `⏎` a new line. */
const rows: readonly Row[] = [
  ["one two", "x", "ne two"],
  ["one two", "dw", "two"],
  ["one two", "wdw", "one "],
  ["one two", "de", " two"],
  ["one two", "$x", "one tw"],
  ["one two", "wD", "one "],
  ["one two", "wdb", "two"],
  ["one two", "dd", ""],
  ["one⏎two", "dd", "two"],
  ["one⏎two", "jdd", "one"],
  ["one two", "cwten⎋", "ten two"],
  ["one two", "ccnew⎋", "new"],
  ["one two", "wCnew⎋", "one new"],
  ["one two", "ia⎋", "aone two"],
  ["one two", "aa⎋", "oane two"],
  ["one two", "wIa⎋", "aone two"],
  ["one two", "Aa⎋", "one twoa"],
  ["one⏎two", "onew⎋", "one⏎new⏎two"],
  ["one⏎two", "jOnew⎋", "one⏎new⏎two"],
  ["one two", "fedl", "on two"],
  ["one two", "dft", "wo"],
  ["one two", "dtt", "two"],
  ["one two", "$dFt", "one o"],
  ["one two", "$dTt", "one to"],
  ["one two", "ft;x", "one wo"],
  ["one two", "wdiw", "one "],
  ["one two", "daw", "two"],
  ['say "one two" now', 'fodi"', 'say "" now'],
  ['say "one two" now', 'foda"', "say now"],
  ["f(one, two)", "fodi(", "f()"],
  ["f(one, two)", "foda)", "f"],
  ["a [b] {c}", "fbdi]", "a [] {c}"],
  ["a [b] {c}", "fcci}x⎋", "a [b] {x}"],
  ["one two", "yiwP", "oneone two"],
  ["one⏎two", "yyp", "one⏎one⏎two"],
  ["one⏎two", "ddp", "two⏎one"],
  ["one two", "xp", "noe two"],
  ["one⏎two", "J", "one two"],
  ["one⏎two", ">>", "  one⏎two"],
  ["one two three", "dw.", "three"],
  ["one two", "Wx", "one wo"],
  ["a.b c", "dW", "c"],
  ["one two", "$bx", "one wo"],
  ["one two", "Ex", "on two"],
  ["one⏎two⏎six", "Gx", "one⏎two⏎ix"],
  ["one⏎two⏎six", "Gggx", "ne⏎two⏎six"],
  ["  one", "$^x", "  ne"],
  ["one two", "uqz5/~sS", "one two"],
  ["早上好 世界", "dw", "世界"],
  ["👍🏽 ok", "x", " ok"],
];

const linesOf = (text: string) => text.replaceAll("⏎", "\n");

test.each(rows)("%j, then %s", (before, keys, after) => {
  const { prompt, send, type } = openRouteBench({ hasVim: true });
  prompt.setText(linesOf(before));
  send(esc);
  type("gg0");
  for (const [index, typed] of keys.split("⎋").entries()) {
    if (index > 0) send(esc);
    type(typed);
  }
  expect([prompt.text(), prompt.vimMode()]).toEqual([linesOf(after), "normal"]);
});

test("the same commands as other protocols send them", () => {
  const { prompt, send } = openRouteBench({ hasVim: true });
  prompt.setText("one two");
  // Kitty: 0, D of the second word by w, capital and dollar with their shifted forms.
  send("\u001b[48u", "\u001b[119u", "\u001b[100:68;2u");
  expect(prompt.text()).toBe("one ");
  send("\u001b[97:65;2u", "x", "\u001b[27u", "\u001b[48u", "\u001b[52:36;2u", "\u001b[120u");
  expect(prompt.text()).toBe("one ");
  // xterm's modifyOtherKeys.
  send("\u001b[27;2;65~", "y", esc, "0", "\u001b[27;2;68~");
  expect(prompt.text()).toBe("");
});

test("keys of the app work in NORMAL, and are not typed", () => {
  const { prompt, send, done } = openRouteBench({ hasVim: true });
  prompt.setText("text");
  send(bytes.ctrlX, "m", bytes.tab, bytes.pageUp, bytes.enter);
  expect([done, prompt.text()]).toEqual([["model_list", "toggle_mode", "scroll_page_up", "submit"], "text"]);
});
