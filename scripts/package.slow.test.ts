import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { refuseMachinePaths, writeArchive } from "./package.ts";
import { copyShippedPackage, findShippedPackages, type LockedPackages, readLock } from "./shipped-packages.ts";

let directory = "";
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-package-")));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function put(files: { readonly [path: string]: string }, mode = 0o644): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
    chmodSync(join(directory, path), mode);
  }
}

const lock: LockedPackages = {
  "": {
    dependencies: { bundled: "1", server: "1", "tree-sitter-x": "1" },
    optionalDependencies: { native: "1", absent: "1" },
  },
  "node_modules/bundled": { dependencies: { inside: "1" } },
  "node_modules/inside": {},
  "node_modules/server": {
    dependencies: { part: "1" },
    peerDependencies: { peer: "1", unwanted: "1" },
    peerDependenciesMeta: { unwanted: { optional: true } },
  },
  "node_modules/server/node_modules/part": { dependencies: { deep: "1", part: "2" } },
  "node_modules/part": {},
  "node_modules/deep": {},
  "node_modules/peer": {},
  "node_modules/unwanted": {},
  "node_modules/native": { optionalDependencies: { "native-here": "1", "native-elsewhere": "1" } },
  "node_modules/native-here": {},
  "node_modules/native-elsewhere": {},
  "node_modules/tree-sitter-x": { dependencies: { "of-the-compiler": "1" } },
  "node_modules/of-the-compiler": {},
  "node_modules/tester": {},
};

function install(isLeft: (place: string) => boolean = () => false): void {
  const places = Object.keys(lock).filter((place) => place !== "" && !place.endsWith("elsewhere") && !isLeft(place));
  for (const place of places) mkdirSync(join(directory, place), { recursive: true });
}

test("the packages outside of the bundle come with what they need, as Node would find it, and no others", () => {
  install();
  const found = findShippedPackages({ root: directory, lock, isLeftOut: (name) => name === "bundled" });
  expect(found).toEqual([
    "node_modules/deep",
    "node_modules/native",
    "node_modules/native-here",
    "node_modules/peer",
    "node_modules/server",
    "node_modules/server/node_modules/part",
    "node_modules/tree-sitter-x",
  ]);
});

test("a package that is needed and not installed is an error", () => {
  install((place) => place === "node_modules/deep");
  const find = () => findShippedPackages({ root: directory, lock, isLeftOut: () => false });
  expect(find).toThrow("deep is not installed; run npm ci and start again.");
});

test("a lock file of another form is refused", () => {
  put({ "package-lock.json": '{"lockfileVersion":1}' });
  expect(() => readLock(join(directory, "package-lock.json"))).toThrow("has version 1; this script reads version 3.");
});

const copied = () => globSync("to/**", { cwd: directory, withFileTypes: true }).flatMap((entry) => fileOf(entry));
const fileOf = (entry: { isFile(): boolean; parentPath: string; name: string }) =>
  entry.isFile() ? [join(entry.parentPath, entry.name).slice(`${directory}/to/`.length)] : [];

test("what runs is copied, and what the licence asks for", () => {
  const names = ["package.json", "LICENSE.md", "README.md", "lib/a.js", "lib/a.d.ts", "lib/a.js.map", "lib/test/b.js"];
  const left = ["test/a.js", "node_modules/other/a.js", ".hidden/a.js", "src/a.ts"];
  put(Object.fromEntries([...names, ...left].map((name) => [`from/${name}`, ""])));
  copyShippedPackage(join(directory, "from"), join(directory, "to"));
  expect(copied().sort()).toEqual(["LICENSE.md", "lib/a.js", "lib/test/b.js", "package.json"]);
});

test("of a grammar only the parser that is loaded is copied", () => {
  const names = ["package.json", "LICENSE", "x.wasm", "grammar.js", "src/parser.c", "prebuilds/linux-x64/x.node"];
  put(Object.fromEntries(names.map((name) => [`tree-sitter-x/${name}`, ""])));
  copyShippedPackage(join(directory, "tree-sitter-x"), join(directory, "to"));
  expect(copied().sort()).toEqual(["LICENSE", "package.json", "x.wasm"]);
});

