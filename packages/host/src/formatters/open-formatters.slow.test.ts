/** Proves formatters with the programs of this machine, and that nothing is looked at twice. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ProgramTrust } from "../lsp/program-trust.ts";
import type { FormatterSettings } from "./formatter-settings.ts";
import { openFormatters } from "./open-formatters.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-formatters-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const installed = join(import.meta.dirname, "../../../../node_modules/.bin");
const searchPath = `${installed}:${process.env["PATH"]}`;
const signal = new AbortController().signal;

function put(name: string, text: string): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const open = (settings: FormatterSettings = {}, trust: ProgramTrust = "project") =>
  openFormatters({
    ...{ settings, root, trust: () => trust, searchPath: () => searchPath },
    isInside: (path) => path.startsWith(root),
    environment: () => ({ PATH: searchPath, HOME: process.env["HOME"] ?? root }),
  });

const samples: readonly (readonly [name: string, file: string, marker: string, before: string, after: string])[] = [
  ["biome", "a.js", "biome.json", "const  a = 'x'\n", 'const a = "x";\n'],
  ["rustfmt", "a.rs", "Cargo.toml", "fn  main(){}\n", "fn main() {}\n"],
  ["terraform", "a.tf", "", 'a   = "x"\n', 'a = "x"\n'],
  ["gofmt", "a.go", "", "package  a\n", "package a\n"],
  ["shfmt", "a.sh", ".editorconfig", "if true;then\necho; fi\n", "if true; then\n\techo\nfi\n"],
  ["clang-format", "a.c", ".clang-format", "int  a=1;\n", "int a = 1;\n"],
];

/** What a formatter wants to read in its own file. */
const markerTexts: { readonly [name: string]: string } = {
  "biome.json": "{}",
  ".clang-format": "BasedOnStyle: LLVM\n",
};

for (const [name, file, marker, before, after] of samples) {
  const tried = spawnSync(name, ["--version"], { env: { ...process.env, PATH: searchPath } });
  // A proxy without a toolchain behind it ends with 1.
  const works = tried.error === undefined && tried.status !== 1;
  test.skipIf(!works)(`${name}${works ? "" : " (not installed)"}`, async () => {
    if (marker !== "") put(marker, markerTexts[marker] ?? "");
    const path = put(file, before);
    expect(await open().format(path, signal)).toBeUndefined();
    expect(readFileSync(path, "utf8")).toBe(after);
  });
}

test("without a marker nothing runs; with one that is written later it does", async () => {
  const formatters = open();
  const path = put("sub/a.js", "const  a = 'x'\n");
  expect(await formatters.format(path, signal)).toBeUndefined();
  expect(readFileSync(path, "utf8")).toBe("const  a = 'x'\n");
  await formatters.format(put("biome.json", "{}"), signal);
  await formatters.format(path, signal);
  expect(readFileSync(path, "utf8")).toBe('const a = "x";\n');
});

test("each formatter says whether it is used, and why", () => {
  put("biome.json", "{}");
  put("package.json", '{"devDependencies":{"prettier":"3.0.0"}}');
  const states = (trust: ProgramTrust, settings: FormatterSettings = {}) =>
    new Map(
      open(settings, trust)
        .found()
        .all()
        .map(({ definition, enabled, why }) => [definition.name, [enabled, why]]),
    );
  expect(states("machine").get("biome")).toEqual([true, "biome.json"]);
  expect(states("none").get("biome")).toEqual([false, "this project is not trusted (kedge trust add)"]);
  expect(states("machine").get("prettier")).toEqual([
    false,
    "it runs project code, and the project is not trusted (kedge trust add)",
  ]);
  expect(states("project").get("prettier")).toEqual([false, "prettier is not installed"]);
  expect(states("project").get("black")).toEqual([false, "the project does not use it"]);
  expect(states("project", { biome: { disabled: true } }).has("biome")).toBe(false);
  expect(states("project", false).size).toBe(0);
});
