/** What is understood of an input while it is being written. */
import { expect, test } from "vitest";
import { readInput, readPartialInput } from "./partial-input.ts";

test.each([
  ["", {}],
  ["{", {}],
  ['{"fileP', {}],
  ['{"filePath"', {}],
  ['{"filePath":', {}],
  ['{"filePath":"/work/a', { filePath: "/work/a" }],
  ['{"filePath":"/work/a.ts"', { filePath: "/work/a.ts" }],
  ['{"filePath":"/work/a.ts","con', { filePath: "/work/a.ts" }],
  ['{"filePath":"/work/a.ts","content":"one\\', { filePath: "/work/a.ts", content: "one" }],
  ['{"command":"echo \\"a, b\\" \\u00e', { command: 'echo "a, b" ' }],
  ['{"command":"a\\\\', { command: "a\\" }],
  ['{"calls":[{"tool":"read","input":{"filePath":"x', { calls: [{ tool: "read", input: { filePath: "x" } }] }],
  ['{"limit":12,"offset":tr', { limit: 12 }],
  ['{"a":1}', { a: 1 }],
  ["[1,2]", {}],
  ["no json", {}],
])("%s", (text, input) => {
  expect(readInput(text)).toEqual(input);
});

test("of a very long one only the beginning is read", () => {
  const input = readPartialInput(`{"filePath":"a.ts","content":"${"x".repeat(100_000)}`);
  expect(Object.keys(input)).toEqual(["filePath", "content"]);
  expect(String(input["content"]).length).toBeLessThan(4_000);
});
