import { expect, test } from "vitest";
import { showTerminalControls, stripTerminalControls } from "./terminal-text.ts";

test.each([
  ["colours", "\u001b[1;31mred\u001b[0m", "red", "␛[1;31mred␛[0m"],
  ["cursor movement", "a\u001b[2J\u001b[10;5Hb", "ab", "a␛[2J␛[10;5Hb"],
  ["clipboard", "a\u001b]52;c;aGk=\u0007b", "ab", "a␛]52;c;aGk=␇b"],
  ["title with string terminator", "a\u001b]0;evil\u001b\\b", "ab", "a␛]0;evil␛\\b"],
  ["device control", "a\u001bPq#0\u001b\\b", "ab", "a␛Pq#0␛\\b"],
  ["8-bit introducers", "a\u009b31mb\u009d0;t\u009cc", "abc", "a<U+009B>31mb<U+009D>0;t<U+009C>c"],
  ["unfinished sequence", "a\u001b]52;c;rest\nnext", "a52;c;rest\nnext", "a␛]52;c;rest\nnext"],
  ["lone escape at the end", "a\u001b", "a", "a␛"],
  ["character set", "a\u001b(0b", "ab", "a␛(0b"],
  ["bell, backspace, NUL, DEL", "a\u0007\b\u0000\u007fb", "ab", "a␇␈␀␡b"],
  ["bidi override", "a\u202eb\u2066c", "abc", "a<U+202E>b<U+2066>c"],
  ["zero width and tags", "a\u200bb\ufeffc\u{e0041}d", "abcd", "a<U+200B>b<U+FEFF>c<U+E0041>d"],
  ["carriage returns", "one\r\r\ntwo\rthree", "one\ntwo\nthree", "one␍␍\ntwo␍three"],
])("%s", (_name, text, stripped, shown) => {
  expect(stripTerminalControls(text)).toBe(stripped);
  expect(showTerminalControls(text)).toBe(shown);
});

test("ordinary text stays as it is", () => {
  const text = "tab\tand\nlines, ümläut, 漢字, 😀️, [31m, ]52;c;";
  expect(stripTerminalControls(text)).toBe(text);
  expect(showTerminalControls(text)).toBe(text);
});

test("random text never keeps a control character", () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  let state = seed;
  const next = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % limit;
  };
  const alphabet = [
    "\u001b",
    "[",
    "]",
    "P",
    "\\",
    "\u0007",
    "\u009b",
    "\u009c",
    "\r",
    "\n",
    "\t",
    "3",
    ";",
    "m",
    "\u202e",
    "x",
  ];
  for (let round = 0; round < 2_000; round++) {
    const text = Array.from({ length: 20 }, () => alphabet[next(alphabet.length)]).join("");
    const safe = stripTerminalControls(text) + showTerminalControls(text);
    const found = [...safe].find((character) => /[^\P{Cc}\t\n]|\u202e/u.test(character));
    expect(found, `seed ${seed}, text ${JSON.stringify(text)}`).toBeUndefined();
  }
});

test.each(["\r", "\u001b]", "\u001b[1;", "\u009d", "\u001bP"])(
  "a flood of %j takes no longer than its length",
  (piece) => {
    const startedAt = performance.now();
    stripTerminalControls(piece.repeat(100_000));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  },
);
