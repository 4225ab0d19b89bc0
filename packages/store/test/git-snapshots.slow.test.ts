/** Snapshots with a real git on real folders: what is covered, what comes back, and that the user's repository never changes. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { FileChange, Snapshots } from "@kedge/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGitSnapshots, type GitSnapshotsOptions } from "../src/index.ts";
import {
  environment,
  never,
  openSnapshotPlace,
  putFile,
  repositoryFiles,
  runUserGit,
  takenTree,
  workspaceFiles,
} from "./snapshot-workspace.ts";

let folder: string;
let root: string;
let options: GitSnapshotsOptions;
let snapshots: Snapshots;

beforeEach(() => {
  ({ folder, root, options } = openSnapshotPlace());
  snapshots = createGitSnapshots(options);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...words: string[]) => runUserGit(root, words);
const put = (path: string, content: string | Buffer) => putFile(root, path, content);
const tree = () => takenTree(snapshots);
const workspace = () => workspaceFiles(root);
const repositoryState = () => repositoryFiles(root);

async function undo(before: string, after: string): Promise<readonly FileChange[]> {
  const changes = await snapshots.changes(before, after);
  await snapshots.restore(
    before,
    changes.map((change) => change.path),
  );
  return changes;
}

describe("undo and redo", () => {
  test("bring back edited, new, deleted, renamed, executable and linked files, whatever their names", async () => {
    const odd = "näme with\nnew line\tand *[x]";
    put("edited.txt", "one\r\ntwo\n");
    put("deleted/deep/file.txt", "gone");
    put("old-name.txt", "moved");
    put("run.sh", "#!/bin/sh\n");
    put(odd, "odd");
    put("binary", Buffer.from([0, 255, 13, 10]));
    symlinkSync("edited.txt", join(root, "link"));
    const atStart = workspace();
    const before = await tree();

    put("edited.txt", "one\r\nthree\n");
    put("new/folder/file.txt", "new");
    rmSync(join(root, "deleted"), { recursive: true });
    renameSync(join(root, "old-name.txt"), join(root, "new-name.txt"));
    chmodSync(join(root, "run.sh"), 0o755);
    put(odd, "changed");
    rmSync(join(root, "link"));
    symlinkSync("run.sh", join(root, "link"));
    const atEnd = workspace();
    const after = await tree();

    expect(await undo(before, after)).toEqual([
      { path: "deleted/deep/file.txt", status: "deleted" },
      { path: "edited.txt", status: "modified" },
      { path: "link", status: "modified" },
      { path: "new-name.txt", status: "added" },
      { path: "new/folder/file.txt", status: "added" },
      { path: odd, status: "modified" },
      { path: "old-name.txt", status: "deleted" },
      { path: "run.sh", status: "modified" },
    ]);
    expect(workspace()).toEqual(atStart);
    expect(existsSync(join(root, "new"))).toBe(false);
    expect(await tree()).toBe(before);
    await undo(after, before);
    expect(workspace()).toEqual(atEnd);
    expect(await tree()).toBe(after);
  });

  test("restore only the named files and keep who may read them", async () => {
    put("mine.txt", "before");
    put("other.txt", "before");
    chmodSync(join(root, "mine.txt"), 0o600);
    const before = await tree();
    put("mine.txt", "after");
    put("other.txt", "after");
    await snapshots.restore(before, ["mine.txt"]);
    expect(workspace()).toEqual({ "mine.txt": "file before", "other.txt": "file after" });
    expect(statSync(join(root, "mine.txt")).mode & 0o777).toBe(0o600);
  });

  test("cope with a file that became a folder, and a folder that became a file", async () => {
    put("a", "file");
    put("b/file", "in folder");
    const atStart = workspace();
    const before = await tree();
    rmSync(join(root, "a"));
    put("a/file", "in folder");
    rmSync(join(root, "b"), { recursive: true });
    put("b", "file");
    const after = await tree();
    await undo(before, after);
    expect(workspace()).toEqual(atStart);
  });

  test("leave bytes alone whatever the attributes of the workspace say", async () => {
    put(".gitattributes", "* text=auto eol=lf ident\n*.bin filter=missing\n");
    put("windows.txt", "$Id$\r\nmixed\n");
    put("x.bin", "\r\n\r\n");
    const atStart = workspace();
    const before = await tree();
    put("windows.txt", "");
    put("x.bin", "");
    await undo(before, await tree());
    expect(workspace()).toEqual(atStart);
  });

  test("show a unified diff", async () => {
    put("a.txt", "one\n");
    const before = await tree();
    put("a.txt", "two\n");
    const diff = await snapshots.diff(before, await tree());
    expect(diff).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n");
  });
});

describe("the user's repository", () => {
  test("is unchanged by every operation, with a dirty index, a stash, hooks and untracked files", async () => {
    git("init", "--quiet");
    put(".gitignore", "*.log\n");
    put("committed.txt", "1");
    git("add", ".");
    git("commit", "--quiet", "-m", "first");
    put("committed.txt", "stashed");
    git("stash", "--quiet");
    put("staged.txt", "staged");
    git("add", "staged.txt");
    put("staged.txt", "staged and changed");
    put("untracked.txt", "untracked");
    put(".git/hooks/post-index-change", `#!/bin/sh\ntouch "${folder}/hook-ran"\n`);
    chmodSync(join(root, ".git/hooks/post-index-change"), 0o755);
    git("status");
    rmSync(join(folder, "hook-ran"), { force: true });
    const state = repositoryState();

    const before = await tree();
    put("committed.txt", "2");
    const after = await tree();
    await snapshots.diff(before, after);
    await undo(before, after);
    expect(repositoryState()).toEqual(state);
    expect(existsSync(join(folder, "hook-ran"))).toBe(false);
    expect(git("status", "--porcelain")).toBe("AM staged.txt\n?? untracked.txt\n");
    expect(git("stash", "list").split("\n")).toHaveLength(2);
  });

  test("gives its ignore rules, also the private ones", async () => {
    git("init", "--quiet");
    put(".gitignore", "ignored.txt\n");
    put(".git/info/exclude", "private.txt\n");
    put("seen.txt", "1");
    const before = await tree();
    put("ignored.txt", "1");
    put("private.txt", "1");
    put("seen.txt", "2");
    expect(await snapshots.changes(before, await tree())).toEqual([{ path: "seen.txt", status: "modified" }]);
  });

  test("may be a linked work tree, and may hold nested repositories, which are skipped", async () => {
    git("init", "--quiet");
    put("a.txt", "1");
    git("add", ".");
    git("commit", "--quiet", "-m", "first");
    git("worktree", "add", "--quiet", join(folder, "linked"));
    put(".git/info/exclude", "private.txt\n");
    root = join(folder, "linked");
    snapshots = createGitSnapshots({ ...options, root });
    const before = await tree();
    put("private.txt", "1");
    put("nested/inner.txt", "1");
    execFileSync("git", ["init", "--quiet", join(root, "nested")], { env: environment });
    put("a.txt", "2");
    expect(await snapshots.changes(before, await tree())).toEqual([{ path: "a.txt", status: "modified" }]);
  });

  test("is not needed", async () => {
    snapshots = createGitSnapshots({ ...options, isInsideGitRepository: false });
    put("a.txt", "1");
    const before = await tree();
    put("a.txt", "2");
    expect(await undo(before, await tree())).toEqual([{ path: "a.txt", status: "modified" }]);
    expect(workspace()).toEqual({ "a.txt": "file 1" });
  });
});

describe("tracking", () => {
  test("names the files that are too large, and never takes their growth for a deletion", async () => {
    put("big.bin", Buffer.alloc(2 * 1024 * 1024 + 1));
    put("limit.bin", Buffer.alloc(2 * 1024 * 1024));
    const first = await snapshots.track(never);
    expect(first).toEqual({ ok: true, tree: expect.stringMatching(/^[0-9a-f]{40}$/), uncovered: ["big.bin"] });
    put("limit.bin", Buffer.alloc(2 * 1024 * 1024 + 1, 1));
    const second = await snapshots.track(never);
    expect(second).toEqual({ ...first, uncovered: ["big.bin", "limit.bin"] });
  });

  test("names a file whose name is not text", async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/x`), Buffer.from([0xff])]), "1");
    put("a.txt", "1");
    expect(await snapshots.track(never)).toMatchObject({ ok: true, uncovered: ["x\ufffd"] });
  });

  test("takes an empty workspace, and one that did not change", async () => {
    const empty = await tree();
    expect(await tree()).toBe(empty);
    put("a.txt", "1");
    const before = await tree();
    expect(before).not.toBe(empty);
    expect(await tree()).toBe(before);
    rmSync(join(root, "a.txt"));
    expect(await tree()).toBe(empty);
  });

  test("sees what another object on the same workspace recorded meanwhile", async () => {
    put("a.txt", "1");
    const before = await tree();
    put("a.txt", "22");
    const other = await createGitSnapshots(options).track(never);
    const after = await tree();
    expect(other).toEqual({ ok: true, tree: after, uncovered: [] });
    expect(await snapshots.changes(before, after)).toEqual([{ path: "a.txt", status: "modified" }]);
  });

  test("sees changes of the same length in the same instant", async () => {
    put("a.txt", "0");
    const trees = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      put("a.txt", String(round % 10) + String(Math.floor(round / 10)));
      trees.add(await tree());
    }
    expect(trees.size).toBe(20);
  });

  test("runs operations one after the other", async () => {
    put("a.txt", "1");
    const all = await Promise.all(Array.from({ length: 5 }, () => snapshots.track(never)));
    expect(new Set(all.map((tracked) => JSON.stringify(tracked))).size).toBe(1);
    expect(all[0]?.ok).toBe(true);
  });

  test("leaves nothing behind but the shadow, and nothing at all before its first use", async () => {
    expect(existsSync(options.directory)).toBe(false);
    put("a.txt", "1");
    await tree();
    const [shadow = ""] = readdirSync(options.directory);
    expect(readdirSync(join(options.directory, shadow)).sort()).toEqual(
      ["HEAD", "config", "index", "info", "objects", "refs"].sort(),
    );
    expect(statSync(join(options.directory, shadow)).mode & 0o777).toBe(0o700);
  });

  test("takes many files at once, without those it must leave out", async () => {
    for (let index = 0; index < 300; index += 1) put(`many/[file] ${index}.txt`, `${index}\r\n`);
    put(".gitignore", "*.log\n");
    put("a.log", "ignored");
    put("many/big [1].bin", Buffer.alloc(3 * 1024 * 1024));
    put("nested/inner.txt", "1");
    execFileSync("git", ["init", "--quiet", join(root, "nested")], { env: environment });
    const first = await snapshots.track(never);
    expect(first).toMatchObject({ ok: true, uncovered: ["many/big [1].bin"] });
    const before = await tree();
    for (let index = 0; index < 300; index += 1) rmSync(join(root, `many/[file] ${index}.txt`));
    put(".gitignore", "");
    const changes = await undo(before, await tree());
    expect(changes.map((change) => change.path).sort()).toEqual(
      [".gitignore", "a.log", ...Array.from({ length: 300 }, (_, index) => `many/[file] ${index}.txt`)].sort(),
    );
    expect(readFileSync(join(root, "many/[file] 299.txt"), "utf8")).toBe("299\r\n");
    expect(existsSync(join(root, "nested/inner.txt"))).toBe(true);
  });

  test("is not led astray by variables of a surrounding git", async () => {
    git("init", "--quiet");
    put("a.txt", "1");
    const foreign = { ...environment, GIT_DIR: join(root, ".git"), GIT_INDEX_FILE: join(root, ".git", "index") };
    snapshots = createGitSnapshots({ ...options, environment: () => foreign });
    const state = repositoryState();
    await tree();
    expect(repositoryState()).toEqual(state);
  });
});

describe("where snapshots are off", () => {
  test.each([
    ["the home folder", () => ({ home: root }), "Snapshots are off in the home directory and above it."],
    ["the root folder", () => ({ root: "/" }), "Snapshots are off in the home directory and above it."],
    [
      "a shadow inside the workspace",
      () => ({ directory: join(root, "snapshots") }),
      "Snapshots are off: they would be stored inside the workspace.",
    ],
    ["no git", () => ({ gitPath: join(folder, "no-git") }), "Snapshots are off: git could not be started."],
    [
      "an unusable folder",
      () => ({ directory: join(folder, "home-file") }),
      "Snapshots are off: DIRECTORY cannot be opened.",
    ],
  ])("%s is refused in a sentence", async (_, change, why) => {
    put("a.txt", "1");
    writeFileSync(join(folder, "home-file"), "");
    const changed = { ...options, ...change() };
    const refused = { ok: false, why: why.replace("DIRECTORY", changed.directory) };
    expect(await createGitSnapshots(changed).track(never)).toEqual(refused);
  });

  test("an aborted track says so, and the next one works", async () => {
    put("a.txt", "1");
    const aborted = { ok: false, why: "The snapshot was interrupted." };
    expect(await snapshots.track(AbortSignal.abort())).toEqual(aborted);
    const control = new AbortController();
    const pending = snapshots.track(control.signal);
    control.abort();
    expect(await pending).toEqual(aborted);
    expect((await snapshots.track(never)).ok).toBe(true);
  });
});

describe("a whole tree elsewhere", () => {
  test("has every file as it was, and leaves the workspace alone", async () => {
    put("a.txt", "one\n");
    put("deep/run.sh", "#!/bin/sh\n");
    chmodSync(join(root, "deep/run.sh"), 0o755);
    symlinkSync("a.txt", join(root, "link"));
    const before = await tree();
    const files = workspace();
    put("a.txt", "two\n");
    const elsewhere = join(folder, "elsewhere");
    mkdirSync(elsewhere);
    expect(await snapshots.checkOut?.(before, elsewhere)).toBe(true);
    expect(workspaceFiles(elsewhere)).toEqual(files);
    expect(workspace()["a.txt"]).toBe("file two\n");
  });

  test("is not there when nobody kept it", async () => {
    await tree();
    expect(await snapshots.checkOut?.("0".repeat(40), join(folder, "elsewhere"))).toBe(false);
  });
});
