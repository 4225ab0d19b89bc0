import { expect, test } from "vitest";
import { similarRegion } from "./similar-region.ts";

test("lines that are equally alike are told apart by what stands around them", () => {
  const text = "first(\n  total = 1,\n);\nsecond(\n  total = 1,\n);\n";
  expect(similarRegion(text, "second(\n  total = 11,\n)")).toEqual({ line: 4, text: "second(\n  total = 1,\n);" });
});

test("a long region is cut, and its lines come without carriage returns", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line number ${index};`);
  const region = similarRegion(
    lines.join("\r\n"),
    lines.slice(3, 25).join("\n").replace("line number 3;", "line numbers 3;"),
  );
  expect(region?.text.split("\n")).toHaveLength(10);
  expect(region?.text).not.toContain("\r");
});

test("nothing alike is nothing to show", () => {
  expect(similarRegion("alpha\nbeta\n", "0123456789")).toBeUndefined();
});
