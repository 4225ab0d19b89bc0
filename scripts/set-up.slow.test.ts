import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
let directory = "";
let project = "";
let caller = "";

/** Stands in for npm: brings a Node, counts its calls, and is as noisy as the real one. */
const npmText = `#!/bin/sh
echo "$*" >>"$CALLS"
echo noise; echo noise >&2
[ ! -e "$CALLS.fail" ] || exit 7
mkdir -p node_modules/node-linux-any/bin
ln -sf "$REAL_NODE" node_modules/node-linux-any/bin/node
`;

/** Stands in for the build: the program says where it runs and with what. */
const buildText = `
import { appendFileSync, writeFileSync } from "node:fs";
console.log("noise");
appendFileSync(process.env.CALLS, "build\\n");
writeFileSync("dist/main.cjs", "");
writeFileSync("dist/package.json", '{"type":"commonjs"}');
writeFileSync("dist/kedge.js", "console.log(process.cwd(), ...process.argv.slice(2))");
`;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-set-up-")));
  project = join(directory, "project");
  caller = join(directory, "a caller");
  const files = {
    "bin/npm": npmText,
    "project/package.json": '{"type":"module"}',
    "project/package-lock.json": "{}",
    "project/scripts/build.ts": buildText,
    "project/packages/one/src/a.ts": "",
    "project/packages/one/src/b.ts": "",
    "a caller/x": "",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text, { mode: 0o755 });
  }
  for (const path of ["kedge", "scripts/set-up.sh"]) cpSync(join(root, path), join(project, path));
  makeOld();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Puts every source into the past, so that what a test touches afterwards is newer than the build for certain. */
function makeOld(): void {
  execFileSync("find", [project, "-exec", "touch", "-h", "-d", "2001-01-01", "{}", "+"]);
}

const environment = () => ({
  PATH: `${join(directory, "bin")}:/usr/bin:/bin`,
  CALLS: join(directory, "calls"),
  REAL_NODE: process.execPath,
  TMPDIR: directory,
});

function start(command = join(project, "kedge"), argv: readonly string[] = ["-p", "two words"]) {
  const { status, stdout, stderr } = spawnSync(command, argv, { cwd: caller, encoding: "utf8", env: environment() });
  return { status, stdout, stderr };
}

function takeCalls(): readonly string[] {
  const path = join(directory, "calls");
  if (!existsSync(path)) return [];
  const calls = readFileSync(path, "utf8").trimEnd().split("\n");
  rmSync(path);
  return calls;
}

const told = (stderr: string) => ({ status: 0, stdout: `${caller} -p two words\n`, stderr });

test("the first start installs and builds, the second does nothing, and only the program uses standard output", () => {
  expect(start()).toEqual(told("kedge: installing dependencies ...\nkedge: building ...\n"));
  expect(takeCalls()).toEqual(["ci", "build"]);
  expect(start()).toEqual(told(""));
  expect(takeCalls()).toEqual([]);
});

test("through two symbolic links it finds its installation and keeps the caller's directory", () => {
  mkdirSync(join(directory, "links"));
  symlinkSync("../project/kedge", join(directory, "links/first"));
  symlinkSync("first", join(directory, "links/kedge"));
  expect(start(join(directory, "links/kedge")).stdout).toBe(`${caller} -p two words\n`);
});

test("a changed, added or deleted source builds again; a changed lock file installs again", () => {
  start();
  const source = join(project, "packages/one/src/a.ts");
  const future = new Date(Date.now() + 60_000);
  const rebuilds = (change: () => void) => {
    execFileSync("touch", ["-d", "2002-01-01", join(project, "dist/kedge.js")]);
    makeOldButDist();
    takeCalls();
    change();
    start();
    return takeCalls();
  };
  expect(rebuilds(() => {})).toEqual([]);
  expect(rebuilds(() => utimesSync(source, future, future))).toEqual(["build"]);
  expect(rebuilds(() => writeFileSync(join(project, "packages/one/src/c.ts"), ""))).toEqual(["build"]);
  expect(rebuilds(() => rmSync(source))).toEqual(["build"]);
  expect(rebuilds(() => writeFileSync(join(project, "package-lock.json"), "{ }"))).toEqual(["ci", "build"]);
});

function makeOldButDist(): void {
  execFileSync("find", [
    project,
    "-path",
    "*/dist",
    "-prune",
    "-o",
    "-exec",
    "touch",
    "-h",
    "-d",
    "2001-01-01",
    "{}",
    "+",
  ]);
}

test("a failed installation is one sentence after its output, and the next start tries again", () => {
  writeFileSync(join(directory, "calls.fail"), "");
  const { status, stdout, stderr } = start();
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /^kedge: installing dependencies \.\.\.\nnoise\nnoise\nkedge: installing the dependencies failed; the output is above and in \S+\.\n$/,
  );
  rmSync(join(directory, "calls.fail"));
  expect(start().status).toBe(0);
});

test("starts at the same time set up once", async () => {
  const children = [1, 2, 3].map(() => spawn(join(project, "kedge"), ["-p"], { cwd: caller, env: environment() }));
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
  expect(codes).toEqual([0, 0, 0]);
  expect(takeCalls()).toEqual(["ci", "build"]);
});

test("the lock of a process that is gone is broken", () => {
  mkdirSync(join(project, "dist/.set-up-lock"), { recursive: true });
  writeFileSync(join(project, "dist/.set-up-lock/pid"), "999999999\n");
  expect(start().status).toBe(0);
  expect(existsSync(join(project, "dist/.set-up-lock"))).toBe(false);
});
