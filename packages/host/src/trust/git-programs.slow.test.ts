/** What git would run by a repository's own configuration, found without starting git. */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gitProgramAt, gitProgramOf } from "./git-programs.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kedge-git-"));
  execFileSync("git", ["init", "--quiet"], { cwd: root });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const configure = (key: string, value: string) => execFileSync("git", ["config", key, value], { cwd: root });

test.each([
  ["diff.external", "./x.sh", "diff.external"],
  ["diff.pic.textconv", "./x.sh", "diff.textconv"],
  ["filter.lfs.clean", "git-lfs clean", "filter.clean"],
  ["core.pager", "./x.sh", "core.pager"],
  ["pager.log", "./x.sh", "pager.log"],
  ["include.path", "../more", "include.path"],
  ["gpg.ssh.program", "./x.sh", "gpg.program"],
])("%s = %s", (key, value, found) => {
  configure(key, value);
  expect(gitProgramOf(root)).toBe(found);
});

test("an ordinary configuration runs nothing", () => {
  configure("user.name", "Ada");
  configure("core.fsmonitor", "./x.sh");
  configure("remote.origin.url", "https://example.invalid/x.git");
  configure("core.hooksPath", ".husky");
  expect(gitProgramOf(root)).toBeUndefined();
});

test("where the files of a submodule lie runs nothing, as long as they lie in the workspace", () => {
  configure("core.worktree", "../src");
  expect(gitProgramOf(root)).toBe("a configuration that cannot be read");
  mkdirSync(join(root, "src"));
  expect(gitProgramOf(root)).toBeUndefined();
  configure("core.worktree", "../..");
  expect(gitProgramOf(root)).toBe("core.worktree");
});

test("odd ways of writing are read too", () => {
  appendFileSync(join(root, ".git", "config"), '[DIFF] External = "./x.sh"\n');
  expect(gitProgramOf(root)).toBe("diff.external");
});

test.each([
  ["lines that end as on Windows", '[filter "x"]\r\n\tclean = ./x.sh\r\n', "filter.clean"],
  ["a comment that seems to go on", "# note \\\n[diff]\n\texternal = ./x.sh\n", "diff.external"],
  ["two headings in a line", '[core] [filter "x"] clean = ./x.sh\n', "filter.clean"],
  ["a remote that is asked for what is missing", '[remote "o"]\n\tpromisor = true\n', "remote.promisor"],
  ["a program on the other side", '[remote "o"]\n\tuploadpack = ./x.sh\n', "remote.uploadpack"],
  ["a key that nobody knows", "[core]\n\tsomethingNew = x\n", "core.somethingnew"],
  ["a value that goes on", "[user]\n\tname = a\\\n\tb\n", "a configuration that cannot be read"],
  ["a line that is no setting", "[user]\n\t= ./x.sh\n", "a configuration that cannot be read"],
])("%s", (_, text, found) => {
  appendFileSync(join(root, ".git", "config"), text);
  expect(gitProgramOf(root)).toBe(found);
});

test("the configuration that a worktree shares counts too", () => {
  const bare = join(root, "elsewhere");
  execFileSync("git", ["init", "--quiet", "--bare", bare]);
  execFileSync("git", ["config", "diff.external", "./x.sh"], { cwd: bare });
  rmSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, "own"));
  writeFileSync(join(root, "own", "commondir"), "../elsewhere\n");
  writeFileSync(join(root, ".git"), "gitdir: own\n");
  expect(gitProgramOf(root)).toBe("diff.external");
});

test("outside of a repository there is none", () => {
  rmSync(join(root, ".git"), { recursive: true });
  expect(gitProgramOf(root)).toBeUndefined();
});

test("a repository inside of the workspace speaks for its own directories", () => {
  const inner = join(root, "vendor", "x");
  mkdirSync(join(inner, "src"), { recursive: true });
  execFileSync("git", ["init", "--quiet"], { cwd: inner });
  execFileSync("git", ["config", "diff.external", "./x.sh"], { cwd: inner });
  expect(gitProgramAt(join(inner, "src"), root)).toEqual({ program: "diff.external", isOther: true });
  expect(gitProgramAt(join(root, "vendor"), root)).toBeUndefined();
  configure("core.pager", "./x.sh");
  expect(gitProgramAt(join(root, "vendor"), root)).toEqual({ program: "core.pager", isOther: false });
});

test("a directory that looks like a bare repository is one", () => {
  const bare = join(root, "fixtures", "bare");
  execFileSync("git", ["init", "--quiet", "--bare", bare]);
  execFileSync("git", ["config", "gpg.program", "./x.sh"], { cwd: bare });
  expect(gitProgramAt(join(bare, "refs"), root)).toEqual({ program: "gpg.program", isOther: true });
});

test("what cannot be followed is not believed", () => {
  expect(gitProgramAt(join(root, "absent"), root)).toEqual({
    program: "a configuration that cannot be read",
    isOther: true,
  });
});
