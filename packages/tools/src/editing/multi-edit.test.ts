import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { createMultiEditTool, type MultiEditInput } from "./multi-edit.ts";

let workshop: Workshop;
beforeEach(async () => {
  workshop = openWorkshop();
  workshop.put("a.ts", "const a = 1;\nconst b = 2;\nconst c = 3;\n");
  await workshop.run("read", { filePath: "a.ts" });
});
afterEach(() => workshop.close());

const tool = createMultiEditTool();
const input = (...edits: MultiEditInput["edits"]): MultiEditInput => ({ filePath: "a.ts", edits });

test("edits are made in order, each on the result of the one before", async () => {
  const edits = input(
    { oldString: "a = 1", newString: "first = 1" },
    { oldString: "first = 1;\nconst b", newString: "first = 1;\nconst second" },
    { oldString: "const ", newString: "let ", replaceAll: true },
  );
  expect(await tool.validate?.(edits, workshop.newContext())).toBeUndefined();
  expect(await tool.run(edits, workshop.newContext())).toEqual({
    output: "Changed a.ts (+3 -3 lines).",
    title: "a.ts",
    metadata: {
      diff:
        "--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n-const a = 1;\n-const b = 2;\n-const c = 3;\n" +
        "+let first = 1;\n+let second = 2;\n+let c = 3;",
      additions: 3,
      deletions: 3,
      op: "update",
      firstChangedLine: 1,
      diagnostics: [],
    },
  });
  expect(workshop.text("a.ts")).toBe("let first = 1;\nlet second = 2;\nlet c = 3;\n");
});

test("one that fails is named, and none is written", async () => {
  const edits = input({ oldString: "a = 1", newString: "a = 9" }, { oldString: "const a = 1;", newString: "x" });
  const problem =
    "Edit 2 of 2 failed, so no edit was applied. oldString was not found in a.ts; it must match exactly, including white " +
    "space. Most similar, from line 1:\nconst a = 9;";
  expect(await tool.validate?.(edits, workshop.newContext())).toBe(problem);
  expect(await tool.run(edits, workshop.newContext())).toEqual({ output: problem, isError: true, title: "a.ts" });
  expect(workshop.text("a.ts")).toBe("const a = 1;\nconst b = 2;\nconst c = 3;\n");
});

test("edits that undo each other are refused", async () => {
  const edits = input({ oldString: "a = 1", newString: "a = 9" }, { oldString: "a = 9", newString: "a = 1" });
  expect(await tool.validate?.(edits, workshop.newContext())).toBe("The edits undo each other; nothing would change.");
});

test("a new file begins with an empty old string and may be edited at once", async () => {
  const edits = {
    filePath: "new.ts",
    edits: [
      { oldString: "", newString: "one\n" },
      { oldString: "one", newString: "two" },
    ],
  };
  const { output, metadata } = await tool.run(edits, workshop.newContext());
  expect(output).toBe("Created new.ts (+1 -0 lines).");
  expect(metadata).toMatchObject({ op: "create", firstChangedLine: 1 });
  expect(workshop.text("new.ts")).toBe("two\n");
});

test("what was not exact is told per edit", async () => {
  const edits = input(
    { oldString: "const a = 1; \nconst b = 2;", newString: "const a = 1;\nconst b = 4;" },
    { oldString: "const  c = 3", newString: "const c = 5" },
  );
  const { output, metadata } = await tool.run(edits, workshop.newContext());
  expect(output).toBe(
    "Changed a.ts (+2 -2 lines).\nWarnings:\n- oldString was not exact; matched at line 1 by LineTrimmed.\n" +
      "- oldString was not exact; matched at line 3 by WhitespaceNormalized.",
  );
  expect(metadata).toMatchObject({ strategies: ["LineTrimmed", "WhitespaceNormalized"], firstChangedLine: 2 });
});

test("the input holds one edit at least and 50 at most", () => {
  const edit = { oldString: "a", newString: "b" };
  expect(tool.parse({ filePath: "a", edits: [edit] })).toEqual({ ok: true, input: { filePath: "a", edits: [edit] } });
  expect(tool.parse({ filePath: "a", edits: [] }).ok).toBe(false);
  expect(tool.parse({ filePath: "a", edits: new Array(51).fill(edit) }).ok).toBe(false);
  expect(tool.needs(input(edit), "/place")).toEqual([
    { permission: "edit", patterns: ["a.ts"], always: ["a.ts"], access: "write", paths: ["/place/a.ts"] },
  ]);
});

test("a person is warned of the least similar of the matches", async () => {
  const old = "const a = 1;\nconst bee = 2;\nconst c = 3;";
  const edits = input(
    { oldString: "a = 1", newString: "a = 4" },
    { oldString: old.replace("1", "4"), newString: old.replace("1", "5") },
  );
  expect(await tool.caution?.(edits, workshop.newContext())).toMatch(
    /^What is replaced in a\.ts from line 1 is only \d\d % like the text that was given; look at the diff\.$/,
  );
  const exact = input({ oldString: "a = 1", newString: "a = 4" });
  expect(await tool.caution?.(exact, workshop.newContext())).toBeUndefined();
});
