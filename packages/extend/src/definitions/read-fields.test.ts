/** Fields as people write them: what YAML allows, and the slips that real collections have. */
import { expect, test } from "vitest";
import { flagField, listField, nestedField, textField } from "./field-values.ts";
import { readFields } from "./read-fields.ts";

const read = (text: string) => readFields(text, 2);

test.each<readonly [text: string, value: unknown]>([
  ["a: plain", "plain"],
  ['a: "quoted: \\"x\\""', 'quoted: "x"'],
  ["a: 'it''s'", "it's"],
  ["a: plain # comment", "plain"],
  ["a: [x, 'y, z', Bash(git add:*)]", ["x", "y, z", "Bash(git add:*)"]],
  ["a:\n  - x\n  - y", ["x", "y"]],
  ["a:\n- x\n- y", ["x", "y"]],
  ["a: |\n  one\n  two", "one\ntwo"],
  ["a: >\n  one\n  two\n\n  three", "one two\nthree"],
  ["a: one\n  two", "one two"],
  ["a:\n  one\n  two", "one two"],
  ["a:", ""],
  ["a:\n  b: c", { yaml: "  b: c" }],
  ["a:\n\t- x\n\t- y", ["x", "y"]],
  ["a: [issue] [branch]", "[issue] [branch]"],
  ["a: [x] # comment", ["x"]],
  ["a: null", ""],
  ["a: ~", ""],
  ['a: "null"', "null"],
])("%j", (text, value) => {
  expect(read(text).fields.get("a")).toEqual(value);
});

test.each<readonly [text: string, value: unknown, line: number, note: RegExp]>([
  ["a: Use when: a test fails", "Use when: a test fails", 2, /colon/],
  ['a: "not closed', "not closed", 2, /quotes/],
  ["a:glued", "glued", 2, /space after/],
  ["a: x\na: y", "y", 3, /duplicated/],
  ["a: one\ntwo words here", "one two words here", 3, /part of a/],
  ["a: [x, y", ["x", "y"], 2, /not closed/],
  ["a:\n\t- x", ["x"], 2, /tabs/],
  ["a: [WIP] does this", "[WIP] does this", 2, /begins with/],
])("%j loads with a note", (text, value, line, note) => {
  const { fields, notes } = read(text);
  expect(fields.get("a")).toEqual(value);
  expect(notes).toEqual([{ line, text: expect.stringMatching(note) }]);
});

test("one field has one name, however it is written", () => {
  const names = ["allowed_tools", "allowedTools", "Allowed-Tools", "allowed tools", '"allowed-tools"'];
  expect(names.map((name) => [...read(`${name}: x`).fields.keys()])).toEqual(names.map(() => ["allowed-tools"]));
});

test("fields are read as texts, lists and flags", async () => {
  const { fields } = read(
    "t: x\nl: Read, Bash(git add:*), Grep\nw: Read Grep\nf: yes\np:\n  - name: env\n    required: true",
  );
  expect(textField(fields, "t")).toBe("x");
  expect(listField(fields, "l")).toEqual(["Read", "Bash(git add:*)", "Grep"]);
  expect(listField(fields, "w")).toEqual(["Read", "Grep"]);
  expect([flagField(fields, "f", false), flagField(fields, "none", true)]).toEqual([true, true]);
  expect(await nestedField(fields, "p")).toEqual([{ name: "env", required: true }]);
});

test("text without end takes bounded time", () => {
  expect(read(`a: ${"[".repeat(60_000)}`).fields.size).toBe(1);
  expect(read(`${" ".repeat(60_000)}:`).notes).toHaveLength(1);
  expect(read(`a: "${"\\".repeat(60_000)}`).fields.size).toBe(1);
});
