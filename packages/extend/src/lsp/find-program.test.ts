import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProgram, type ProgramPlaces } from "./find-program.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-programs-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function program(name: string): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
  return path;
}

const places = (more: Partial<ProgramPlaces> = {}): ProgramPlaces => ({
  searchPath: join(root, "machine"),
  projectFolders: [join(root, "project/node_modules/.bin")],
  isInside: (path) => realpathSync(path).startsWith(join(root, "project")),
  mayRunProject: false,
  ...more,
});

test("the program of the project is used where it is trusted, otherwise that of the machine", () => {
  const own = program("project/node_modules/.bin/server");
  expect(findProgram([["server"]], places())).toEqual({
    found: undefined,
    why: "server belongs to this project, which is not trusted",
  });
  const machine = program("machine/server");
  expect(findProgram([["server", "-x"]], places())).toEqual({
    found: { file: machine, args: ["-x"], owner: "machine" },
  });
  const trusted = findProgram([["server"]], places({ mayRunProject: true }));
  expect(trusted).toEqual({ found: { file: own, args: [], owner: "project" } });
});

test("neither a link into the project nor one out of it, nor a relative entry of the path, hides whose program it is", () => {
  const evil = program("project/tools/server");
  mkdirSync(join(root, "machine"));
  symlinkSync(evil, join(root, "machine/server"));
  expect(findProgram([["server"]], places()).found).toBeUndefined();
  const elsewhere = program("elsewhere/server");
  mkdirSync(join(root, "project/node_modules/.bin"), { recursive: true });
  symlinkSync(elsewhere, join(root, "project/node_modules/.bin/server"));
  expect(findProgram([["server"]], places()).found).toBeUndefined();
  expect(findProgram([["server"]], places({ searchPath: `.:tools:${join(root, "machine")}` })).found).toBeUndefined();
});

test("the first installed command counts, and the reason is that of the first", () => {
  const second = program("machine/second");
  expect(findProgram([["first"], ["second", "--stdio"]], places())).toEqual({
    found: { file: second, args: ["--stdio"], owner: "machine" },
  });
  expect(findProgram([["first"], ["third"]], places())).toEqual({ found: undefined, why: "first is not installed" });
});

test("TypeScript counts from version 7 on", () => {
  const typescript = join(root, "project/node_modules/typescript/package.json");
  mkdirSync(dirname(typescript), { recursive: true });
  const native = program(`project/node_modules/@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`);
  writeFileSync(join(dirname(dirname(native)), "package.json"), "{}");
  for (const [version, file] of [
    ["5.9.2", undefined],
    ["7.0.2", native],
  ] as const) {
    writeFileSync(typescript, JSON.stringify({ name: "typescript", version }));
    expect(findProgram([["tsc", "--lsp"]], places({ mayRunProject: true })).found?.file).toBe(file);
    expect(findProgram([["tsc", "--lsp"]], places()).found).toBeUndefined();
  }
});
