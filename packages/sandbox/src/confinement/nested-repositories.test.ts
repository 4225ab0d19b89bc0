import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createNestedRepositories } from "./nested-repositories.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-nested-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function makeRepository(path: string, git = ".git"): void {
  for (const name of ["hooks", "objects", "refs"]) mkdirSync(join(root, path, git, name), { recursive: true });
  for (const name of ["HEAD", "config"]) writeFileSync(join(root, path, git, name), "");
}

const pathsOf = (repositories = createNestedRepositories([root]), cwd = root) =>
  repositories.protectedPaths(cwd).map(({ path }) => relative(root, path));
const open = (path: string) => [`${path}/hooks`, `${path}/config`, `${path}/commondir`];

test("repositories of every kind are found, in folders of packages only their roots", () => {
  makeRepository(".");
  makeRepository("a");
  makeRepository("deep/er/b");
  makeRepository("bare", ".");
  makeRepository("node_modules/@scope/p");
  makeRepository("node_modules/q/src/r");
  mkdirSync(join(root, "half", ".git"), { recursive: true });
  mkdirSync(join(root, "sub"));
  writeFileSync(join(root, "sub", ".git"), "gitdir: ../elsewhere\n");
  expect(pathsOf()).toEqual([
    ...open("a/.git"),
    "sub/.git",
    ...open("deep/er/b/.git"),
    ...open("node_modules/@scope/p/.git"),
    "bare",
  ]);
});

test("those near the command stay usable, and the number of all is bounded", () => {
  for (let count = 10; count < 30; count += 1) makeRepository(`r${count}`);
  expect(pathsOf(undefined, join(root, "r25", "src"))).toEqual([
    ...["r25", "r10", "r11"].flatMap((name) => open(`${name}/.git`)),
    ...["r12", "r13"].map((name) => `${name}/.git`),
  ]);
});

test("hooks that are a link are protected with what they lead to", () => {
  makeRepository("a");
  mkdirSync(join(root, "team"));
  rmSync(join(root, "a/.git/hooks"), { recursive: true });
  symlinkSync("../../team", join(root, "a/.git/hooks"));
  expect(pathsOf()).toEqual(["a/.git", "team"]);
});

test("what comes near the root is found later, what goes is forgotten", () => {
  makeRepository("a");
  const repositories = createNestedRepositories([root]);
  expect(pathsOf(repositories)).toEqual(open("a/.git"));
  rmSync(join(root, "a"), { recursive: true });
  makeRepository("b");
  // The clock of the file system may not have moved since.
  utimesSync(root, 1, 1);
  expect(pathsOf(repositories)).toEqual(open("b/.git"));
});
