/** Empty folders in trees: told as changes, brought back, kept through a clean-up, and in no reader's way. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGitSnapshots } from "../src/index.ts";
import { never, openSnapshotPlace, putFile, type SnapshotPlace, takenTree } from "./snapshot-workspace.ts";

let place: SnapshotPlace;
let snapshots: ReturnType<typeof createGitSnapshots>;

beforeEach(() => {
  place = openSnapshotPlace({ isInsideGitRepository: false });
  snapshots = createGitSnapshots(place.options);
  putFile(place.root, ".gitignore", "build/\n*.log\n");
  putFile(place.root, "src/a.txt", "a");
});
afterEach(() => rmSync(place.folder, { recursive: true, force: true }));

function makeFolders(...names: readonly string[]): void {
  for (const name of names) mkdirSync(join(place.root, name), { recursive: true });
}

function remove(name: string): void {
  rmSync(join(place.root, name), { recursive: true });
}

/** What changes from here to after the work. */
async function changesOf(work: () => void) {
  const before = await takenTree(snapshots);
  work();
  return snapshots.changes(before, await takenTree(snapshots));
}

describe("changes", () => {
  test("name the innermost folders, and not those that are ignored", async () => {
    const work = () => makeFolders("one", "two/deep", "src/three", "build", "two/build/x", "four/build");
    expect(await changesOf(work)).toEqual([
      { path: "four/", status: "added" },
      { path: "one/", status: "added" },
      { path: "src/three/", status: "added" },
      { path: "two/deep/", status: "added" },
    ]);
  });

  test("do not name a folder that gets its first file or loses its last", async () => {
    makeFolders("box");
    const fill = () => writeFileSync(join(place.root, "box/f"), "");
    expect(await changesOf(fill)).toEqual([{ path: "box/f", status: "added" }]);
    expect(await changesOf(() => remove("box/f"))).toEqual([{ path: "box/f", status: "deleted" }]);
    expect(await changesOf(() => remove("box"))).toEqual([{ path: "box/", status: "deleted" }]);
  });

  test("hold a folder with nothing but ignored files for an empty one", async () => {
    const work = () => putFile(place.root, "logs/x.log", "");
    expect(await changesOf(work)).toEqual([{ path: "logs/", status: "added" }]);
  });

  test("say nothing of a folder that is ignored from now on and still there", async () => {
    makeFolders("out", "gone");
    const work = () => {
      putFile(place.root, ".gitignore", "out/\n");
      remove("gone");
    };
    expect(await changesOf(work)).toEqual([
      { path: ".gitignore", status: "modified" },
      { path: "gone/", status: "deleted" },
    ]);
  });
});

describe("restore", () => {
  test("removes a new folder with those around it, but nothing that is not empty", async () => {
    makeFolders("was");
    const before = await takenTree(snapshots);
    makeFolders("new/deep", "was/inner", "filled");
    putFile(place.root, "filled/by-user", "");
    await snapshots.restore(before, ["new/deep/", "was/inner/", "filled/"]);
    expect(readdirSync(place.root).sort()).toEqual([".gitignore", "filled", "src", "was"]);
    expect(readdirSync(join(place.root, "was"))).toEqual([]);
  });

  test("keeps a folder that is empty without the file it takes away, if it was there before", async () => {
    makeFolders("box");
    const before = await takenTree(snapshots);
    putFile(place.root, "box/f", "");
    putFile(place.root, "other/f", "");
    await snapshots.restore(before, ["box/f", "other/f"]);
    expect(readdirSync(place.root).sort()).toEqual([".gitignore", "box", "src"]);
  });

  test("says what stands in the way of a folder, and never goes through a link", async () => {
    makeFolders("box/in", "elsewhere");
    const before = await takenTree(snapshots);
    remove("box");
    writeFileSync(join(place.root, "box"), "");
    await expect(snapshots.restore(before, ["box/in/"])).rejects.toThrow("is in the way: box/in/.");
    await expect(snapshots.restore(before, ["../x/"])).rejects.toThrow("is not a path in the workspace");
  });

  test("leaves an ignored folder that the tree was never asked about", async () => {
    const before = await takenTree(snapshots);
    makeFolders("build/x");
    await snapshots.restore(before, ["build/x/"]);
    expect(existsSync(join(place.root, "build/x"))).toBe(true);
  });

  test("covers an ignored folder that was named", async () => {
    makeFolders("build/x");
    const named = await snapshots.track(never, { also: ["build"] });
    if (!named.ok) throw new Error(named.why);
    remove("build");
    const later = await snapshots.track(never, { asIn: [named.tree] });
    if (!later.ok) throw new Error(later.why);
    expect(await snapshots.changes(named.tree, later.tree)).toEqual([{ path: "build/x/", status: "deleted" }]);
    expect(await snapshots.changes(named.tree, await takenTree(snapshots))).toEqual([]);
    await snapshots.restore(named.tree, ["build/x/"]);
    expect(existsSync(join(place.root, "build/x"))).toBe(true);
  });
});

test("a tree is the same for the same folders, also by another process, and is kept through a clean-up", async () => {
  makeFolders("one", "two/deep");
  const tree = await takenTree(snapshots);
  expect(await takenTree(snapshots)).toBe(tree);
  expect(await takenTree(createGitSnapshots(place.options))).toBe(tree);
  await snapshots.pin(tree, "owner");
  remove("two");
  const later = await takenTree(snapshots);
  expect(later).not.toBe(tree);
  expect(await snapshots.cleanup({ now: Date.now() + 10_000, olderThanMs: 0 })).toEqual({ kind: "cleaned" });
  // Nobody held on to it, so it is made again.
  expect(await takenTree(snapshots)).toBe(later);
  expect(await snapshots.changes(later, tree)).toEqual([{ path: "two/deep/", status: "added" }]);
});

test("a check-out has the folders and none of the notes, and a diff for people is silent about them", async () => {
  const before = await takenTree(snapshots);
  makeFolders("two/deep");
  const wide = await snapshots.track(never, { also: ["build"] });
  if (!wide.ok) throw new Error(wide.why);
  const target = join(place.folder, "target");
  mkdirSync(target);
  expect(await snapshots.checkOut?.(wide.tree, target)).toBe(true);
  expect(readdirSync(target, { recursive: true }).map(String).sort()).toEqual([
    ...[".gitignore", "src", "src/a.txt", "two", "two/deep"],
  ]);
  expect(await snapshots.diff(before, wide.tree)).toBe("");
});
