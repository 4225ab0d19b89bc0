import { expect, test } from "vitest";
import { createReindent, type IndentPair, indentStep } from "./reindent.ts";

const pair = (wanted: string, present: string): IndentPair => ({ wanted, present });
const reindent = (pairs: readonly IndentPair[], line: string, wantedLines: string[] = [], fileLines: string[] = []) =>
  createReindent({ pairs, wantedLines, fileLines })(line, []);

test("unchanged indentation stays, known indentation is translated", () => {
  expect(reindent([pair("  ", "  ")], "      a")).toBe("      a");
  expect(reindent([pair("", "\t"), pair("  ", "\t\t")], "  a")).toBe("\t\ta");
});

test("a shift of all lines moves new levels along", () => {
  expect(reindent([pair("", "    "), pair("  ", "      ")], "    a")).toBe("        a");
  expect(reindent([pair("    ", "  "), pair("      ", "    ")], "        a")).toBe("      a");
  expect(reindent([pair("      ", ""), pair("        ", "  ")], "  a")).toBeUndefined();
});

test("tabs and spaces are translated level by level", () => {
  const spaces = ["a", "    b", "        c"];
  const tabs = ["a", "\tb", "\t\tc"];
  expect(reindent([pair("    ", "\t")], "        c", spaces, tabs)).toBe("\t\tc");
  expect(reindent([pair("\t", "    ")], "\t\tc", tabs, spaces)).toBe("        c");
  expect(reindent([pair("  ", "    ")], "    c", ["a", "  b"], spaces)).toBe("        c");
});

test("contradicting lines leave an unknown level open", () => {
  expect(reindent([pair("  ", "    "), pair("  ", "  ")], "  a")).toBeUndefined();
  expect(reindent([pair("  ", "  "), pair("    ", "  ")], "      a")).toBeUndefined();
});

test("a first line that lost its indentation does not count", () => {
  expect(reindent([pair("", "    "), pair("    ", "    ")], "        a")).toBe("        a");
});

test("one level is what occurs most often", () => {
  expect(indentStep(["a", "  b", "    c", "a", "    d"])).toBe("  ");
  expect(indentStep(["a", "\tb"])).toBe("\t");
  expect(indentStep(["/*", " * a", " */"])).toBeUndefined();
});
