/** Covers what follows a write by any tool that changes files: formatters, checkers, and what the result tells of both. */
import { readFileSync, writeFileSync } from "node:fs";
import type { FileUpkeep, ToolContext } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { hashContent } from "../file-content.ts";
import { createEditLinesTool } from "./hashline/edit-lines.ts";
import { createVersionStore, wholeFile } from "./hashline/versions.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

/** Writes single quotes as double ones, in place and without a change of size, as a quick formatter might. */
const quoting: FileUpkeep = {
  async format(path) {
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("'", '"'));
    return undefined;
  },
  diagnose: async () => [],
};

const withUpkeep = (upkeep: Partial<FileUpkeep>, more: Partial<ToolContext> = {}): ToolContext => {
  const context = workshop.newContext();
  return { ...context, ...more, upkeep: { ...context.upkeep, ...upkeep } };
};

const noteOf = (name: string) => `Formatters changed ${name} after the write; read it before you quote from it.`;

async function known(name: string, content: string): Promise<void> {
  workshop.put(name, content);
  await workshop.run("read", { filePath: name });
}

test("the formatted text is what the diff shows, and what counts as known", async () => {
  await known("a.ts", "const a = 1;\n");
  const edit = { filePath: "a.ts", oldString: "1", newString: "'x'" };
  expect(await workshop.run("edit", edit, withUpkeep(quoting))).toEqual({
    output: `Changed a.ts (+1 -1 lines).\n${noteOf("a.ts")}`,
    title: "a.ts",
    metadata: {
      diff: '--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-const a = 1;\n+const a = "x";',
      additions: 1,
      deletions: 1,
      op: "update",
      firstChangedLine: 1,
      diagnostics: [],
      formatted: true,
    },
  });
  expect(workshop.files.known(workshop.at("a.ts"))).toBe(hashContent('const a = "x";\n'));
  const next = await workshop.run("edit", { filePath: "a.ts", oldString: '"x"', newString: "2" });
  expect([next.isError, workshop.text("a.ts")]).toEqual([undefined, "const a = 2;\n"]);
});

test("a formatter that takes the change back leaves an empty diff and no doubt", async () => {
  await known("a.ts", 'say("x");\n');
  const { output, metadata } = await workshop.run(
    "edit",
    { filePath: "a.ts", oldString: '"x"', newString: "'x'" },
    withUpkeep(quoting),
  );
  expect(output).toBe(`Changed a.ts (+0 -0 lines).\n${noteOf("a.ts")}`);
  expect(metadata).toMatchObject({ additions: 0, deletions: 0, firstChangedLine: 1 });
});

test("formatters run on each written file while it is locked, before any checker does", async () => {
  await known("a.ts", "1\n");
  await known("gone.ts", "bye\n");
  await known("old.ts", "moved\n");
  const order: string[] = [];
  const context = workshop.newContext();
  const held = new Set<string>();
  const files: ToolContext["files"] = {
    ...context.files,
    exclusively: (path, work) =>
      context.files.exclusively(path, async () => {
        held.add(path);
        try {
          return await work();
        } finally {
          held.delete(path);
        }
      }),
  };
  const patch = [
    "*** Begin Patch",
    "*** Update File: a.ts",
    "@@",
    "-1",
    "+2",
    "*** Delete File: gone.ts",
    "*** Update File: old.ts",
    "*** Move to: new.ts",
    "*** Add File: b.ts",
    "+fresh",
    "*** End Patch",
  ].join("\n");
  const result = await workshop.run(
    "apply_patch",
    { patch },
    {
      ...context,
      files,
      upkeep: {
        format: async (path) => {
          order.push(`format ${path} ${held.has(path)}`);
          return undefined;
        },
        diagnose: async (paths) => {
          order.push(`diagnose ${paths.join(" ")}`);
          return [];
        },
      },
    },
  );
  expect(result.isError).toBeUndefined();
  const [a, b, moved] = ["a.ts", "b.ts", "new.ts"].map(workshop.at);
  expect(order).toEqual([
    `format ${a} true`,
    `format ${moved} true`,
    `format ${b} true`,
    `diagnose ${a} ${moved} ${b}`,
  ]);
});

