/** Every motion alone and under each operator: where it goes, what it takes, what the register holds. */
import { describe, expect, test } from "vitest";
import { createTestPrompt, keyForms, playRow, type Row, rowName } from "../../test/vim-prompt.ts";

const withinLine: readonly Row[] = [
  { text: "ab|c", keys: "h", expected: "a|bc" },
  { text: "a\n|bc", keys: "h", expected: "a\n|bc" },
  { text: "ab|c", keys: "dh", expected: "a|c", register: "b" },
  { text: "a\n|bc", keys: "dh", expected: "a\n|bc" },
  { text: "ab|c", keys: "chX<Esc>", expected: "a|Xc", register: "b" },
  { text: "ab|c", keys: "yh", expected: "a|bc", register: "b" },
  { text: "a|bc", keys: "l", expected: "ab|c" },
  { text: "ab|c\nd", keys: "l", expected: "ab|c\nd" },
  { text: "a|bc", keys: "dl", expected: "a|c", register: "b" },
  { text: "ab|c\nd", keys: "dl", expected: "a|b\nd", register: "c" },
  { text: "a|bc", keys: "clX<Esc>", expected: "a|Xc", register: "b" },
  { text: "a\n|\nb", keys: "clX<Esc>", expected: "a\n|X\nb" },
  { text: "a|bc", keys: "yl", expected: "a|bc", register: "b" },
  { text: "  foo b|ar", keys: "0", expected: "|  foo bar" },
  { text: "a\nfoo b|ar", keys: "d0", expected: "a\n|ar", register: "foo b" },
  { text: "foo b|ar", keys: "c0X<Esc>", expected: "|Xar", register: "foo b" },
  { text: "|foo", keys: "c0X<Esc>", expected: "|Xfoo" },
  { text: "foo b|ar", keys: "y0", expected: "|foo bar", register: "foo b" },
  { text: "  foo b|ar", keys: "^", expected: "  |foo bar" },
  { text: "|  foo", keys: "^", expected: "  |foo" },
  { text: "|   ", keys: "^", expected: "  | " },
  { text: "  foo b|ar", keys: "d^", expected: "  |ar", register: "foo b" },
  { text: "|  foo", keys: "d^", expected: "|foo", register: "  " },
  { text: "  foo b|ar", keys: "c^X<Esc>", expected: "  |Xar", register: "foo b" },
  { text: "  foo b|ar", keys: "y^", expected: "  |foo bar", register: "foo b" },
  { text: "f|oo bar\nx", keys: "$", expected: "foo ba|r\nx" },
  { text: "a\n|\nb", keys: "$", expected: "a\n|\nb" },
  { text: "f|oo bar\nx", keys: "d$", expected: "|f\nx", register: "oo bar" },
  { text: "a\n|\nb", keys: "d$", expected: "a\n|\nb" },
  { text: "f|oo bar\nx", keys: "c$X<Esc>", expected: "f|X\nx", register: "oo bar" },
  { text: "f|oo bar\nx", keys: "y$", expected: "f|oo bar\nx", register: "oo bar" },
];

