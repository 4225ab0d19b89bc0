import { createSeededRandom, withPatience } from "@kedge/testing";
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

test.each([
  ["variation selectors", "a\ufe00b\ufe0fc\u{e0100}", "a<U+FE00>b<U+FE0F>c<U+E0100>"],
  ["a selector behind a digit that is no key cap", "rm 1\ufe0f", "rm 1<U+FE0F>"],
  ["a second selector behind an emoji", "😀\ufe0f\ufe0f", "😀\ufe0f<U+FE0F>"],
  ["a selector behind a space", " \ufe0f", " <U+FE0F>"],
  ["Mongolian selectors", "a\u180bb\u180fc", "a<U+180B>b<U+180F>c"],
  ["marks of music, shorthand and hieroglyphs", "\u{1d173}\u{1bca0}\u{13430}", "<U+1D173><U+1BCA0><U+13430>"],
  ["fillers", "a\u{16fe4}b\u3164c\u115fd", "a<U+16FE4>b<U+3164>c<U+115F>d"],
  ["halves of pairs", "a\ud800b\udc00", "a<U+D800>b<U+DC00>"],
  ["blanks that are no space", "a\u00a0b\u2000c\u200ad\u202fe\u205ff\u3000g\u1680h\u2800", blanksShown()],
  ["ends of lines", "a\u2028b\u2029c\u0085d", "a<U+2028>b<U+2029>c<U+0085>d"],
])("what a person judges shows %s", (_name, text, shown) => {
  expect(showTerminalControls(text)).toBe(shown);
});

function blanksShown(): string {
  return "a<U+00A0>b<U+2000>c<U+200A>d<U+202F>e<U+205F>f<U+3000>g<U+1680>h<U+2800>";
}

test("whatever was made visible before stays visible: all that is stripped is also shown", () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (stripTerminalControls(`a${character}b`) === `a${character}b`) continue;
    expect(showTerminalControls(`a${character}b`), code.toString(16)).not.toContain(character);
  }
});

test("ordinary text stays as it is", () => {
  const text = "tab\tand\nlines, ümläut, 漢字, 😀️, ❤️, 1️⃣, é, [31m, ]52;c;";
  expect(stripTerminalControls(text)).toBe(text);
  expect(showTerminalControls(text)).toBe(text);
});

test("random text never keeps a control character", () => {
  const { seed, below: next } = createSeededRandom();
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
    const flood = piece.repeat(1_000_000);
    expect(withPatience(() => stripTerminalControls(flood)).length).toBeLessThan(flood.length);
  },
);
