/** Trees that tell where the refs and stash entries of the user's repository are, and put them back. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createGitSnapshots } from "../src/index.ts";
import { readUserRefs } from "../src/snapshots/user-refs.ts";
import { findUserRepository } from "../src/snapshots/user-repository.ts";

let place = "";
let root = "";

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "kedge-refs-")));
  root = join(place, "w");
  mkdirSync(root);
  git("init", "-q", "-b", "main");
  writeFileSync(join(root, "a.txt"), "1");
  git("add", ".");
  git("commit", "-qm", "first");
  git("branch", "packed");
  git("tag", "-a", "-m", "words", "v1");
  git("pack-refs", "--all");
  git("branch", "folder/loose");
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

const environment = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.invalid",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.invalid",
};

function git(...words: readonly string[]): string {
  return execFileSync("git", words, { cwd: root, env: environment, encoding: "utf8", stdio: "pipe" }).trim();
}

function open() {
  const directory = join(place, "snapshots");
  return createGitSnapshots({
    ...{ directory, root, home: join(place, "home"), isInsideGitRepository: true },
    environment: () => ({ PATH: process.env["PATH"] }),
  });
}

const signal = () => new AbortController().signal;

async function take(snapshots: ReturnType<typeof open>, options: Parameters<typeof snapshots.track>[1]) {
  const tracked = await snapshots.track(signal(), options);
  if (!tracked.ok) throw new Error(tracked.why);
  expect(tracked.uncovered).toEqual([]);
  return tracked.tree;
}

test("refs are read as git lists them: loose, packed, tags, a detached head and the stash", async () => {
  writeFileSync(join(root, "a.txt"), "2");
  git("stash", "push", "-q", "-m", "mine");
  git("checkout", "-q", "--detach");
  const read = await readUserRefs(await findUserRepository(root));
  const listed = git("for-each-ref", "--format=%(refname) %(objectname)").split("\n");
  const expected = Object.fromEntries(listed.map((line) => line.split(" ")).filter(([name]) => name !== "refs/stash"));
  expect(read).toEqual({
    head: git("rev-parse", "HEAD"),
    refs: expected,
    stash: {
      value: git("rev-parse", "stash"),
      lines: [readFileSync(join(root, ".git/logs/refs/stash"), "utf8").trimEnd()],
    },
  });
});

test("a linked work tree has its own head and shares the rest", async () => {
  const linked = join(place, "linked");
  git("worktree", "add", "-q", "-b", "other", linked);
  const read = await readUserRefs(await findUserRepository(linked));
  expect(read?.head).toBe("ref: refs/heads/other");
  expect(Object.keys(read?.refs ?? {}).sort()).toEqual([
    ...["refs/heads/folder/loose", "refs/heads/main", "refs/heads/other", "refs/heads/packed", "refs/tags/v1"],
  ]);
});

test("refs that are kept in another way are named as not covered", async () => {
  mkdirSync(join(root, ".git/reftable"));
  writeFileSync(join(root, ".git/reftable/tables.list"), "");
  expect(await open().track(signal(), { refs: "noted" })).toMatchObject({ ok: true, uncovered: [".git/refs"] });
});

test("trees that note refs differ in no file, and a tree without a note tells nothing", async () => {
  const snapshots = open();
  const plain = await take(snapshots, {});
  const before = await take(snapshots, { refs: "noted" });
  git("branch", "-D", "packed");
  const after = await take(snapshots, { asIn: [before] });
  expect(await snapshots.changes(before, after)).toEqual([]);
  expect(await snapshots.changes(plain, after)).toEqual([]);
  expect(await snapshots.diff(before, after)).toBe("");
  expect(await snapshots.refs?.changed(before, after)).toEqual(["refs/heads/packed"]);
  expect(await snapshots.refs?.changed(plain, after)).toEqual([]);
});

test("a branch whose commits were pruned comes back with them, twice over", async () => {
  git("checkout", "-q", "-b", "lost");
  writeFileSync(join(root, "lost.txt"), "only here");
  git("add", ".");
  git("commit", "-qm", "lost");
  const commit = git("rev-parse", "lost");
  git("checkout", "-q", "main");
  const snapshots = open();
  const before = await take(snapshots, { refs: "noted" });
  git("branch", "-D", "lost");
  const after = await take(snapshots, { asIn: [before] });
  git("reflog", "expire", "--expire=now", "--all");
  git("gc", "-q", "--prune=now");
  expect(() => git("cat-file", "-e", commit)).toThrow();
  for (const _ of ["once", "again"]) {
    expect(await snapshots.refs?.restore(before, after)).toEqual([]);
    expect(git("rev-parse", "lost")).toBe(commit);
    expect(git("show", "lost:lost.txt")).toBe("only here");
  }
});
