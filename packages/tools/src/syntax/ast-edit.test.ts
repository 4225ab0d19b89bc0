// Covers ast_edit and resolve together: what is previewed is what is written, or nothing is.
import { writeFileSync } from "node:fs";
import type { ToolContext } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { hashContent } from "../file-content.ts";
import { createFileState } from "../file-state.ts";
import { findRipgrep } from "../searching/find-ripgrep.ts";
import { createAstEditTool } from "./ast-edit.ts";
import { createGrammars } from "./grammars.ts";
import { createPendingEdits } from "./pending-edits.ts";
import { createResolveTool } from "./resolve.ts";

const grammars = createGrammars();
const pendingEdits = createPendingEdits();
const edit = createAstEditTool({
  ripgrepPath: findRipgrep,
  childEnvironment: () => ({}),
  grammars,
  pendingEdits,
  astFilesMax: 3,
});
const resolve = createResolveTool({ grammars, pendingEdits });

let workshop: Workshop;
let context: ToolContext;
beforeEach(() => {
  workshop = openWorkshop();
  context = workshop.newContext();
});
afterEach(() => workshop.close());

type Op = { readonly pat: string; readonly out: string };

async function preview(ops: readonly Op[], paths: readonly string[] = ["."]) {
  const parsed = edit.parse({ ops, paths });
  if (!parsed.ok) throw new Error(parsed.report);
  const { output, metadata, isError } = await edit.run(parsed.input, context);
  return { output, id: String(metadata?.["pending"]), count: metadata?.["count"], isError };
}

const settle = (id: string, action: "apply" | "discard", own: ToolContext = context) =>
  resolve.run({ id, action, reason: "as asked" }, own);

/** The text of a file after one operation on it was applied. */
async function rewritten(name: string, text: string, pat: string, out: string): Promise<string> {
  workshop.put(name, text);
  const { id } = await preview([{ pat, out }], [name]);
  expect((await settle(id, "apply")).isError).toBeUndefined();
  return workshop.text(name);
}

test("a preview writes nothing and tells every change; applying writes exactly that", async () => {
  const a = "assertEquals(1, f(2));\nother();\nassertEquals(\n  x,\n  y);\n";
  workshop.put("a.ts", a);
  workshop.put("b.py", "assertEquals(a, b)\n");
  workshop.put("c.ts", "nothing();\n");
  const op = { pat: "assertEquals($A, $B)", out: "expect($B).toEqual($A)" };
  const { output, id } = await preview([op]);
  expect(output).toBe(
    [
      `Preview ${id}: 3 replacements in 2 files. Nothing is written yet; call resolve with id "${id}" and action "apply" or "discard".`,
      "a.ts",
      "  1: - assertEquals(1, f(2))",
      "     + expect(f(2)).toEqual(1)",
      "  3: - assertEquals( …",
      "     + expect(y).toEqual(x)",
      "b.py",
      "  1: - assertEquals(a, b)",
      "     + expect(b).toEqual(a)",
    ].join("\n"),
  );
  expect(workshop.text("a.ts")).toBe(a);

  expect(resolve.needs({ id, action: "apply", reason: "" }, workshop.directory)).toEqual([
    {
      permission: "edit",
      patterns: ["a.ts", "b.py"],
      always: [],
      access: "write",
      paths: [workshop.at("a.ts"), workshop.at("b.py")],
    },
  ]);
  const diff = await resolve.preview?.({ id, action: "apply", reason: "" }, context);
  expect(diff).toContain("--- a/a.ts\n+++ b/a.ts\n@@ -1,5 +1,3 @@\n-assertEquals(1, f(2));\n+expect(f(2)).toEqual(1);");
  expect(diff).toContain("+++ b/b.py");

  const applied = await settle(id, "apply");
  expect(applied.output).toBe("Changed a.ts (+2 -4 lines).\nChanged b.py (+1 -1 lines).");
  expect(workshop.text("a.ts")).toBe("expect(f(2)).toEqual(1);\nother();\nexpect(y).toEqual(x);\n");
  expect(workshop.text("b.py")).toBe("expect(b).toEqual(a)\n");
  expect(await settle(id, "apply")).toMatchObject({ isError: true });
});

