/** Every command that changes or puts text, and dot, which repeats it. */
import { describe, expect, test } from "vitest";
import { createTestPrompt, keyForms, playRow, type Row, rowName } from "../../test/vim-prompt.ts";

const inserting: readonly Row[] = [
  { text: "a|bc", keys: "i", expected: "a|bc", mode: "insert" },
  { text: "a|bc", keys: "iX<Esc>", expected: "a|Xbc" },
  { text: "a|bc", keys: "i<Esc>", expected: "|abc" },
  { text: "  a|bc", keys: "I", expected: "  |abc", mode: "insert" },
  { text: "|  ", keys: "I", expected: "  |", mode: "insert" },
  { text: "  a|bc", keys: "IX<Esc>", expected: "  |Xabc" },
  { text: "a|bc", keys: "a", expected: "ab|c", mode: "insert" },
  { text: "ab|c\nd", keys: "a", expected: "abc|\nd", mode: "insert" },
  { text: "a\n|\nb", keys: "aX<Esc>", expected: "a\n|X\nb" },
  { text: "|", keys: "aX<Esc>", expected: "|X" },
  { text: "|abc\nd", keys: "A", expected: "abc|\nd", mode: "insert" },
  { text: "|abc\nd", keys: "AX<Esc>", expected: "abc|X\nd" },
  { text: "a|b\nc", keys: "o", expected: "ab\n|\nc", mode: "insert" },
  { text: "ab\n|c", keys: "oX<Esc>", expected: "ab\nc\n|X" },
  { text: "ab\nc|d", keys: "O", expected: "ab\n|\ncd", mode: "insert" },
  { text: "|", keys: "OX<Esc>", expected: "|X\n" },
];

const deleting: readonly Row[] = [
  { text: "a|bc", keys: "x", expected: "a|c", register: "b" },
  { text: "ab|c", keys: "x", expected: "a|b", register: "c" },
  { text: "ab| ", keys: "x", expected: "a|b", register: " " },
  { text: "ab\n|c\nd", keys: "x", expected: "ab\n|\nd", register: "c" },
  { text: "ab\n|\nd", keys: "x", expected: "ab\n|\nd" },
  { text: "ab\nc|d\n  ef", keys: "dd", expected: "ab\n  |ef", register: "cd\n" },
  { text: "  ab\nc|d", keys: "dd", expected: "  |ab", register: "cd\n" },
  { text: "a|b", keys: "dd", expected: "|", register: "ab\n" },
  { text: "a\n|", keys: "dd", expected: "|a", register: "\n" },
  { text: "|", keys: "dd", expected: "|", register: "" },
  { text: "a|bc\nd", keys: "D", expected: "|a\nd", register: "bc" },
  { text: "a\n|\nb", keys: "D", expected: "a\n|\nb" },
  { text: "ab\n  c|d\ne", keys: "cc", expected: "ab\n|\ne", mode: "insert", register: "  cd\n" },
  { text: "a|b", keys: "ccX<Esc>", expected: "|X", register: "ab\n" },
  { text: "|", keys: "ccX<Esc>", expected: "|X" },
  { text: "|ab\n", keys: "yljcwX<Esc>", expected: "ab\n|X", register: "a" },
  { text: "a|bc\nd", keys: "C", expected: "a|\nd", mode: "insert", register: "bc" },
  { text: "a\n|\nb", keys: "CX<Esc>", expected: "a\n|X\nb" },
];

const yankingAndPutting: readonly Row[] = [
  { text: "a\nb|c\nd", keys: "yy", expected: "a\nb|c\nd", register: "bc\n" },
  { text: "a\nb|c\nd", keys: "Y", expected: "a\nb|c\nd", register: "bc\n" },
  { text: "|ab c", keys: "ywp", expected: "aab| b c" },
  { text: "|ab c", keys: "ywP", expected: "ab| ab c" },
  { text: "|ab", keys: "xp", expected: "b|a" },
  { text: "|a", keys: "xp", expected: "|a" },
  { text: "a\n|\nb", keys: "kxjp", expected: "\n|a\nb" },
  { text: "|  ab\ncd", keys: "yyp", expected: "  ab\n  |ab\ncd" },
  { text: "|  ab\ncd", keys: "yyjp", expected: "  ab\ncd\n  |ab" },
  { text: "ab\n  c|d", keys: "yyP", expected: "ab\n  |cd\n  cd" },
  { text: "|ab\ncd\nef", keys: "yjjp", expected: "ab\ncd\n|ab\ncd\nef" },
  { text: "ab\n|cd\nef", keys: "ddp", expected: "ab\nef\n|cd" },
  { text: "ab\n|cd\nef", keys: "ddP", expected: "ab\n|cd\nef" },
  { text: "f(|a,\nb)", keys: "yi(Gp", expected: "f(a,\nba,\n|b)" },
  { text: "|ab", keys: "p", expected: "|ab" },
  { text: "|ab", keys: "P", expected: "|ab" },
];

