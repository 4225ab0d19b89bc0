import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { findRipgrep } from "../searching/find-ripgrep.ts";
import { createAstGrepTool } from "./ast-grep.ts";
import { createGrammars } from "./grammars.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const tool = createAstGrepTool({ ripgrepPath: findRipgrep, childEnvironment: () => ({}), grammars: createGrammars() });

async function grep(input: unknown, signal?: AbortSignal) {
  const parsed = tool.parse(input);
  if (!parsed.ok) throw new Error(parsed.report);
  return tool.run(parsed.input, workshop.newContext(signal));
}

test("matches are listed by file with their lines and what was bound", async () => {
  workshop.put("src/b.ts", "const x = log(1);\r\nlog(\r\n  a,\r\n  b,\r\n);\r\n");
  workshop.put("src/a.py", "def f():\n    log(2)\n");
  workshop.put("notes.md", "log(3)\n");
  expect(await grep({ pat: "log($$$ARGS)", paths: ["."] })).toEqual({
    output: [
      "src/a.py",
      "  2:    log(2)",
      "    meta: ARGS=2",
      "src/b.ts",
      "  1:const x = log(1);",
      "    meta: ARGS=1",
      "  2:log(",
      "  3:  a,",
      "  4:  b,",
      "  5:);",
      "    meta: ARGS=a, b",
    ].join("\n"),
    title: "log($$$ARGS)",
    metadata: { count: 3, more: false, unparsed: 0 },
  });
});

test("long matches show their first lines and say where they end", async () => {
  workshop.put("a.js", `function f() {\n${"  g();\n".repeat(8)}}\n`);
  expect((await grep({ pat: "function f() { $$$ }", paths: ["a.js"] })).output).toBe(
    "a.js\n  1:function f() {\n  2:  g();\n  3:  g();\n  4:  g();\n  5:  g();\n  … to line 10",
  );
});

test("fifty matches per call, the rest by skip", async () => {
  workshop.put("a.js", "f(0);\n".repeat(30));
  workshop.put("b.js", "f(1);\n".repeat(40));
  const first = await grep({ pat: "f($_)", paths: ["*.js"] });
  expect(first.metadata).toEqual({ count: 50, more: true, unparsed: 0 });
  expect(first.output.split("\n").slice(-2)).toEqual(["  20:f(1);", "(cut after 50 matches; continue with skip: 50)"]);
  const second = await grep({ pat: "f($_)", paths: ["*.js"], skip: 50 });
  expect(second.output.split("\n").slice(0, 2)).toEqual(["b.js", "  21:f(1);"]);
  expect(second.metadata).toEqual({ count: 20, more: false, unparsed: 0 });
  expect((await grep({ pat: "f($_)", paths: ["*.js"], skip: 99 })).output).toBe("There are only 70 matches.");
});

test("ignored files and packages are left out unless named, hidden ones are not", async () => {
  workshop.put(".gitignore", "out/\n");
  workshop.put("out/a.js", "f(1)");
  workshop.put(".hidden/a.js", "f(2)");
  workshop.put("node_modules/p/a.js", "f(3)");
  const files = async (paths: readonly string[]) =>
    (await grep({ pat: "f($_)", paths })).output.split("\n").filter((row) => !row.startsWith(" "));
  expect(await files(["."])).toEqual([".hidden/a.js"]);
  expect(await files(["node_modules/p/*.js"])).toEqual(["node_modules/p/a.js"]);
});

test("files that do not parse are listed, and without matches absence is not proven", async () => {
  workshop.put("bad.js", "function ( { f(;)\n");
  workshop.put("other.js", "function ( { nothing\n");
  workshop.put("binary.js", Buffer.from([0, 1, 2, 3]));
  const { output, metadata } = await grep({ pat: "f($_)", paths: ["."] });
  expect(output).toBe(
    [
      "No matches, but absence is not proven: some files did not parse.",
      "Not fully parsed:",
      "  bad.js: it has a syntax error",
      "  binary.js: it is not UTF-8 text, or too large",
    ].join("\n"),
  );
  expect(metadata).toEqual({ count: 0, more: false, unparsed: 2 });
  workshop.put("good.js", "f(1)");
  expect((await grep({ pat: "f($_)", paths: ["good.js", "other.js"] })).output).toBe("good.js\n  1:f(1)");
  expect((await grep({ pat: "g($_)", paths: ["good.js"] })).output).toBe("No matches.");
});

test("a pattern counts for the languages that understand it", async () => {
  workshop.put("a.js", "if (x) { y() }");
  workshop.put("a.py", "x = 1\n");
  expect((await grep({ pat: "if ($C) { $$$B }", paths: ["."] })).output).toBe(
    [
      "a.js",
      "  1:if (x) { y() }",
      "    meta: C=x; B=y()",
      "(left out, Python: The pattern is not a complete piece of Python; give one whole expression, statement or declaration.)",
    ].join("\n"),
  );
  expect(await grep({ pat: "if (", paths: ["a.py"] })).toMatchObject({ isError: true });
});

test("what cannot be searched says so", async () => {
  workshop.put("a.rb", "f(1)");
  expect(await grep({ pat: "f($_)", paths: ["a.rb"] })).toEqual({
    output:
      "No file of a known language there (JavaScript, TypeScript, TSX, Python, Go, Rust, Java, C, C++); use grep for others.\n" +
      "(left out, no grammar for .rb files: a.rb; use grep)",
    isError: true,
    title: "f($_)",
  });
  expect(await grep({ pat: "f($_)", paths: ["none"] })).toMatchObject({ isError: true });
  workshop.put("a.js", "f(1)");
  const aborted = await grep({ pat: "f($_)", paths: ["a.js"] }, AbortSignal.abort());
  expect(aborted).toEqual({ output: "The search was interrupted.", isError: true, title: "f($_)" });
});

test("it reads only, under the permission of grep", () => {
  const input = { pat: "f($_)", paths: ["src", "../x/*.ts"] };
  expect(tool.readOnly(input)).toBe(true);
  expect(tool.needs(input, "/place/here")).toEqual([
    { permission: "grep", patterns: ["src"], always: ["src"], access: "read", paths: ["/place/here/src"] },
    { permission: "grep", patterns: ["/place/x"], always: ["/place/x"], access: "read", paths: ["/place/x"] },
  ]);
  expect(tool.parse({ pat: "a", paths: [] })).toMatchObject({ ok: false });
  expect({ description: tool.description, inputSchema: tool.inputSchema }).toMatchSnapshot();
});