test("one file that changed meanwhile keeps all from being written, and the rewrite stays pending", async () => {
  workshop.put("a.js", "f(1);\n");
  workshop.put("b.js", "f(2);\n");
  const { id } = await preview([{ pat: "f($A)", out: "g($A)" }]);
  workshop.put("b.js", "f(3);\n");
  expect(await settle(id, "apply")).toEqual({
    output: "b.js is not as it was in the preview. Nothing was written; preview again with ast_edit.",
    isError: true,
    title: `apply ${id}`,
  });
  expect([workshop.text("a.js"), workshop.text("b.js")]).toEqual(["f(1);\n", "f(3);\n"]);
  workshop.put("b.js", "f(2);\n");
  expect((await settle(id, "apply")).isError).toBeUndefined();
  expect([workshop.text("a.js"), workshop.text("b.js")]).toEqual(["g(1);\n", "g(2);\n"]);
});

test("only a file that the model had read counts as read afterwards", async () => {
  const read = workshop.put("a.js", "f(1);\n");
  const unread = workshop.put("b.js", "f(2);\n");
  context.files.remember(read, hashContent("f(1);\n"));
  const { id } = await preview([{ pat: "f($A)", out: "g($A)" }]);
  await settle(id, "apply");
  expect(context.files.known(read)).toBe(hashContent("g(1);\n"));
  expect(context.files.known(unread)).toBeUndefined();
});

test("discarding works with and without something pending; sessions do not see each other's", async () => {
  workshop.put("a.js", "f(1);\n");
  const { id } = await preview([{ pat: "f($A)", out: "g($A)" }]);
  const stranger = { ...context, files: createFileState() };
  expect(await settle(id, "apply", stranger)).toMatchObject({ isError: true });
  expect(await resolve.validate?.({ id, action: "apply", reason: "" }, stranger)).toBe(
    `Nothing is pending under ${id}; preview the change with ast_edit first, in this same run.`,
  );
  expect(await resolve.validate?.({ id, action: "apply", reason: "" }, context)).toBeUndefined();
  expect((await settle(id, "discard", stranger)).output).toBe(`Nothing is pending under ${id}.`);
  expect(await settle(id, "discard")).toEqual({ output: `Discarded ${id}.`, title: `discard ${id}` });
  expect(await settle(id, "apply")).toMatchObject({ isError: true });
  expect(resolve.needs({ id, action: "apply", reason: "" }, workshop.directory)).toEqual([]);
});

test("what formatters make of the rewrite is shown and counts as known", async () => {
  const path = workshop.put("a.js", "f(1);\n");
  context.files.remember(path, hashContent("f(1);\n"));
  const { id } = await preview([{ pat: "f($A)", out: "g( $A )" }]);
  const format = async (file: string) => {
    writeFileSync(file, "g(1);\n");
    return undefined;
  };
  const diagnose = async () => ["a.js:1:1 g is not defined"];
  const { output, metadata } = await settle(id, "apply", { ...context, upkeep: { format, diagnose } });
  expect(output).toMatch(
    /^Changed a\.js \(\+1 -1 lines\)\.\nFormatters changed a\.js .*\nDiagnostics:\na\.js:1:1 g is not defined$/,
  );
  expect(metadata).toMatchObject({
    diff: expect.stringContaining("+g(1);"),
    diagnostics: ["a.js:1:1 g is not defined"],
  });
  expect(context.files.known(path)).toBe(hashContent("g(1);\n"));
});

test("what was previewed in one run cannot be applied in the next", async () => {
  workshop.put("a.js", "f(1);\n");
  const { id } = await preview([{ pat: "f($A)", out: "g($A)" }]);
  edit.runEnded?.();
  expect(await settle(id, "apply")).toMatchObject({ isError: true });
  expect(workshop.text("a.js")).toBe("f(1);\n");
});

test("a second preview takes the place of the first", async () => {
  workshop.put("a.js", "f(1);\n");
  const first = await preview([{ pat: "f($A)", out: "g($A)" }]);
  const second = await preview([{ pat: "f($A)", out: "h($A)" }]);
  expect(await settle(first.id, "apply")).toMatchObject({ isError: true });
  await settle(second.id, "apply");
  expect(workshop.text("a.js")).toBe("h(1);\n");
});

