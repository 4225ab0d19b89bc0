import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../test/workshop.ts";

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