const betweenLines: readonly Row[] = [
  { text: "abc\nd|ef", keys: "k", expected: "a|bc\ndef" },
  { text: "a|bc\ndef", keys: "j", expected: "abc\nd|ef" },
  { text: "abc|d\n\nx\nefgh", keys: "jjj", expected: "abcd\n\nx\nefg|h" },
  { text: "abcd\n\nx\nefg|h", keys: "kkk", expected: "abc|d\n\nx\nefgh" },
  { text: "|ab\n\nefgh", keys: "$jj", expected: "ab\n\nefg|h" },
  { text: "abc|d\nx\nefgh", keys: "j0j", expected: "abcd\nx\n|efgh" },
  { text: "|abc\n  d\nef", keys: "dj", expected: "|ef", register: "abc\n  d\n" },
  { text: "ef\n|abc\n  d", keys: "dj", expected: "|ef", register: "abc\n  d\n" },
  { text: "abc\n|d", keys: "dj", expected: "abc\n|d" },
  { text: "|abc\nd\nef", keys: "cjX<Esc>", expected: "|X\nef", register: "abc\nd\n" },
  { text: "a|bc\nd\nef", keys: "yj", expected: "a|bc\nd\nef", register: "abc\nd\n" },
  { text: "abc\nd\n |ef\ng", keys: "dk", expected: "abc\n|g", register: "d\n ef\n" },
  { text: "a|bc\nd", keys: "dk", expected: "a|bc\nd" },
  { text: "abc\nd\ne|f", keys: "ckX<Esc>", expected: "abc\n|X", register: "d\nef\n" },
  { text: "abc\nd\ne|f", keys: "yk", expected: "abc\n|d\nef", register: "d\nef\n" },
  { text: "  abc\nd\ne|f", keys: "gg", expected: "  |abc\nd\nef" },
  { text: "abc\nd|e\nf", keys: "dgg", expected: "|f", register: "abc\nde\n" },
  { text: "abc\nd|e\nf", keys: "cggX<Esc>", expected: "|X\nf", register: "abc\nde\n" },
  { text: "abc\nd|e\nf", keys: "ygg", expected: "|abc\nde\nf", register: "abc\nde\n" },
  { text: "a|bc\nd\n  ef", keys: "G", expected: "abc\nd\n  |ef" },
  { text: "a|bc\n", keys: "G", expected: "abc\n|" },
  { text: "abc\nd|e\nf", keys: "dG", expected: "|abc", register: "de\nf\n" },
  { text: "abc\nd|e\nf", keys: "cGX<Esc>", expected: "abc\n|X", register: "de\nf\n" },
  { text: "abc\nd|e\nf", keys: "yG", expected: "abc\nd|e\nf", register: "de\nf\n" },
];