test("what formatters and checkers say ends the result, at most twenty lines of the latter", async () => {
  const lines = Array.from({ length: 25 }, (_, index) => `a.ts:${index + 1}:1 error`);
  const context = withUpkeep({ format: async () => "prettier failed: no parser", diagnose: async () => lines });
  const { output, metadata } = await workshop.run("write", { filePath: "a.ts", content: "x\n" }, context);
  expect(output).toBe(
    ["Created a.ts (+1 -0 lines).", "prettier failed: no parser", "Diagnostics:", ...lines.slice(0, 20)].join("\n"),
  );
  expect(metadata).toMatchObject({ diagnostics: lines.slice(0, 20) });
  expect(metadata).not.toHaveProperty("formatted");
});

test("a set of changes shows the formatted texts of all its files", async () => {
  await known("a.js", "f(1);\n");
  await known("b.js", "f(2);\n");
  const patch =
    "*** Begin Patch\n*** Update File: a.js\n@@\n-f(1);\n+f('1');\n*** Update File: b.js\n@@\n-f(2);\n+f(3);\n*** End Patch";
  const { output, metadata } = await workshop.run(
    "apply_patch",
    { patch },
    { ...withUpkeep(quoting), editMode: "patch" },
  );
  expect(output).toBe(`Changed a.js (+1 -1 lines).\nChanged b.js (+1 -1 lines).\n${noteOf("a.js")}`);
  expect(metadata?.["diff"]).toContain('+f("1");');
  expect(workshop.files.known(workshop.at("a.js"))).toBe(hashContent('f("1");\n'));
});

test("nothing follows a write that failed", async () => {
  await known("a.ts", "1\n");
  workshop.put("a.ts", "2\n");
  const context = withUpkeep({
    format: () => Promise.reject(new Error("called")),
    diagnose: () => Promise.reject(new Error("called")),
  });
  const result = await workshop.run("edit", { filePath: "a.ts", oldString: "1", newString: "3" }, context);
  expect(result.isError).toBe(true);
});

test("edits by line get the tag and the line numbers of the formatted text", async () => {
  const versions = createVersionStore();
  const tool = createEditLinesTool({ versions });
  const path = workshop.put("a.ts", "import a\nx\ny\nz\n");
  const tag = versions.record(path, "import a\nx\ny\nz\n", wholeFile)?.tag;
  const context = withUpkeep({
    async format(file) {
      writeFileSync(file, readFileSync(file, "utf8").replace("import a\n", "import a\n\n"));
      return undefined;
    },
    diagnose: async () => ["a.ts:1:1 error"],
  });
  const result = await tool.run({ input: `[a.ts#${tag}]\nSWAP 4:\n+Z` }, context);
  const final = "import a\n\nx\ny\nZ\n";
  expect(workshop.text("a.ts")).toBe(final);
  const fresh = hashContent(final).toUpperCase().slice(0, 4);
  expect(result.output).toBe(
    [
      `[a.ts#${fresh}]`,
      " 1:import a",
      "+2:",
      " 3:x",
      " 4:y",
      "-4:z",
      "+5:Z",
      noteOf("a.ts"),
      "Diagnostics:",
      "a.ts:1:1 error",
    ].join("\n"),
  );
  expect(result.metadata).toMatchObject({ firstChangedLine: 2, op: "update", diagnostics: ["a.ts:1:1 error"] });
  const again = await tool.run({ input: `[a.ts#${fresh}]\nDEL 5` }, workshop.newContext());
  expect([again.isError, workshop.text("a.ts")]).toEqual([undefined, "import a\n\nx\ny\n"]);
});

test("of a written file that was formatted no line counts as shown", async () => {
  const hashline = { editMode: "hashline" } as const;
  const plain = await workshop.run("write", { filePath: "a.ts", content: "one\n" }, withUpkeep({}, hashline));
  const formatted = await workshop.run(
    "write",
    { filePath: "b.ts", content: "'one'\n" },
    withUpkeep(quoting, hashline),
  );
  const edit = async ({ output }: { readonly output: string }) =>
    (
      await workshop.run(
        "edit_lines",
        { input: `${output.split("\n", 1)[0]}\nSWAP 1:\n+two` },
        withUpkeep({}, hashline),
      )
    ).output;
  expect(await edit(plain)).not.toContain("had not been shown");
  expect(await edit(formatted)).toContain("b.ts: line 1 of #");
});
