/** Proves where provider packages are found, and what is said when they are not. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { FailureError } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { createPackageLoader, installDirectory, packageDirectories } from "./load-package.ts";

const made: string[] = [];

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "kedge-packages-"));
  made.push(directory);
  return directory;
}

/** A package of ECMAScript modules only, like those of the AI SDK. */
function putPackage(modules: string, name: string, source: string): void {
  const folder = join(modules, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name, version: "1.2.3", type: "module", exports: { ".": "./index.js" } }),
  );
  writeFileSync(join(folder, "index.js"), source);
}

async function failureOf(loading: Promise<unknown>): Promise<unknown> {
  try {
    await loading;
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
  throw new Error("It was loaded.");
}

test("the user's own packages come before those of kedge", async () => {
  const home = temporary();
  putPackage(join(installDirectory(home), "node_modules"), "@ai-sdk/cohere", 'export const from = "home";');
  const load = createPackageLoader({ directories: packageDirectories(home) });
  expect({ ...((await load("@ai-sdk/cohere")) as object) }).toEqual({ from: "home" });
});

test("a package that comes with kedge is found without being installed", async () => {
  const load = createPackageLoader({ directories: packageDirectories(temporary()) });
  expect(Object.keys((await load("@ai-sdk/cohere")) as object)).toContain("createCohere");
});

test("a package that is nowhere is a configuration failure that says what to do", async () => {
  const load = createPackageLoader({ directories: packageDirectories(temporary()) });
  expect(await failureOf(load("@kedge-test/absent"))).toEqual({
    code: "configuration",
    message: "The package @kedge-test/absent is not installed.",
    recovery: "Install it with: kedge providers install @kedge-test/absent",
    retryable: false,
  });
});

test("folders above the given ones are not searched", async () => {
  const above = temporary();
  const inner = join(above, "inner/node_modules");
  mkdirSync(inner, { recursive: true });
  putPackage(join(above, "node_modules"), "stray", "export const from = 1;");
  expect(await failureOf(createPackageLoader({ directories: [inner] })("stray"))).toMatchObject({
    message: "The package stray is not installed.",
  });
});

test.each([
  "../evil",
  "/etc/passwd",
  "./here",
  "a/b/c",
  "a/../b",
  "@scope",
  "@scope/../x",
  "Upper",
  "node:fs",
  "",
  ".hidden",
  "a\\b",
])("%j is no package name", async (name) => {
  const load = createPackageLoader({ directories: packageDirectories(temporary()) });
  expect(await failureOf(load(name))).toEqual({
    code: "configuration",
    message: `"${name}" is not the name of an npm package.`,
    recovery: 'Fix "npm" in the provider\'s settings.',
    retryable: false,
  });
});

test("a package that breaks while it loads is a failure without its text", async () => {
  const home = temporary();
  const modules = join(installDirectory(home), "node_modules");
  putPackage(modules, "broken", 'import "not-there-at-all";');
  const load = createPackageLoader({ directories: [modules] });
  expect(await failureOf(load("broken"))).toEqual({
    code: "configuration",
    message: "The package broken is installed but cannot be loaded (ERR_MODULE_NOT_FOUND).",
    recovery: "Install it again with: kedge providers install broken",
    retryable: false,
  });
});

test("loading prints nothing", async () => {
  const home = temporary();
  putPackage(join(installDirectory(home), "node_modules"), "quiet", "export const from = 2;");
  const program = `
    const { createPackageLoader, packageDirectories } = await import(${JSON.stringify(new URL("./load-package.ts", import.meta.url).href)});
    const found = await createPackageLoader({ directories: packageDirectories(${JSON.stringify(home)}) })("quiet");
    if (found.from !== 2) process.exitCode = 1;
  `;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  expect(await run).toEqual({ stdout: "", stderr: "" });
});
