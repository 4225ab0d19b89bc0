import { expect, test } from "vitest";
import { escapeUnbalanced, matchAnyLineEnd, spansLines } from "./repair-pattern.ts";

test.each([
  ["foo(", "foo\\("],
  ["foo)", "foo\\)"],
  ["(a)(b", "(a)\\(b"],
  ["interface{}", "interface\\{\\}"],
  ["a{2,3}{", "a{2,3}\\{"],
  ["\\p{L}(", "\\p{L}\\("],
  ["[({]", undefined],
  ["[]({]", undefined],
  ["[^](]", undefined],
  ["\\(", undefined],
  ["(a|b){2}", undefined],
])("escapes what has no partner in %s", (pattern, repaired) => {
  expect(escapeUnbalanced(pattern)).toBe(repaired);
});

test("line feeds are seen outside of escaped backslashes, and match any line end", () => {
  expect(spansLines("a\\nb")).toBe(true);
  expect(spansLines("a\nb")).toBe(true);
  expect(spansLines("a\\\\nb")).toBe(false);
  expect(matchAnyLineEnd("a\\nb\nc[^\\n]\\r\\n\\r?\\n")).toBe("a(?:\\r?\\n)b(?:\\r?\\n)c[^\\n]\\r\\n\\r?\\n");
});