const words: readonly Row[] = [
  { text: "f|oo.bar baz", keys: "w", expected: "foo|.bar baz" },
  { text: "foo|.bar", keys: "w", expected: "foo.|bar" },
  { text: "foo_1|2  é", keys: "w", expected: "foo_12  |é" },
  { text: "fo|o\n  bar", keys: "w", expected: "foo\n  |bar" },
  { text: "fo|o\n\nbar", keys: "w", expected: "foo\n|\nbar" },
  { text: "foo\n|\nbar", keys: "w", expected: "foo\n\n|bar" },
  { text: "foo |bar", keys: "w", expected: "foo ba|r" },
  { text: "naï|ve日本 x", keys: "w", expected: "naïve日本 |x" },
  { text: "foo |bar.baz x", keys: "dw", expected: "foo |.baz x", register: "bar" },
  { text: "|foo  bar", keys: "dw", expected: "|bar", register: "foo  " },
  { text: "foo |bar\nbaz", keys: "dw", expected: "foo| \nbaz", register: "bar" },
  { text: "foo |bar  \n  baz", keys: "dw", expected: "foo| \n  baz", register: "bar  " },
  { text: "foo|  \nbaz", keys: "dw", expected: "fo|o\nbaz", register: "  " },
  { text: "a\n|\nb", keys: "dw", expected: "a\n|b", register: "\n" },
  { text: "foo |bar", keys: "dw", expected: "foo| ", register: "bar" },
  { text: "f|oo bar", keys: "cwX<Esc>", expected: "f|X bar", register: "oo" },
  { text: "fo|o bar", keys: "cwX<Esc>", expected: "fo|X bar", register: "o" },
  { text: "foo|.. bar", keys: "cwX<Esc>", expected: "foo|X bar", register: ".." },
  { text: "foo|   bar", keys: "cwX<Esc>", expected: "foo|Xbar", register: "   " },
  { text: "foo|  \nbar", keys: "cwX<Esc>", expected: "foo|X\nbar", register: "  " },
  { text: "a\n|\nb", keys: "cwX<Esc>", expected: "a\n|X\nb" },
  { text: "|foo bar", keys: "yw", expected: "|foo bar", register: "foo " },
  { text: "f|oo.bar baz", keys: "W", expected: "foo.bar |baz" },
  { text: "fo|o,\n\nbar", keys: "W", expected: "foo,\n|\nbar" },
  { text: "f|oo.bar baz", keys: "dW", expected: "f|baz", register: "oo.bar " },
  { text: "x f|oo.bar\nbaz", keys: "dW", expected: "x |f\nbaz", register: "oo.bar" },
  { text: "f|oo.bar baz", keys: "cWX<Esc>", expected: "f|X baz", register: "oo.bar" },
  { text: "foo.ba|r baz", keys: "cWX<Esc>", expected: "foo.ba|X baz", register: "r" },
  { text: "foo| .bar", keys: "cWX<Esc>", expected: "foo|X.bar", register: " " },
  { text: "f|oo.bar baz", keys: "yW", expected: "f|oo.bar baz", register: "oo.bar " },
  { text: "foo.bar b|az", keys: "b", expected: "foo.bar |baz" },
  { text: "foo.bar |baz", keys: "b", expected: "foo.|bar baz" },
  { text: "foo.|bar", keys: "b", expected: "foo|.bar" },
  { text: "foo\n\n  |bar", keys: "b", expected: "foo\n|\n  bar" },
  { text: "foo\n  |bar", keys: "b", expected: "|foo\n  bar" },
  { text: "  |foo", keys: "b", expected: "|  foo" },
  { text: "foo ba|r", keys: "db", expected: "foo |r", register: "ba" },
  { text: "|foo", keys: "db", expected: "|foo" },
  { text: "x foo\n|bar", keys: "db", expected: "x| \nbar", register: "foo" },
  { text: "foo\n|bar", keys: "db", expected: "|bar", register: "foo\n" },
  { text: "foo ba|r", keys: "cbX<Esc>", expected: "foo |Xr", register: "ba" },
  { text: "foo ba|r", keys: "yb", expected: "foo |bar", register: "ba" },
  { text: "x foo.ba|r", keys: "B", expected: "x |foo.bar" },
  { text: "foo\n\n|.bar", keys: "B", expected: "foo\n|\n.bar" },
  { text: "x foo.ba|r", keys: "dB", expected: "x |r", register: "foo.ba" },
  { text: "x foo.ba|r", keys: "cBX<Esc>", expected: "x |Xr", register: "foo.ba" },
  { text: "x foo.ba|r", keys: "yB", expected: "x |foo.bar", register: "foo.ba" },
  { text: "|foo bar", keys: "e", expected: "fo|o bar" },
  { text: "fo|o bar", keys: "e", expected: "foo ba|r" },
  { text: "fo|o.. bar", keys: "e", expected: "foo.|. bar" },
  { text: "fo|o\n\n  bar", keys: "e", expected: "foo\n\n  ba|r" },
  { text: "fo|o  ", keys: "e", expected: "foo | " },
  { text: "f|oo bar", keys: "de", expected: "f| bar", register: "oo" },
  { text: "fo|o bar x", keys: "de", expected: "fo| x", register: "o bar" },
  { text: "fo|o", keys: "de", expected: "f|o", register: "o" },
  { text: "f|oo bar", keys: "ceX<Esc>", expected: "f|X bar", register: "oo" },
  { text: "fo|o bar x", keys: "ceX<Esc>", expected: "fo|X x", register: "o bar" },
  { text: "f|oo bar", keys: "ye", expected: "f|oo bar", register: "oo" },
  { text: "|foo.bar baz", keys: "E", expected: "foo.ba|r baz" },
  { text: "foo.ba|r\nb.z", keys: "E", expected: "foo.bar\nb.|z" },
  { text: "f|oo.bar baz", keys: "dE", expected: "f| baz", register: "oo.bar" },
  { text: "f|oo.bar baz", keys: "cEX<Esc>", expected: "f|X baz", register: "oo.bar" },
  { text: "f|oo.bar baz", keys: "yE", expected: "f|oo.bar baz", register: "oo.bar" },
];

