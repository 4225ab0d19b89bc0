/** Every operation in every state of the user's repository: its status, index, stash and files stay as they are. */
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createGitSnapshots, type GitSnapshotsOptions } from "../src/index.ts";
import {
  commitAll,
  fileName,
  makeLargeRepository,
  never,
  openSnapshotPlace,
  processes,
  putFile,
  repositoryFiles,
  runUserGit,
  userView,
  workspaceFiles,
} from "./snapshot-workspace.ts";

let folder: string;
let root: string;
let options: GitSnapshotsOptions;

beforeEach(() => {
  ({ folder, root, options } = openSnapshotPlace({ processes }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...words: string[]) => runUserGit(root, words);
const put = (path: string, content: string | Buffer) => putFile(root, path, content);

type State = { readonly name: string; readonly prepare: () => void; readonly change: () => void };

function addLibrary(): void {
  const library = join(folder, "library");
  mkdirSync(library);
  runUserGit(library, ["init", "--quiet"]);
  putFile(library, "a.txt", "1");
  commitAll(library);
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "library");
  commitAll(root);
}

const states: readonly State[] = [
  {
    name: "a dirty index and a stash",
    prepare() {
      put("kept.txt", "stashed");
      git("stash", "--quiet");
      put("staged.txt", "staged");
      git("add", "staged.txt");
      put("staged.txt", "changed since");
    },
    change: () => put("staged.txt", "changed by a call"),
  },
  {
    name: "a detached head",
    prepare: () => void git("checkout", "--quiet", "--detach"),
    change: () => rmSync(join(root, "kept.txt")),
  },
  { name: "a submodule", prepare: addLibrary, change: () => put("kept.txt", "2") },
  {
    name: "a nested repository",
    prepare() {
      put("nested/inner.txt", "1");
      runUserGit(join(root, "nested"), ["init", "--quiet"]);
    },
    change: () => put("kept.txt", "2"),
  },
  {
    name: "a link to the outside",
    prepare() {
      mkdirSync(join(folder, "outside"));
      symlinkSync(join(folder, "outside"), join(root, "link"));
    },
    change() {
      rmSync(join(root, "link"));
      put("link/file.txt", "inside now");
    },
  },
  {
    name: "an executable bit",
    prepare: () => chmodSync(join(root, fileName(3)), 0o755),
    change() {
      chmodSync(join(root, fileName(3)), 0o644);
      chmodSync(join(root, fileName(4)), 0o755);
    },
  },
  {
    name: "other line ends",
    prepare() {
      git("config", "core.autocrlf", "true");
      put("windows.txt", "one\r\ntwo\r\n");
      commitAll(root);
    },
    change: () => put("windows.txt", "one\ntwo\n"),
  },
  {
    name: "names with line ends and names that are not text",
    prepare() {
      put("line\nend", "1");
      writeFileSync(Buffer.concat([Buffer.from(`${root}/x`), Buffer.from([0xff])]), "1");
      commitAll(root);
    },
    change: () => put("line\nend", "2"),
  },
  {
    name: "an ignored file",
    prepare() {
      put(".gitignore", "*.log\n");
      put("a.log", "1");
    },
    change: () => put("a.log", "2"),
  },
  {
    name: "a rename by case only",
    prepare: () => undefined,
    change: () => renameSync(join(root, "kept.txt"), join(root, "Kept.txt")),
  },
  {
    name: "a file for a folder and a folder for a file",
    prepare: () => put("folder/file", "1"),
    change() {
      rmSync(join(root, "folder"), { recursive: true });
      put("folder", "file");
      rmSync(join(root, "kept.txt"));
      put("kept.txt/file", "1");
    },
  },
];

test.each(states)("with $name", async ({ prepare, change }) => {
  makeLargeRepository(root);
  put("kept.txt", "1");
  commitAll(root);
  prepare();
  const atStart = workspaceFiles(root);
  const view = userView(root);
  const state = repositoryFiles(root);
  // Two sessions, as two windows on one workspace would have.
  const snapshots = createGitSnapshots(options);
  const other = createGitSnapshots(options);
  const also = { also: ["a.log"] };
  const before = await snapshots.track(never, also);
  change();
  const atEnd = workspaceFiles(root);
  const [after, seen] = await Promise.all([snapshots.track(never, also), other.track(never, also)]);
  expect(seen).toEqual(after);
  if (!before.ok || !after.ok) throw new Error("No snapshot could be taken.");
  await snapshots.diff(before.tree, after.tree);
  await snapshots.pin(before.tree, "session");
  await other.pin(after.tree, "session");
  await snapshots.cleanup({ now: 4e12, olderThanMs: 0 });
  const paths = (await other.changes(before.tree, after.tree)).map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(0);
  await snapshots.restore(before.tree, paths);
  expect(workspaceFiles(root)).toEqual(atStart);
  await other.restore(after.tree, paths);
  expect(workspaceFiles(root)).toEqual(atEnd);
  await snapshots.restore(before.tree, paths);
  await snapshots.unpin("session");
  expect(repositoryFiles(root)).toEqual(state);
  expect(userView(root)).toEqual(view);
});
