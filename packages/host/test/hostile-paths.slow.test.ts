/** A path of any kind gives a sentence: whatever stands in it, no tool throws and the judge has an answer. */
import { mkdirSync, symlinkSync } from "node:fs";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { explainToolCall } from "../src/explain/explain-permission.ts";
import { type OpenTools, openTools } from "./open-tools.ts";

let bench: OpenTools;

beforeEach(() => {
  bench = openTools();
  bench.put("file.txt", "text\n");
  bench.put("a.zip", "no archive");
  bench.put("a.db", "no database");
  bench.put("\ufffd", "replacement\n");
  mkdirSync(bench.at("folder"));
  symlinkSync("loop", bench.at("loop"));
  symlinkSync("nowhere/at/all", bench.at("dangling"));
  symlinkSync("/dev/zero", bench.at("zeros"));
  symlinkSync("file.txt", bench.at("chain0"));
  for (let index = 1; index < 60; index++) symlinkSync(`chain${index - 1}`, bench.at(`chain${index}`));
});
afterEach(() => bench.close());

const pieces = [
  "",
  " ",
  ".",
  "..",
  "/",
  "//",
  "\0",
  "a\0b",
  "\n",
  "\r\n",
  "\t",
  "\ud800",
  "\udfff",
  "\u202e",
  "\u2028",
  "~",
  "$HOME",
  "*",
  "**",
  "[",
  "]",
  "{a,b",
  "?",
  ":",
  "::",
  ":1-2",
  ":raw",
  "\\",
  "\\\\host\\share",
  "//host/share",
  "file:///etc",
  "-rf",
  "--",
  "!",
  "#",
  "@",
  "file.txt",
  "folder",
  "loop",
  "dangling",
  "zeros",
  "chain59",
  "a.zip",
  "a.db",
  "a.zip:",
  "a.db?q=",
  "artifact://",
  "conflict://",
  "/dev/full",
  "/dev/tty",
  "/proc/self/mem",
  "/proc/self/fd/0",
  "x".repeat(256),
  "x".repeat(5_000),
  "d/".repeat(2_500),
  "../".repeat(1_500),
  "é".repeat(200),
  "y".repeat(200_000),
];

const calls: { readonly [tool: string]: (path: string) => object } = {
  read: (filePath) => ({ filePath }),
  grep: (path) => ({ pattern: "x", path }),
  glob: (path) => ({ pattern: path }),
  list: (path) => ({ path }),
  ast_grep: (path) => ({ pat: "a", paths: [path] }),
  ast_edit: (path) => ({ ops: [{ pat: "a", out: "b" }], paths: [path] }),
  edit: (filePath) => ({ filePath, oldString: "a", newString: "b" }),
  multi_edit: (filePath) => ({ filePath, edits: [{ oldString: "a", newString: "b" }] }),
  notebook_edit: (filePath) => ({ notebookPath: filePath, filePath, newSource: "x", cellNumber: 0 }),
  apply_patch: (path) => ({ patchText: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch` }),
};

/** Those that change nothing also run where a person would have been asked. */
const reading: ReadonlySet<string> = new Set(["read", "grep", "glob", "list", "ast_grep", "ast_edit"]);

test("hostile paths give a sentence from every tool", async () => {
  const random = createSeededRandom();
  const { place } = bench;
  const settings = { rules: [], mode: "default", isSandboxed: false } as const;
  const session = bench.session([]);
  const thrown: string[] = [];
  const cases = [
    ...pieces.map((piece) => [piece]),
    ...Array.from({ length: rounds({ usual: 30, long: 300 }) }, () =>
      Array.from({ length: 1 + random.below(4) }, () => pieces[random.below(pieces.length)] ?? ""),
    ),
  ];
  for (const parts of cases) {
    const path = parts.join(random.below(2) === 0 ? "/" : "");
    for (const [name, make] of Object.entries(calls)) {
      try {
        await session.run(name, make(path));
        if (reading.has(name)) await session.runAnyway(name, make(path));
      } catch (error) {
        thrown.push(`${name} ${JSON.stringify(path.slice(0, 80))}: ${String(error).slice(0, 200)}`);
      }
    }
    const { verdict } = explainToolCall("bash", `cat '${path}' > '${path}'`, { ...place, ...settings });
    if (verdict === "allow" && !/^[\w. /-]*$/.test(path))
      thrown.push(`bash was allowed: ${JSON.stringify(path.slice(0, 80))}`);
  }
  expect([...new Set(thrown)]).toEqual([]);
});
