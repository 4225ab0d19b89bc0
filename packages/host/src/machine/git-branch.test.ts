import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { gitBranchOf } from "./git-branch.ts";

function emptyDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-branch-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function git(directory: string, ...words: readonly string[]): void {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
  execFileSync("git", [...who, ...words], { cwd: directory, stdio: "ignore" });
}

test("the branch of a repository, of a directory in it and of a linked worktree; none between branches", () => {
  const root = emptyDirectory();
  expect(gitBranchOf(root)).toBeUndefined();
  git(root, "init", "-b", "topic/one");
  mkdirSync(join(root, "deep/down"), { recursive: true });
  expect([gitBranchOf(root), gitBranchOf(join(root, "deep/down"))]).toEqual(["topic/one", "topic/one"]);
  git(root, "commit", "--allow-empty", "-m", "one");
  git(root, "worktree", "add", "-b", "other", "linked");
  expect(gitBranchOf(join(root, "linked"))).toBe("other");
  git(root, "checkout", "--detach");
  expect(gitBranchOf(root)).toBeUndefined();
});

test.skipIf(process.getuid?.() === 0)("a repository that cannot be read has no branch", () => {
  const root = emptyDirectory();
  git(root, "init");
  chmodSync(join(root, ".git"), 0);
  onTestFinished(() => chmodSync(join(root, ".git"), 0o700));
  expect(gitBranchOf(root)).toBeUndefined();
});