const lines: readonly Row[] = [
  { text: "a|b", keys: ">>", expected: "  |ab" },
  { text: "x\n a|b", keys: ">>", expected: "x\n   |ab" },
  { text: "a\n|\nb", keys: ">>", expected: "a\n|\nb" },
  { text: "    a|b", keys: "<<", expected: "  |ab" },
  { text: " a|b", keys: "<<", expected: "|ab" },
  { text: "\ta|b", keys: "<<", expected: "|ab" },
  { text: " \ta|b", keys: "<<", expected: "|ab" },
  { text: "\t\ta|b", keys: "<<", expected: "\t|ab" },
  { text: "a|b", keys: "<<", expected: "|ab" },
  { text: "a\n|\nb", keys: "<<", expected: "a\n|\nb" },
  { text: "a|b", keys: "><", expected: "a|b" },
  { text: "a|b c", keys: ">w", expected: "a|b c" },
  { text: "a|b\n  cd", keys: "J", expected: "ab| cd" },
  { text: "a|b\n\ncd", keys: "J", expected: "a|b\ncd" },
  { text: "a|b\n   ", keys: "J", expected: "a|b" },
  { text: "f(|a\n  )", keys: "J", expected: "f(a|)" },
  { text: "|ab \ncd", keys: "J", expected: "ab |cd" },
  { text: "|\ncd", keys: "J", expected: "|cd" },
  { text: "ab\nc|d", keys: "J", expected: "ab\nc|d" },
];

const repeating: readonly Row[] = [
  { text: "|abcd", keys: "x.", expected: "|cd", register: "b" },
  { text: "|a\nb\nc", keys: "dd.", expected: "|c", register: "b\n" },
  { text: "a|bc\ndef", keys: "Dj.", expected: "a\n|" },
  { text: "|a\nb\nc", keys: "J.", expected: "a b| c" },
  { text: "|a\nb", keys: ">>j.", expected: "  a\n  |b" },
  { text: "    |a\n  b", keys: "<<j.", expected: "  a\n|b" },
  { text: "|ab", keys: "xp.", expected: "ba|a" },
  { text: "|a", keys: "yyP.", expected: "|a\na\na" },
  { text: "|a b c d", keys: "dw.", expected: "|c d", register: "b " },
  { text: "|a.b.c", keys: "df..", expected: "|c" },
  { text: "|a.b,c.d", keys: "f.d;", expected: "a|d" },
  { text: "|a.b.c.d.e", keys: "f.d;f,.", expected: "a|d.e" },
  { text: "|a.b.c", keys: "dt..", expected: "|.c" },
  { text: "|a\nb\nc\nd\ne", keys: "dj.", expected: "|e" },
  { text: "foo |bar baz", keys: "diww.", expected: "foo | " },
  { text: 'a("|x") b("y")', keys: 'di"fb.', expected: 'a("") b("|")' },
  { text: "f(|x) g(y)", keys: "da(fy.", expected: "f |g" },
  { text: "|foo bar baz", keys: "cwX<Esc>w.", expected: "X |X baz" },
  { text: "|foo bar", keys: "ciwnew<Esc>w.", expected: "new ne|w" },
  { text: "|a\nb\nc", keys: "ccX<Esc>j.", expected: "X\n|X\nc" },
  { text: "a|bc\ndef", keys: "CX<Esc>j.", expected: "aX\nd|X" },
  { text: "f(|a) g(b)", keys: "ci(X<Esc>fb.", expected: "f(X) g(|X)" },
  { text: "|b", keys: "iX<Esc>.", expected: "|XXb" },
  { text: "a|b\n  c", keys: "IX<Esc>j.", expected: "Xab\n  |Xc" },
  { text: "|ab", keys: "aX<Esc>.", expected: "aX|Xb" },
  { text: "|a\nb", keys: "A;<Esc>j.", expected: "a;\nb|;" },
  { text: "|a", keys: "oX<Esc>.", expected: "a\nX\n|X" },
  { text: "|a", keys: "OX<Esc>.", expected: "|X\nX\na" },
  { text: "|a", keys: "i1<Enter>2<Esc>.", expected: "1\n1\n|22a" },
  { text: "|a", keys: "i<Enter><Esc>.", expected: "\n\n|a" },
  { text: "|b", keys: "iX<Esc>llywj.", expected: "X|Xb" },
  { text: "|a b", keys: "xfqw.", expected: "| " },
  { text: "|a b", keys: ".", expected: "|a b" },
  { text: "|a.b c", keys: "dt.fc.", expected: ".b |c" },
  { text: "|a b", keys: "d.w", expected: "a |b" },
];

/** What counts as typed is the net difference, whatever happened on the way. */
const typedNet: readonly Row[] = [
  { text: "|x", keys: "iabc<BS><BS>d<Esc>.", expected: "aa|ddx" },
  { text: "foo|", keys: "a<BS>xy<Esc>.", expected: "foxyx|y" },
  { text: "|abcd", keys: "i<Right><Right>X<Esc>.", expected: "ab|XXcd" },
  { text: "x|a", keys: "iab<Esc>.", expected: "xaa|bba" },
  { text: "|x", keys: "iab<BS><BS><Esc>.", expected: "|x" },
  { text: "👍|", keys: "a<BS>👎<Esc>.", expected: "👎|👎" },
  { text: "ab |cd", keys: "cw<BS>-<Esc>0.", expected: "|--" },
];

const tables = [...inserting, ...deleting, ...yankingAndPutting, ...lines, ...repeating, ...typedNet];

describe.each(keyForms)("commands with capitals as %s", (form) => {
  test.each(tables.map((row) => [rowName(row), row] as const))("%s", (_, row) => {
    expect(playRow(row, form)).toEqual(row);
  });
});

test.each([
  [4, "a|b", ">>", "    |ab"],
  [4, "      a|b", "<<", "  |ab"],
  [0, "a|b", ">>", "|ab"],
] as const)("a shift width of %i", (shiftWidth, text, keys, expected) => {
  const prompt = createTestPrompt(text, { shiftWidth });
  prompt.press(keys);
  expect(prompt.marked()).toBe(expected);
});

test("a put that is not a change leaves dot alone", () => {
  const prompt = createTestPrompt("|ab cd");
  prompt.press("ixx<Esc>p.");
  expect(prompt.marked()).toBe("xx|xxab cd");
});
