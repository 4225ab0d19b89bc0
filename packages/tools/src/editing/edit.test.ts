import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { createEditTool, type EditInput } from "./edit.ts";

let workshop: Workshop;
beforeEach(async () => {
  workshop = openWorkshop();
  workshop.put(
    "a.ts",
    "const a = 1;\nconst b = 2;\nconst a = 1;\nfunction sum(left, right) {\n  return left + right;\n}\n",
  );
  await workshop.run("read", { filePath: "a.ts" });
});
afterEach(() => workshop.close());

const edit = (oldString: string, newString: string, rest = {}) => ({ filePath: "a.ts", oldString, newString, ...rest });

test("replaces a unique text, dollar signs taken as they are", async () => {
  expect((await workshop.run("edit", edit("b = 2", "b = $& + $1"))).isError).toBeUndefined();
  expect(workshop.text("a.ts")).toContain("const b = $& + $1;\n");
});

test("several matches are refused with their lines, or all replaced", async () => {
  expect(await workshop.validate("edit", edit("const a = 1;", "x"))).toBe(
    "oldString occurs 2 times, at lines 1, 3. Add surrounding lines or set replaceAll.",
  );
  await workshop.run("edit", edit("const a = 1;", "x", { replaceAll: true }));
  expect(workshop.text("a.ts")).toMatch(/^x\nconst b = 2;\nx\n/);
});

test("no match shows the most similar region with its line", async () => {
  expect(await workshop.validate("edit", edit("function sum(left, rigth) {\n  return left+right\n}", "x"))).toBe(
    "oldString was not found in a.ts; it must match exactly, including white space. Most similar, from line 4:\n" +
      "function sum(left, right) {\n  return left + right;\n}",
  );
  expect(await workshop.validate("edit", edit("zzzz qqqq", "x"))).toBe(
    "oldString was not found in a.ts; it must match exactly, including white space.",
  );
});

test("equal strings are refused, and an empty old string creates only what does not exist", async () => {
  expect(await workshop.validate("edit", edit("a", "a"))).toBe(
    "oldString and newString are equal; nothing would change.",
  );
  expect(await workshop.validate("edit", edit("", "x"))).toBe(
    "a.ts exists already; give the text to replace, or use write to replace all of it.",
  );
  const create = { filePath: "new.ts", oldString: "", newString: "x\n" };
  expect(await workshop.validate("edit", { ...create, oldString: "y" })).toBe(
    "new.ts does not exist; use an empty oldString to create it.",
  );
  expect((await workshop.run("edit", create)).output).toBe("Created new.ts (+1 -0 lines).");
  expect(workshop.text("new.ts")).toBe("x\n");
});

test("the preview is the diff that the change makes", async () => {
  expect(await workshop.preview("edit", edit("b = 2", "b = 3"))).toBe(
    "--- a/a.ts\n+++ b/a.ts\n@@ -1,5 +1,5 @@\n const a = 1;\n-const b = 2;\n+const b = 3;\n const a = 1;\n" +
      " function sum(left, right) {\n   return left + right;",
  );
});

test("what was not exact is matched leniently, told, and previewed as it will be", async () => {
  const shifted = edit(
    "  function sum(left, right) {\n    return left + right;",
    "  function sum(left, right) {\n    return left - right;",
  );
  expect(await workshop.preview("edit", shifted)).toContain("-  return left + right;\n+  return left - right;");
  const { output, metadata } = await workshop.run("edit", shifted);
  expect(output).toBe(
    "Changed a.ts (+1 -1 lines).\nWarnings:\n- oldString was not exact; matched at line 4 by WhitespaceNormalized.",
  );
  expect(metadata).toMatchObject({ op: "update", firstChangedLine: 5, strategies: ["WhitespaceNormalized"] });
  expect(metadata).not.toHaveProperty("similarity");
});

test("a place that is only alike is told with its similarity", async () => {
  const old = "const b = 2;\nconst aa = 1;\nfunction sum(left, right) {";
  const { output, metadata } = await workshop.run("edit", edit(old, old.replace("b = 2", "b = 3")));
  expect(output).toMatch(/matched at line 2 by BlockAnchor, \d\d % alike\.$/);
  expect(metadata?.["similarity"]).toBeGreaterThan(0.5);
  expect(metadata?.["similarity"]).toBeLessThan(1);
  expect(workshop.text("a.ts")).toContain("const b = 3;\nconst a = 1;\nfunction sum");
});

test("a person is warned of a match that is less similar than the threshold, and of no other", async () => {
  const context = workshop.newContext();
  const caution = async (input: EditInput, tool = createEditTool()) => tool.caution?.(input, context);
  const old = "const b = 2;\nconst alpha = 1;\nfunction sum(left, right) {";
  const alike = edit(old, old.replace("b = 2", "b = 3"));
  expect(await caution(alike)).toMatch(
    /^What is replaced in a\.ts from line 2 is only \d\d % like the text that was given; look at the diff\.$/,
  );
  expect(await caution(alike, createEditTool({ fuzzyThreshold: () => 0.5 }))).toBeUndefined();
  const spaced = edit("const  b = 2;", "const b = 3;");
  expect(await caution(spaced, createEditTool({ fuzzyThreshold: () => 1 }))).toBeUndefined();
  expect(await caution(edit("b = 2", "b = 3"))).toBeUndefined();
  expect(await caution(edit("not there", "b = 3"))).toBeUndefined();
});

test("only exact text is replaced when lenient matching is off", async () => {
  const exactOnly = createEditTool({ fuzzyMatch: () => false });
  const context = workshop.newContext();
  expect(await exactOnly.validate?.(edit("const b = 2; \nconst a = 1;", "x"), context)).toMatch(/was not found/);
  expect(await exactOnly.validate?.(edit("const a = 1;", "x", { replaceAll: true }), context)).toBeUndefined();
});

test("a lenient match in several places is refused with their lines", async () => {
  expect(await workshop.validate("edit", edit("const a  = 1;", "x"))).toBe(
    "oldString is not in a.ts exactly and resembles it 2 times, at lines 1, 3. Copy the lines meant exactly, with lines around.",
  );
});

test("generated files are refused unless they may be edited", async () => {
  workshop.put("a.ts", "// Code generated by a tool. DO NOT EDIT.\nconst a = 1;\n");
  await workshop.run("read", { filePath: "a.ts" });
  expect(await workshop.validate("edit", edit("a = 1", "a = 2"))).toMatch(/^a\.ts is a generated file/);
  const anyFile = createEditTool({ blockGenerated: () => false });
  expect(await anyFile.validate?.(edit("a = 1", "a = 2"), workshop.newContext())).toBeUndefined();
});
