/** Proves that TOML is read as its authors describe it, and that what is wrong is told with its line. */
import { expect, test } from "vitest";
import { readToml } from "./read-toml.ts";

/** Plain objects, for comparing. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("every kind of value", () => {
  const source = `# a comment
title = "TOML \\u00e9 \\"x\\" \\\\" # behind
literal = 'C:\\path'
"quoted key" = 1
a.b.c = true
numbers = [1, -2_000, 3.5e2, 0xff, +4, ]
long = """
one \\
   two
"three" """
raw = '''
keeps \\n
'''
date = 2026-01-02 03:04:05
inline = { x = 1, "y.z" = [ { deep = "v" } ] }

[table]
key = "value"
[table.'sub table']
on = false
[[list]]
name = "first"
[list.more]
n = 1
[[list]]
name = "second"
`;
  const read = readToml(source.replaceAll("\n", "\r\n").replaceAll("\r\n", "\n"));
  expect(read.ok && plain(read.table)).toEqual({
    title: 'TOML é "x" \\',
    literal: "C:\\path",
    "quoted key": 1,
    a: { b: { c: true } },
    numbers: [1, -2000, 350, 255, 4],
    long: 'one two\n"three" ',
    raw: "keeps \\n\n",
    date: "2026-01-02 03:04:05",
    inline: { x: 1, "y.z": [{ deep: "v" }] },
    table: { key: "value", "sub table": { on: false } },
    list: [{ name: "first", more: { n: 1 } }, { name: "second" }],
  });
});

test("line ends of Windows", () => {
  const read = readToml('a = 1\r\n[b]\r\nc = "d"\r\n');
  expect(read.ok && plain(read.table)).toEqual({ a: 1, b: { c: "d" } });
});

test.each([
  ["a = 1\na = 2", 2, "duplicate key a"],
  ["a = ", 1, "expected a value"],
  ['a = "x', 1, "unterminated string"],
  ["\n\n= 3", 3, "expected a key"],
  ["a = 1 b = 2", 1, "expected end of line"],
  ["[a]\n[a]", 2, "duplicate table a"],
  ["a = 1\n[a.b]", 2, "a is not a table"],
  ['a = "\\q"', 1, "unknown escape in a string: \\q"],
  [`a = ${"[".repeat(60)}`, 1, "nested too deeply"],
])("%j is refused", (source, line, why) => {
  expect(readToml(source)).toEqual({ ok: false, line, why });
});

test("a key named after a prototype is a key", () => {
  const read = readToml('__proto__ = "x"\nconstructor = 1\n[toString]\na = 1\n');
  expect(read.ok && Object.keys(read.table)).toEqual(["__proto__", "constructor", "toString"]);
  expect(Reflect.get({}, "x")).toBeUndefined();
});

test("a megabyte on one line is read", () => {
  const read = readToml(`a = "${"x".repeat(1_000_000)}"\n${"#".repeat(100_000)}\n${"\n".repeat(100_000)}b = 1\n`);
  expect(read.ok && Object.keys(read.table)).toEqual(["a", "b"]);
});
