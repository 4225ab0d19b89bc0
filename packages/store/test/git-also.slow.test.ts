/** Ignored files that somebody names: held by the trees that were asked, and never touched by the others. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileChange, Snapshots, TrackOptions } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createGitSnapshots } from "../src/index.ts";
import {
  commitAll,
  environment,
  never,
  putFile,
  repositoryFiles,
  runUserGit,
  workspaceFiles,
} from "./snapshot-workspace.ts";

let folder: string;
let root: string;
let snapshots: Snapshots;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "kedge-also-")));
  root = join(folder, "project");
  mkdirSync(root);
  runUserGit(root, ["init", "--quiet"]);
  put(".gitignore", "*.log\n.env\ndist/\n");
  put("seen.txt", "1");
  put(".env", "secret 1");
  put("dist/deep/a.js", "a1");
  put("dist/b.js", "b1");
  commitAll(root);
  snapshots = createGitSnapshots({
    directory: join(folder, "snapshots"),
    root,
    environment: () => environment,
    home: join(folder, "home"),
    isInsideGitRepository: true,
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (path: string, content: string | Buffer) => putFile(root, path, content);

async function track(
  also?: NonNullable<TrackOptions["also"]>,
): Promise<{ tree: string; uncovered: readonly string[] }> {
  const tracked = await snapshots.track(never, also === undefined ? undefined : { also });
  if (!tracked.ok) throw new Error(tracked.why);
  return tracked;
}

async function goTo(tree: string, from: string): Promise<readonly FileChange[]> {
  const changes = await snapshots.changes(tree, from);
  await snapshots.restore(
    tree,
    changes.map(({ path }) => path),
  );
  return changes;
}

test("files, folders and names of nothing yet come back and go again, without a trace in the user's repository", async () => {
  const state = repositoryFiles(root);
  const also = [".env", "dist", "later.log", "seen.txt"];
  const atStart = workspaceFiles(root);
  const before = await track(also);
  put(".env", "secret 2");
  chmodSync(join(root, ".env"), 0o755);
  rmSync(join(root, "dist"), { recursive: true });
  put("dist/new/c.js", "c1");
  put("later.log", "log");
  put("seen.txt", "2");
  const atEnd = workspaceFiles(root);
  const after = await track(also);
  expect(await goTo(before.tree, after.tree)).toEqual([
    { path: ".env", status: "modified" },
    { path: "dist/b.js", status: "deleted" },
    { path: "dist/deep/a.js", status: "deleted" },
    { path: "dist/new/c.js", status: "added" },
    { path: "later.log", status: "added" },
    { path: "seen.txt", status: "modified" },
  ]);
  expect(workspaceFiles(root)).toEqual(atStart);
  await goTo(after.tree, before.tree);
  expect(workspaceFiles(root)).toEqual(atEnd);
  expect(repositoryFiles(root)).toEqual(state);
});

test("naming a file is not adding it, and not naming it any more is not deleting it", async () => {
  const plain = await track();
  put("seen.txt", "2");
  const named = await track([".env", "dist"]);
  const changes = [{ path: "seen.txt", status: "modified" }];
  expect(await snapshots.changes(plain.tree, named.tree)).toEqual(changes);
  expect(await snapshots.changes(named.tree, plain.tree)).toEqual(changes);
  expect(await snapshots.diff(plain.tree, named.tree)).not.toMatch(/secret|dist|coverage/);
  expect(await track()).toEqual({ ok: true, tree: expect.not.stringContaining(named.tree), uncovered: [] });
});

test("an ignored file that the tree was never asked about is not deleted, even if it is asked for", async () => {
  const { tree } = await track(["dist"]);
  put("dist/new.js", "new");
  put("added.txt", "new");
  await snapshots.restore(tree, [".env", "dist/new.js", "added.txt"]);
  expect(workspaceFiles(root)).toMatchObject({ ".env": "file secret 1" });
  expect(existsSync(join(root, "dist/new.js"))).toBe(false);
  expect(existsSync(join(root, "added.txt"))).toBe(false);
});

test("what a file's own rules began to ignore is still deleted when it was added since", async () => {
  const { tree } = await track();
  put("added.txt", "new");
  await track();
  put(".gitignore", "*.log\n.env\ndist/\nadded.txt\n");
  const after = await track();
  expect(await goTo(tree, after.tree)).toEqual([
    { path: ".gitignore", status: "modified" },
    { path: "added.txt", status: "added" },
  ]);
  expect(existsSync(join(root, "added.txt"))).toBe(false);
});

test("what is too large, elsewhere or a repository of its own is named", async () => {
  mkdirSync(join(folder, "outside"));
  symlinkSync(join(folder, "outside"), join(root, "link"));
  put("dist/large.bin", Buffer.alloc(3 * 1024 * 1024));
  put("dist/vendor/inner.js", "1");
  execFileSync("git", ["init", "--quiet", join(root, "dist/vendor")], { env: environment });
  const names = ["dist", "dist/vendor/inner.js", "../outside", "/etc/passwd", "link/x.log", ".git/config"];
  const { tree, uncovered } = await track(names);
  expect([...uncovered].sort()).toEqual([
    "../outside",
    ".git/config",
    "/etc/passwd",
    "dist/large.bin",
    "dist/vendor",
    "dist/vendor/inner.js",
    "link/x.log",
  ]);
  rmSync(join(root, "dist/large.bin"));
  put("dist/vendor/inner.js", "2");
  put("dist/b.js", "b2");
  const after = await track(names);
  expect(await snapshots.changes(tree, after.tree)).toEqual([{ path: "dist/b.js", status: "modified" }]);
});

test("more files than the limit are named by their folder, and those taken are still covered", async () => {
  for (let number = 0; number < 5_010; number += 1) put(`dist/many/${number}.js`, "1");
  const { tree, uncovered } = await track([".env", "dist/many"]);
  expect(uncovered).toEqual(["dist/many"]);
  rmSync(join(root, "dist/many"), { recursive: true });
  put(".env", "secret 2");
  const after = await track([".env", "dist/many"]);
  const changes = await snapshots.changes(tree, after.tree);
  expect(changes).toHaveLength(5_000);
  expect(changes[0]).toEqual({ path: ".env", status: "modified" });
});

test("all that is ignored can be asked for, as before a clean-up by git", async () => {
  put("a.log", "log");
  put("untracked.txt", "untracked");
  const atStart = workspaceFiles(root);
  const before = await track("all-ignored");
  expect(before.uncovered).toEqual([]);
  runUserGit(root, ["clean", "-fdxq"]);
  expect(Object.keys(workspaceFiles(root))).toEqual([".gitignore", "seen.txt"]);
  const names = [".env", "a.log", "dist"];
  const after = await track(names);
  expect(await goTo(before.tree, after.tree)).toHaveLength(5);
  expect(workspaceFiles(root)).toEqual(atStart);
});
