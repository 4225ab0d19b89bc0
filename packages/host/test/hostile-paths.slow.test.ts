/** A path of any kind gives a sentence: whatever stands in it, no tool throws and the judge has an answer. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createReadRights, judge } from "@kedge/engine";
import type { ToolContext } from "@kedge/protocol";
import { createLookAtPath } from "@kedge/sandbox";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../tools/test/workshop.ts";
import { explainToolCall } from "../src/explain/explain-permission.ts";

let workshop: Workshop;

beforeEach(() => {
  workshop = openWorkshop();
  workshop.put("file.txt", "text\n");
  workshop.put("a.zip", "no archive");
  workshop.put("a.db", "no database");
  mkdirSync(workshop.at("folder"));
  symlinkSync("loop", workshop.at("loop"));
  symlinkSync("nowhere/at/all", workshop.at("dangling"));
  symlinkSync("/dev/zero", workshop.at("zeros"));
  let name = "chain0";
  symlinkSync("file.txt", workshop.at(name));
  for (let index = 1; index < 60; index++) {
    symlinkSync(name, workshop.at(`chain${index}`));
    name = `chain${index}`;
  }
  writeFileSync(workshop.at("\ufffd"), "replacement\n");
});
afterEach(() => workshop.close());

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

test("hostile paths give a sentence from every tool", async () => {
  const random = createSeededRandom();
  const place = {
    root: workshop.directory,
    cwd: workshop.directory,
    home: workshop.at("h"),
    kedgeHome: workshop.at("h/.kedge"),
  };
  const lookAtPath = createLookAtPath({ ...place, added: [] });
  const settings = { rules: [], grants: [], mode: "default" } as const;
  const reading = createReadRights({
    workspace: { ...place, lookAtPath },
    rules: [],
    grants: () => [],
    mode: () => "default",
  });
  const context: ToolContext = { ...workshop.newContext(), reading };
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
      const tool = workshop.tool(name);
      try {
        const parsed = tool.parse(make(path));
        if (!parsed.ok) continue;
        const needs = tool.needs(parsed.input, place.cwd);
        judge({ tool: name, needs, readOnly: false, cwd: place.cwd }, { ...place, ...settings, lookAtPath });
        const problem = await tool.validate?.(parsed.input, context);
        if (problem !== undefined) continue;
        await tool.preview?.(parsed.input, context);
        if (needs.every(({ access }) => access === "read")) await tool.run(parsed.input, context);
      } catch (error) {
        thrown.push(`${name} ${JSON.stringify(path.slice(0, 80))}: ${String(error).slice(0, 200)}`);
      }
    }
    const { verdict } = explainToolCall("bash", `cat '${path}' > '${path}'`, {
      ...place,
      ...settings,
      isSandboxed: false,
    });
    if (verdict === "allow" && !/^[\w. /-]*$/.test(path))
      thrown.push(`bash was allowed: ${JSON.stringify(path.slice(0, 80))}`);
  }
  expect([...new Set(thrown)]).toEqual([]);
});
