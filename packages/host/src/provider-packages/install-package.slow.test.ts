/** Proves that provider packages are installed with the user's npm, without scripts, and listed afterwards. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type InstallOptions, installPackage, listInstalledPackages, parseWantedPackage } from "./install-package.ts";
import { createPackageLoader, installDirectory } from "./load-package.ts";

const made: string[] = [];

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "kedge-install-"));
  made.push(directory);
  return directory;
}

/** A folder that npm can install without a network, with a script that must not run. */
function makePackage(name: string): string {
  const folder = join(temporary(), "source");
  mkdirSync(folder);
  const scripts = { install: "touch installed-by-script", postinstall: "touch installed-by-script" };
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name, version: "1.2.3", type: "module", exports: "./index.js", scripts }),
  );
  writeFileSync(join(folder, "index.js"), "export const createVendor = () => 1;");
  return folder;
}

type Bench = { readonly options: InstallOptions; readonly sentences: string[]; readonly directory: string };

function openBench(environment: InstallOptions["environment"] = {}): Bench {
  const kedgeHome = join(temporary(), "home");
  const sentences: string[] = [];
  const report = (sentence: string) => sentences.push(sentence);
  // Nothing listens there: what is not on this machine cannot be had.
  const offline = { npm_config_registry: "http://127.0.0.1:9/", npm_config_fetch_retries: "0" };
  const user = { HOME: temporary(), PATH: npmPath() };
  return {
    options: { kedgeHome, environment: { ...user, ...offline, ...environment }, report },
    sentences,
    directory: installDirectory(kedgeHome),
  };
}

/** The Node that runs the tests, and the system's npm. */
function npmPath(): string {
  return [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
}

function wantedFrom(text: string) {
  const wanted = parseWantedPackage(text);
  if (typeof wanted === "string") throw new Error(wanted);
  return wanted;
}

const never = new AbortController().signal;

test("installs, lists and loads a package of a folder, and runs no script of it", async () => {
  const { options, sentences, directory } = openBench();
  const source = makePackage("kedge-test-vendor");
  const spec = `kedge-test-vendor@file:${source}`;
  const installed = { packageName: "kedge-test-vendor", version: "1.2.3" };
  expect(await installPackage(wantedFrom(spec), options, never)).toEqual({ ok: true, installed });
  expect(sentences).toEqual([`Installing ${spec} into ${directory} …`]);
  expect(listInstalledPackages(options.kedgeHome)).toEqual([installed]);
  expect(existsSync(join(source, "installed-by-script"))).toBe(false);
  const load = createPackageLoader({ directories: [join(directory, "node_modules")] });
  expect(Object.keys((await load("kedge-test-vendor")) as object)).toEqual(["createVendor"]);
});

test("a second package does not remove the first", async () => {
  const { options } = openBench();
  for (const name of ["kedge-test-one", "kedge-test-two"]) {
    const outcome = await installPackage(wantedFrom(`${name}@file:${makePackage(name)}`), options, never);
    expect(outcome.ok).toBe(true);
  }
  expect(listInstalledPackages(options.kedgeHome).map(({ packageName }) => packageName)).toEqual([
    "kedge-test-one",
    "kedge-test-two",
  ]);
});

test("a registry that cannot be reached is one sentence", async () => {
  const { options } = openBench();
  expect(await installPackage(wantedFrom("cohere"), options, never)).toEqual({
    ok: false,
    failure: {
      code: "configuration",
      message: "@ai-sdk/cohere@4.0.52 could not be installed: the registry cannot be reached (ECONNREFUSED).",
      recovery: "Check the name and version, or try again later.",
      retryable: false,
    },
  });
  expect(listInstalledPackages(options.kedgeHome)).toEqual([]);
});

test("without npm on the PATH that is said", async () => {
  const { options } = openBench({ PATH: temporary() });
  expect(await installPackage(wantedFrom("cohere"), options, never)).toMatchObject({
    failure: { message: "npm is required to install packages and is not on the PATH." },
  });
});

test("an aborted installation is told as such", async () => {
  const { options } = openBench();
  expect(await installPackage(wantedFrom("cohere"), options, AbortSignal.abort())).toEqual({
    ok: false,
    failure: { code: "aborted", message: "Stopped.", retryable: false },
  });
});

test("a home that cannot be made is a storage failure", async () => {
  const { options } = openBench();
  writeFileSync(options.kedgeHome, "a file");
  expect(await installPackage(wantedFrom("cohere"), options, never)).toMatchObject({ failure: { code: "storage" } });
});

test("a damaged list of packages counts as none", () => {
  const { options, directory } = openBench();
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), '{"dependencies":');
  expect(listInstalledPackages(options.kedgeHome)).toEqual([]);
});

test("npm is told to run no scripts and to save exact versions", async () => {
  const folder = temporary();
  const log = join(folder, "arguments");
  writeFileSync(join(folder, "npm"), `#!/bin/sh\nprintf '%s\\n' "$@" > "${log}"\nexit 1\n`, { mode: 0o755 });
  const { options, directory } = openBench({ PATH: `${folder}${delimiter}${process.env["PATH"]}` });
  await installPackage(wantedFrom("amazon-bedrock"), options, never);
  expect(readFileSync(log, "utf8").trim().split("\n")).toEqual([
    "install",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--save-exact",
    "--loglevel=error",
    "--prefix",
    directory,
    "--",
    "@ai-sdk/amazon-bedrock@5.0.101",
    "zod@4.6.7",
  ]);
});

test.each([
  ["groq", { packageName: "@ai-sdk/groq", version: "4.0.81", peers: ["zod@4.6.7"] }],
  ["@ai-sdk/groq", { packageName: "@ai-sdk/groq", version: "4.0.81", peers: ["zod@4.6.7"] }],
  ["@ai-sdk/groq@5.0.0-beta.1", { packageName: "@ai-sdk/groq", version: "5.0.0-beta.1", peers: ["zod@4.6.7"] }],
  ["@some/vendor@1.2.3", { packageName: "@some/vendor", version: "1.2.3", peers: [] }],
  ["vendor-sdk", { packageName: "vendor-sdk", peers: [] }],
  ["../vendor", '"../vendor" is neither a provider nor an npm package name.'],
  ["--global", '"--global" is neither a provider nor an npm package name.'],
  ["groq@--global", '"--global" is not a version.'],
  ["groq@git+ssh://host/x", '"git+ssh://host/x" is not a version.'],
  ["", '"" is neither a provider nor an npm package name.'],
])("%j is read", (text, expected) => {
  expect(parseWantedPackage(text)).toEqual(expected);
});
