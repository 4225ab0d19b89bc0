// Proves that no search waits for a pipe or reads a device, wherever one lies, and that each says so in a sentence.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { findIrregularAbove, findIrregularBelow } from "./irregular-ignore-file.ts";

let workshop: Workshop;

beforeEach(() => {
  workshop = openWorkshop();
  workshop.put("src/a.ts", "export const word = call(1);\n");
  workshop.put("src/deep/b.ts", "export const word = call(2);\n");
});
afterEach(() => workshop.close());

function pipeAt(name: string): string {
  mkdirSync(dirname(workshop.at(name)), { recursive: true });
  execFileSync("mkfifo", [workshop.at(name)]);
  return workshop.at(name);
}

const searches = [
  ["grep", { pattern: "word" }],
  ["glob", { pattern: "**/*.ts" }],
  ["list", {}],
  ["ast_grep", { pat: "call($A)", paths: ["."] }],
  ["codesearch", { query: "word" }],
] as const;

test.each([".gitignore", ".ignore", "src/.gitignore", "src/deep/.rgignore", ".git/info/exclude"])(
  "a pipe in the place of %s ends every search with a sentence",
  async (name) => {
    const pipe = pipeAt(name);
    for (const [tool, input] of searches) {
      const { output, isError } = await workshop.run(tool, input);
      expect([tool, isError, output]).toEqual([
        tool,
        true,
        expect.stringContaining(`${pipe} is a pipe, socket or device instead of an ignore file`),
      ]);
    }
    expect((await workshop.run("grep", { pattern: "word", gitignore: false })).output).toContain("src/a.ts");
  },
);

test("a device behind an ignore file is not read without end", async () => {
  symlinkSync("/dev/zero", workshop.at(".ignore"));
  expect((await workshop.run("glob", { pattern: "*.ts" })).output).toContain("instead of an ignore file");
});

test("pipes among files are passed over, and one that is named is refused", async () => {
  pipeAt("src/pipe.ts");
  for (const [tool, input] of searches) expect((await workshop.run(tool, input)).output).not.toContain("pipe.ts");
  const refusal = "src/pipe.ts is a pipe, socket or device; only files and directories can be searched.";
  expect((await workshop.run("grep", { pattern: "word", path: "src/pipe.ts" })).output).toBe(refusal);
  expect((await workshop.run("glob", { pattern: "src/pipe.ts" })).output).toBe(refusal);
  expect((await workshop.run("ast_grep", { pat: "call($A)", paths: ["src/pipe.ts"] })).output).toBe(refusal);
  expect((await workshop.run("read", { filePath: "src/pipe.ts" })).output).toContain("only regular files can be read");
});

test("ordinary ignore files, directories of that name and missing ones are no reason to refuse", async () => {
  workshop.put(".gitignore", "deep\n");
  mkdirSync(workshop.at("src/.ignore"));
  symlinkSync("nowhere", workshop.at("src/deep/.gitignore"));
  const signal = new AbortController().signal;
  expect(findIrregularAbove([workshop.at("src/deep")])).toBe(undefined);
  expect(await findIrregularBelow([workshop.directory], signal)).toBe(undefined);
  rmSync(workshop.at("src/.ignore"), { recursive: true });
  expect((await workshop.run("glob", { pattern: "**/*.ts" })).output).toContain("a.ts");
});