test("several operations, inner matches, results that do not parse, files that are skipped", async () => {
  workshop.put("a.js", "f(f(1), g(2));\n");
  workshop.put("b.js", "f(1; g(2)\n");
  workshop.put("c.js", "// Code generated by hand-roller. DO NOT EDIT.\nf(1);\n");
  const { output } = await preview([
    { pat: "f($A)", out: "ff($A" },
    { pat: "g($A)", out: "gg($A)" },
  ]);
  expect(output.split("\n").slice(1)).toEqual([
    "a.js",
    "  1: - f(1)",
    "     + ff(1",
    "  1: - g(2)",
    "     + gg(2)",
    "  (warning: the result does not parse; check `out`)",
    "Skipped:",
    "  b.js: it has a syntax error",
    expect.stringMatching(/^ {2}c\.js: it is a generated file/),
  ]);
  const free = createAstEditTool({
    ripgrepPath: findRipgrep,
    childEnvironment: () => ({}),
    grammars,
    pendingEdits,
    blockGenerated: () => false,
  });
  const { metadata } = await free.run({ ops: [{ pat: "f($A)", out: "g($A)" }], paths: ["c.js"] }, context);
  expect((await settle(String(metadata?.["pending"]), "apply")).output).toBe("Changed c.js (+1 -1 lines).");
  const nested = await preview([{ pat: "f($$$A)", out: "h($$$A)" }], ["a.js"]);
  expect(nested.output.split("\n").slice(1)).toEqual([
    "a.js",
    "  1: - f(f(1), g(2))",
    "     + h(f(1), g(2))",
    "  (1 matches inside of these stay; run again after applying)",
  ]);
});

test("what makes no sense is refused before anything is pending", async () => {
  workshop.put("a.js", "f(1);\n");
  const problem = async (ops: readonly Op[], paths?: readonly string[]) => {
    const { output, isError } = await preview(ops, paths);
    expect(isError).toBe(true);
    return output;
  };
  const op = { pat: "f($A)", out: "g($A)" };
  expect(await problem([op, { pat: " f($A)", out: "" }])).toBe("Two ops have the pattern f($A); keep one of them.");
  expect(await problem([{ pat: "f($A)", out: "g($B)" }])).toBe("$B stands in out but is not bound by pat.");
  expect(await problem([{ pat: "f(", out: "" }])).toContain("not a complete piece of JavaScript");
  expect(await problem([op], ["gone"])).toContain("does not exist");
  for (const name of ["b", "c", "d"]) workshop.put(`${name}.js`, "f(1);\n");
  expect(await problem([op])).toBe("More than 5000 replacements or 3 files would change; narrow the paths.");
  expect((await preview([{ pat: "none($A)", out: "" }])).output).toBe("Nothing matches; nothing is pending.");
  context = workshop.newContext(AbortSignal.abort());
  expect(await problem([op], ["a.js"])).toBe("Interrupted; nothing was written.");
});

test("an empty out deletes, with its lines where nothing else stands on them", async () => {
  expect(await rewritten("a.js", "a();\n  log(1);\nb(); log(2);\n", "log($$$)", "")).toBe("a();\nb(); ;\n");
  expect(await rewritten("b.py", "import a\nimport b\n", "import a", "")).toBe("import b\n");
  expect(await rewritten("c.go", "package a\n\nfunc f() {\n\tx()\n\ty()\n}\n", "x()", "")).toBe(
    "package a\n\nfunc f() {\n\ty()\n}\n",
  );
});

test("lines keep their endings and move with their new place, except those inside of texts", async () => {
  expect(await rewritten("a.js", "if (a) {\r\n  f(1);\r\n}\r\n", "f($A)", "g(\n  $A,\n)")).toBe(
    "if (a) {\r\n  g(\r\n    1,\r\n  );\r\n}\r\n",
  );
  const python = 'def f():\n    if a:\n        x = """\n        text\n"""\n        y()\n    z()\n';
  expect(await rewritten("a.py", python, "if a:\n    $$$B", "with b:\n    if c:\n        $$$B")).toBe(
    'def f():\n    with b:\n        if c:\n            x = """\n        text\n"""\n            y()\n    z()\n',
  );
  expect(await rewritten("a.rs", "fn f() {\n    a.unwrap();\n}\n", "$A.unwrap()", '$A.expect("a")')).toBe(
    'fn f() {\n    a.expect("a");\n}\n',
  );
  expect(await rewritten("bom.js", "\uFEFFf(1);\n", "f($A)", "g($A)")).toBe("\uFEFFg(1);\n");
});

test("the preview reads, the resolution writes; their words are short", () => {
  const input = { ops: [{ pat: "a()", out: "" }], paths: ["src"] };
  expect(edit.readOnly(input)).toBe(true);
  expect(edit.needs(input, "/place")).toEqual([
    { permission: "grep", patterns: ["src"], always: ["src"], access: "read", paths: ["/place/src"] },
  ]);
  expect(resolve.readOnly({ id: "edit-1", action: "apply", reason: "" })).toBe(false);
  expect(resolve.readOnly({ id: "edit-1", action: "discard", reason: "" })).toBe(true);
  for (const { description, inputSchema } of [edit, resolve]) expect({ description, inputSchema }).toMatchSnapshot();
});
