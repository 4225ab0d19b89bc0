/** Which files hold what their repository keeps, on real repositories in all formats of the index. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCommittedContent } from "./committed-content.ts";
import { blobNames } from "./git-index.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-committed-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function git(...args: readonly string[]): string {
  const environment = { PATH: process.env["PATH"] ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
    cwd: root,
    env: environment,
    encoding: "utf8",
  });
}

function put(path: string, content: string): string {
  writeFileSync(join(root, path), content);
  return join(root, path);
}

test.each(["2", "3", "4"])("what is tracked and unchanged is told, with an index of version %s", (version) => {
  git("init", "-q");
  git("config", "index.version", version);
  mkdirSync(join(root, "deep"));
  for (let number = 0; number < 40; number += 1) put(`deep/file-${number}.txt`, `${number}`);
  const kept = [put(".npmrc", "registry=x"), put("deep/é.pem", "key"), put("deep/.env", "A=1")];
  git("add", "-A");
  if (version === "3") git("update-index", "--skip-worktree", "deep/.env");
  git("update-index", "--index-version", version);
  const changed = put("deep/changed.pem", "first");
  git("add", "-A");
  put("deep/changed.pem", "other");
  const untracked = put(".env", "SECRET=1");
  const committed = createCommittedContent();
  expect(committed.among([...kept, changed, untracked])).toEqual(new Set(kept));
  put(".npmrc", "registry=y");
  expect(committed.among(kept)).toEqual(new Set(kept.slice(1)));
  git("add", ".npmrc");
  expect(committed.among(kept)).toEqual(new Set(kept));
});

test.each(["2", "4"])("a closed file is found among all that git tracks, with an index of version %s", (version) => {
  git("init", "-q");
  const isClosed = (path: string) => path.endsWith(".key");
  const closedAt = () => createCommittedContent().closedAt(join(root, "deep"), isClosed);
  mkdirSync(join(root, "deep"));
  expect(closedAt()).toBeUndefined();
  for (let number = 0; number < 40; number += 1) put(`deep/file-${number}.link`, `${number}`);
  git("add", "-A");
  git("update-index", "--index-version", version);
  put("deep/app.key", "untracked");
  expect(closedAt()).toBeUndefined();
  git("add", "-A");
  expect(closedAt()).toBe("a rule closes deep/app.key");
  git("rm", "-q", "--cached", "deep/app.key");
  expect(closedAt()).toBeUndefined();
  git("update-index", "--split-index");
  expect(closedAt()).toContain("cannot be determined");
});

test("a linked working tree has an index of its own, and without a repository nothing is kept", () => {
  git("init", "-q");
  put(".npmrc", "registry=x");
  git("add", "-A");
  git("commit", "-qm", "first");
  git("worktree", "add", "-q", "tree");
  const own = join(root, "tree", ".npmrc");
  expect(createCommittedContent().among([own])).toEqual(new Set([own]));
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "kedge-plain-")));
  writeFileSync(join(outside, ".env"), "x");
  expect(createCommittedContent().among([join(outside, ".env")])).toEqual(new Set());
  rmSync(outside, { recursive: true });
});

test("a broken index keeps nothing", () => {
  git("init", "-q");
  put(".env", "x");
  git("add", "-A");
  const index = execFileSync("cat", [join(root, ".git", "index")]);
  for (let length = 0; length < index.length - 20; length += 7) {
    const found = blobNames(index.subarray(0, length), new Set([".env"]));
    expect([...found.keys()].every((name) => name === ".env")).toBe(true);
  }
  expect(blobNames(Buffer.from("no index at all, but long enough"), new Set([".env"]))).toEqual(new Map());
});
