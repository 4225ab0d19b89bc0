/** Pipes in the place of files that git reads: a snapshot waits for none of them, and says which one it is. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { FailureError } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createGitSnapshots, type GitSnapshotsOptions } from "../src/index.ts";
import { never, openSnapshotPlace, putFile, runUserGit, takenTree } from "./snapshot-workspace.ts";

let folder: string;
let root: string;
let options: GitSnapshotsOptions;

beforeEach(() => {
  ({ folder, root, options } = openSnapshotPlace());
  runUserGit(root, ["init", "-q"]);
  putFile(root, "a.txt", "a");
  putFile(root, "deep/er/b.txt", "b");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function makePipe(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  rmSync(join(root, path), { force: true });
  execFileSync("mkfifo", [join(root, path)]);
}

const why = (path: string) => ({
  ok: false,
  why: `${path} is a pipe or a device instead of a file, and git would wait for it.`,
});

test.each([".gitignore", ".gitattributes", ".gitmodules"])(
  "a pipe named %s in the root is named at once",
  async (name) => {
    const snapshots = createGitSnapshots({ ...options, gitPath: "/nonexistent/git" });
    makePipe(name);
    expect(await snapshots.track(never)).toEqual(why(name));
  },
);

test("a pipe with the private rules of the repository is named", async () => {
  const snapshots = createGitSnapshots(options);
  makePipe(".git/info/exclude");
  expect(await snapshots.track(never)).toEqual(why(".git/info/exclude"));
});

test("a pipe in any folder is named, and snapshots are there again without it", async () => {
  const random = createSeededRandom();
  const snapshots = createGitSnapshots(options);
  await takenTree(snapshots);
  const directory = ["deep", "deep/er", "other/new"][random.below(3)];
  const path = `${directory}/.gitignore`;
  putFile(root, `${directory}/new.txt`, "new");
  makePipe(path);
  expect(await snapshots.track(never)).toEqual(why(path));
  rmSync(join(root, path));
  expect(await snapshots.track(never)).toMatchObject({ ok: true });
});

test("a tree is not restored while git would wait, and is afterwards", async () => {
  const snapshots = createGitSnapshots(options);
  const tree = await takenTree(snapshots);
  putFile(root, "a.txt", "changed");
  makePipe(".gitignore");
  await expect(snapshots.restore(tree, ["a.txt"])).rejects.toThrow(FailureError);
  rmSync(join(root, ".gitignore"));
  await snapshots.restore(tree, ["a.txt"]);
  expect(await takenTree(snapshots)).toBe(tree);
});

test("other pipes, and a link to nothing in the place of rules, cost no snapshot", async () => {
  const snapshots = createGitSnapshots(options);
  makePipe("pipe");
  symlinkSync("/dev/null", join(root, ".gitignore"));
  expect(await snapshots.track(never)).toMatchObject({ ok: true });
});
