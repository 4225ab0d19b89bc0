import { expect, test } from "vitest";
import { fileUsesOf, namedFilesOf, readTarget } from "./file-uses.ts";

const patch = [
  "*** Begin Patch",
  "*** Update File: src/a.ts",
  "*** Move to: src/b.ts",
  "--- no file: a removed line",
  "*** Add File: c.ts",
  "+text",
  "*** End Patch",
].join("\n");
const diff = ["--- a/src/a.ts\t2026", "+++ b/src/a.ts\t2026", "@@ -1 +1 @@", "--- /dev/null", "+++ b/new.ts"].join(
  "\n",
);

test.each([
  ["read", { filePath: "a.ts" }, [{ kind: "read", path: "/work/a.ts" }]],
  ["read", { path: "/work/./a.ts:10-20,40-" }, [{ kind: "read", path: "/work/a.ts", selector: ":10-20,40-" }]],
  ["read", { filePath: "a.ts:raw:5..9" }, [{ kind: "read", path: "/work/a.ts", selector: ":raw:5..9" }]],
  ["read", { filePath: "a.ts", offset: 3, limit: 9 }, [{ kind: "read", path: "/work/a.ts", selector: "3 9" }]],
  ["read", { filePath: "a.zip:inner.ts" }, [{ kind: "read", path: "/work/a.zip:inner.ts" }]],
  ["read", { filePath: "https://host/a" }, []],
  ["read", { filePath: "artifact://3:1-20" }, []],
  ["read", { filePath: 7 }, []],
  ["write", { filePath: "../b.ts", content: "" }, [{ kind: "write", path: "/b.ts" }]],
  ["edit", { filePath: "a.ts" }, [{ kind: "edit", path: "/work/a.ts" }]],
  ["multi_edit", { filePath: "a.ts", edits: [] }, [{ kind: "edit", path: "/work/a.ts" }]],
  ["notebook_edit", { path: "a.ipynb" }, [{ kind: "edit", path: "/work/a.ipynb" }]],
  ["apply_patch", { patch }, ["src/a.ts", "src/b.ts", "c.ts"].map((name) => ({ kind: "edit", path: `/work/${name}` }))],
  ["apply_patch", { patch: diff }, ["src/a.ts", "new.ts"].map((name) => ({ kind: "edit", path: `/work/${name}` }))],
  [
    "edit_lines",
    { input: "[a.ts#0A1F]\nDEL 3.=4\n[b.ts#ffff]\nDEL 1.=1" },
    ["a", "b"].map((name) => ({ kind: "edit", path: `/work/${name}.ts` })),
  ],
  ["bash", { command: "cat a.ts" }, []],
  ["batch", { calls: [{ tool: "read", input: { filePath: "a.ts" } }] }, []],
])("%s of %j", (tool, input, uses) => {
  expect(fileUsesOf({ tool, inputText: JSON.stringify(input) }, "/work")).toEqual(uses);
});

test("what was cut off names nothing", () => {
  expect(fileUsesOf({ tool: "read", inputText: "nonsense" }, "/work")).toEqual([]);
  expect(namedFilesOf({ tool: "batch", inputText: "[]" }, "/work")).toEqual([]);
});

test("the calls inside a call name files", () => {
  const calls = [
    { tool: "read", input: { filePath: "a.ts" } },
    { tool: "bash", input: { command: "ls" } },
    { tool: "edit", input: { filePath: "b.ts" } },
    "nonsense",
  ];
  expect(namedFilesOf({ tool: "batch", inputText: JSON.stringify({ calls }) }, "/work")).toEqual([
    { kind: "read", path: "/work/a.ts" },
    { kind: "edit", path: "/work/b.ts" },
  ]);
});

test("what a read was asked for", () => {
  expect(readTarget({ tool: "read", inputText: '{"path":"skill://a"}' })).toBe("skill://a");
  expect(readTarget({ tool: "read", inputText: "{}" })).toBeUndefined();
  expect(readTarget({ tool: "write", inputText: '{"filePath":"a"}' })).toBeUndefined();
});