test("the same files give the same archive, whenever and with whatever rights they were written", async () => {
  put({ "first/kedge/b.txt": "b", "first/kedge/a/a.txt": "a" }, 0o600);
  put({ "first/kedge/run": "r" }, 0o700);
  put({ "second/kedge/run": "r" }, 0o755);
  put({ "second/kedge/a/a.txt": "a", "second/kedge/b.txt": "b" }, 0o664);
  chmodSync(join(directory, "first/kedge/a"), 0o700);
  execFileSync("touch", ["-d", "2001-01-01", join(directory, "second/kedge/a/a.txt")]);
  const archives = ["first", "second"].map((name) => join(directory, `${name}.tar.gz`));
  await writeArchive(join(directory, "first/kedge"), archives[0] ?? "", 6);
  await writeArchive(join(directory, "second/kedge"), archives[1] ?? "", 6);
  const [first, second] = archives.map((path) => readFileSync(path).toString("base64"));
  expect(first).toBe(second);
  const words = ["--list", "--verbose", "--utc", "--full-time", "--file", archives[0] ?? ""];
  const listed = execFileSync("tar", words, { encoding: "utf8" }).trimEnd().split("\n");
  expect(listed.map((line) => line.replace(/ +/g, " "))).toEqual([
    "drwxr-xr-x 0/0 0 1985-10-26 08:15:00 kedge/",
    "drwxr-xr-x 0/0 0 1985-10-26 08:15:00 kedge/a/",
    "-rw-r--r-- 0/0 1 1985-10-26 08:15:00 kedge/a/a.txt",
    "-rw-r--r-- 0/0 1 1985-10-26 08:15:00 kedge/b.txt",
    "-rwxr-xr-x 0/0 1 1985-10-26 08:15:00 kedge/run",
  ]);
});

test("a file that names the checkout is refused", () => {
  put({ "a/good.js": "packages/cli", "b/bad.js": `// ${directory}/packages/cli` });
  expect(() => refuseMachinePaths(directory, [join(directory, "a")])).not.toThrow();
  expect(() => refuseMachinePaths(directory, [join(directory, "a"), join(directory, "b")])).toThrow(
    `The path of this checkout is in ${join(directory, "b/bad.js")}.`,
  );
});

test("the launcher finds its folder through links and keeps the caller's directory and words", () => {
  put({ "un packed/dist/kedge.js": "", "a caller/x": "", "links/x": "" });
  put({ "un packed/runtime/bin/node": '#!/bin/sh\necho "$0|$(pwd)|$1|$2|$3|$#"\n' }, 0o755);
  cpSync(join(import.meta.dirname, "launcher.sh"), join(directory, "un packed/kedge"));
  chmodSync(join(directory, "un packed/kedge"), 0o755);
  symlinkSync("../un packed/kedge", join(directory, "links/first"));
  symlinkSync(join(directory, "links/first"), join(directory, "links/kedge"));
  symlinkSync("links", join(directory, "more links"));
  symlinkSync("../links/kedge", join(directory, "a caller/kedge"));
  const unpacked = join(directory, "un packed");
  const caller = join(directory, "a caller");
  const start = (command: string, words: readonly string[]) => {
    const env = { PATH: `${join(directory, "links")}:/usr/bin:/bin`, CDPATH: directory };
    const { status, stdout, stderr } = spawnSync(command, words, { cwd: caller, encoding: "utf8", env });
    return { status, stdout, stderr };
  };
  const started = {
    status: 0,
    stdout: `${unpacked}/runtime/bin/node|${caller}|${unpacked}/dist/kedge.js|-p|two words|3\n`,
    stderr: "",
  };
  for (const command of ["kedge", "../un packed/kedge", "./kedge", join(directory, "more links/kedge")]) {
    expect(start(command, ["-p", "two words"])).toEqual(started);
  }
  expect(start("sh", ["kedge", "-p", "two words"])).toEqual(started);
});