const finds: readonly Row[] = [
  { text: "|a.b.c", keys: "f.", expected: "a|.b.c" },
  { text: "|ab\nx", keys: "fx", expected: "|ab\nx" },
  { text: "|a b", keys: "f<Space>", expected: "a| b" },
  { text: "|a5b", keys: "f5", expected: "a|5b" },
  { text: "|a.b.c", keys: "df.", expected: "|b.c", register: "a." },
  { text: "|a.b", keys: "dfx", expected: "|a.b" },
  { text: "|a.b.c", keys: "cf.X<Esc>", expected: "|Xb.c", register: "a." },
  { text: "|a.b.c", keys: "yf.", expected: "|a.b.c", register: "a." },
  { text: "|ab.c", keys: "t.", expected: "a|b.c" },
  { text: "a|b.c", keys: "t.", expected: "a|b.c" },
  { text: "|ab.c", keys: "dt.", expected: "|.c", register: "ab" },
  { text: "a|b.c", keys: "dt.", expected: "a|.c", register: "b" },
  { text: "|ab.c", keys: "ct.X<Esc>", expected: "|X.c", register: "ab" },
  { text: "|ab.c", keys: "yt.", expected: "|ab.c", register: "ab" },
  { text: "a.b.|c", keys: "F.", expected: "a.b|.c" },
  { text: "x\na|b", keys: "Fx", expected: "x\na|b" },
  { text: "a.b.|c", keys: "dF.", expected: "a.b|c", register: "." },
  { text: "a.bc|d", keys: "cF.X<Esc>", expected: "a|Xd", register: ".bc" },
  { text: "a.bc|d", keys: "yF.", expected: "a|.bcd", register: ".bc" },
  { text: "a.bc|d", keys: "T.", expected: "a.|bcd" },
  { text: "a.bc|d", keys: "dT.", expected: "a.|d", register: "bc" },
  { text: "a.bc|d", keys: "cT.X<Esc>", expected: "a.|Xd", register: "bc" },
  { text: "a.bc|d", keys: "yT.", expected: "a.|bcd", register: "bc" },
  { text: "|abAb", keys: "fA", expected: "ab|Ab" },
  { text: "abAb|b", keys: "TA", expected: "abA|bb" },
  { text: "|a.b.c.d", keys: "f.;", expected: "a.b|.c.d" },
  { text: "|a.b.c.d", keys: "f.;;,", expected: "a.b|.c.d" },
  { text: "|a.b.c.d", keys: "f.;,;", expected: "a.b|.c.d" },
  { text: "|ab.cd.ef", keys: "t.;", expected: "ab.c|d.ef" },
  { text: "|ab.cd.ef", keys: "t.;,", expected: "ab.|cd.ef" },
  { text: "ab.cd.e|f", keys: "T.;", expected: "ab.|cd.ef" },
  { text: "ab.cd.e|f", keys: "F.;", expected: "ab|.cd.ef" },
  { text: "ab.cd.e|f", keys: "F.;,", expected: "ab.cd|.ef" },
  { text: "|a.b.c", keys: "f.fx;", expected: "a.b|.c" },
  { text: "|a.b.c", keys: ";", expected: "|a.b.c" },
  { text: "|a.b.c", keys: "fx,", expected: "|a.b.c" },
  { text: "|a.b.c.d", keys: "f.d;", expected: "a|c.d", register: ".b." },
  { text: "|a.b.c.d", keys: "f.;d,", expected: "a|.c.d", register: ".b" },
  { text: "|a.b.c.d", keys: "f.c;X<Esc>", expected: "a|Xc.d", register: ".b." },
  { text: "|a.b.c.d", keys: "f.y;", expected: "a|.b.c.d", register: ".b." },
  { text: "|a.b.c.d", keys: "df.;", expected: "b|.c.d" },
];

describe.each(keyForms)("motions with capitals as %s", (form) => {
  test.each([...withinLine, ...betweenLines, ...words, ...finds].map((row) => [rowName(row), row] as const))(
    "%s",
    (_, row) => {
      expect(playRow(row, form)).toEqual(row);
    },
  );
});

test.each([
  ["ab\nc|d", "j", { consumed: true, edge: "down" }],
  ["a|b\ncd", "k", { consumed: true, edge: "up" }],
  ["|", "j", { consumed: true, edge: "down" }],
  ["ab|", "k", { consumed: true, cursor: 1, edge: "up" }],
  ["a|b\ncd", "j", { consumed: true, cursor: 4 }],
] as const)("%j and %s at the edge of the text", (text, key, expected) => {
  expect(createTestPrompt(text).press(key)).toEqual([expected]);
});

test("an operator over the edge gives no edge", () => {
  expect(createTestPrompt("a|b").press("dj")).toEqual([{ consumed: true }, { consumed: true }]);
});

test("the desired column is forgotten when the application moved the cursor or replaced the text", () => {
  const prompt = createTestPrompt("abc|d\nx\nefgh");
  prompt.press("j");
  prompt.replace("abcd\n|x\nef");
  prompt.press("j");
  expect(prompt.marked()).toBe("abcd\nx\n|ef");
  prompt.replace("abc|d\nx\nefgh");
  prompt.press("j");
  prompt.replace("abcd\nx\n|efgh");
  prompt.press("kk");
  expect(prompt.marked()).toBe("|abcd\nx\nefgh");
});
