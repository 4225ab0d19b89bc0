import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkArchitecture } from "./check-architecture.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

const cleanTree = {
  "package.json": '{ "dependencies": { "diff": "1.0.0" } }',
  "packages/protocol/package.json": '{ "exports": { ".": "./src/index.ts", "./text-file": "./src/text-file.ts" } }',
  "packages/protocol/src/index.ts": '/** The words. */\nexport type { Word } from "./word.ts";\n',
  "packages/protocol/src/word.ts": "/** One word. */\nexport type Word = string;\n",
  "packages/protocol/src/text-file.ts": "/** Texts. */\nexport const text = 1;\n",
  "packages/store/package.json":
    '{ "exports": { ".": "./src/index.ts" }, "dependencies": { "@kedge/protocol": "0.1.0" } }',
  "packages/store/src/index.ts":
    '/** The store. */\nimport type { Word } from "@kedge/protocol";\nexport type Row = Word;\n',
  "packages/engine/package.json":
    '{ "exports": { ".": "./src/index.ts" }, "dependencies": { "@kedge/protocol": "0.1.0" } }',
  "packages/engine/src/index.ts":
    '/** The engine. */\nimport { text } from "@kedge/protocol/text-file";\nexport const t = text;\n',
  "packages/engine/src/index.test.ts": 'import { x } from "@kedge/testing";\nconst now = Date.now();\n',
  "packages/tools/package.json": '{ "dependencies": { "diff": "1.0.0" } }',
  "packages/tools/src/patch.ts": '/** Patches. */\nimport { diff } from "diff";\n// process.env is never read here\n',
};

function checkTree(planted: { readonly [path: string]: string }) {
  const root = mkdtempSync(join(tmpdir(), "kedge-architecture-"));
  roots.push(root);
  for (const [path, text] of Object.entries({ ...cleanTree, ...planted })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkArchitecture(root).map(({ file, line, sentence }) => `${file}:${line} ${sentence}`);
}

const planted = "packages/engine/src/planted.ts";
const at = (line: number, sentence: string) => [`${planted}:${line} ${sentence}`];
const head = "/** Planted. */\n";

test("a clean tree has no violation", () => {
  expect(checkTree({})).toEqual([]);
});

test("a map may leave out where a path begins, and names nothing that is gone", () => {
  const map = [
    "`store/src/` and `tools/src/patch.ts`, `…/word.ts`, `src/*.ts`, `provider/model`, `tui.json`",
    "`patch.ts`, `tools/src/gone.ts`, `gone.ts`, `store/src/gone/`",
  ].join("\n");
  expect(checkTree({ "docs/maps.md": map })).toEqual([
    "docs/maps.md:2 tools/src/gone.ts is not there",
    "docs/maps.md:2 gone.ts is not there",
    "docs/maps.md:2 store/src/gone/ is not there",
  ]);
});

test.each([
  ["a forbidden import", `${head}import "@kedge/store";\n`, at(2, "engine may not import store")],
  ["a type import counts", `${head}import type { Row } from "@kedge/store";\n`, at(2, "engine may not import store")],
  ["a dynamic import counts", `${head}await import("@kedge/store");\n`, at(2, "engine may not import store")],
  [
    "a deep import",
    `${head}import "@kedge/protocol/src/word.ts";\n`,
    at(2, "@kedge/protocol/src/word.ts is not an entry of protocol"),
  ],
  [
    "a relative deep import",
    `${head}import "../../protocol/src/word.ts";\n`,
    at(2, "../../protocol/src/word.ts reaches into protocol past its entry"),
  ],
  ["testing outside tests", `${head}import "@kedge/testing";\n`, at(2, "engine may not import testing")],
  ["a package in a pure part", `${head}import "diff";\n`, at(2, "engine may use no package, and imports diff")],
  [
    "an environment read",
    `${head}const a = process.env["A"];\n`,
    at(2, "process.env is read here; it must be passed in"),
  ],
  ["the clock", `${head}const a = new Date();\n`, at(2, "new Date() is read here; it must be passed in")],
  [
    "a missing first sentence",
    "export const a = 1;\n",
    at(1, "the first line is not a /** comment that says what the file owns"),
  ],
  ["a long file", `${head}${"const a = 1;\n".repeat(400)}`, at(400, "the file has 401 lines; 400 are allowed")],
  ["an unfinished mark", `${head}// ${"TO"}DO: later\n`, at(2, `unfinished: ${"TO"}DO`)],
])("%s is found", (_name, source, expected) => {
  expect(checkTree({ [planted]: source })).toEqual(expected);
});

test("an undeclared package, a vague name and an unknown part are found", () => {
  expect(checkTree({ "packages/tools/src/a.ts": '/** A. */\nimport "left-pad";\n' })).toEqual([
    "packages/tools/src/a.ts:2 packages/tools/package.json does not declare left-pad",
  ]);
  expect(checkTree({ "packages/tools/src/utils/a.ts": "/** A. */\n" })).toEqual([
    'packages/tools/src/utils/a.ts:1 "utils" says nothing about what is inside',
  ]);
  expect(checkTree({ "packages/extra/src/a.ts": "/** A. */\n" })).toEqual([
    "packages/extra/src/a.ts:1 extra has no row in the table of parts",
  ]);
});

test("an import cycle of types is found once", () => {
  const first = '/** A. */\nimport type { B } from "./b.ts";\nexport type A = B;\n';
  const second = '/** B. */\nimport type { A } from "./a.ts";\nexport type B = A;\n';
  expect(checkTree({ "packages/store/src/a.ts": first, "packages/store/src/b.ts": second })).toEqual([
    "packages/store/src/a.ts:1 import cycle: packages/store/src/a.ts → packages/store/src/b.ts → packages/store/src/a.ts",
  ]);
});

test.each([
  ["{}", "packages/tools/src/patch.ts:2 packages/tools/package.json does not declare diff"],
  ['{ "dependencies": { "diff": "1.0.1" } }', "packages/tools/package.json:1 diff must be 1.0.0"],
  [
    '{ "dependencies": { "diff": "1.0.0", "pg": "1.0.0" } }',
    "packages/tools/package.json:1 pg is declared and never used",
  ],
])("a package declares what it imports, in the version of the root: %s", (declared, sentence) => {
  expect(checkTree({ "packages/tools/package.json": declared })).toEqual([sentence]);
});
