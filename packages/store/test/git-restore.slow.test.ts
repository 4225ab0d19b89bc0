/** Proves that restoring never writes or deletes outside the workspace, whatever links and paths it meets. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileChange, Snapshots } from "@kedge/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGitSnapshots, type GitSnapshotsOptions } from "../src/index.ts";
import { openSnapshotPlace, putFile, takenTree, workspaceFiles } from "./snapshot-workspace.ts";

let folder: string;
let root: string;
let options: GitSnapshotsOptions;
let snapshots: Snapshots;

beforeEach(() => {
  ({ folder, root, options } = openSnapshotPlace());
  snapshots = createGitSnapshots(options);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (path: string, content: string | Buffer) => putFile(root, path, content);
const tree = () => takenTree(snapshots);
const workspace = () => workspaceFiles(root);

async function undo(before: string, after: string): Promise<readonly FileChange[]> {
  const changes = await snapshots.changes(before, after);
  await snapshots.restore(
    before,
    changes.map((change) => change.path),
  );
  return changes;
}

describe("restoring never leaves the workspace", () => {
  test("a folder that became a link to outside is put back, and the outside stays", async () => {
    const outside = join(folder, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "file.txt"), "outside");
    put("inner/file.txt", "inside");
    const before = await tree();
    rmSync(join(root, "inner"), { recursive: true });
    symlinkSync(outside, join(root, "inner"));
    const after = await tree();
    expect(await undo(before, after)).toEqual([
      { path: "inner", status: "added" },
      { path: "inner/file.txt", status: "deleted" },
    ]);
    expect(workspace()).toEqual({ "inner/file.txt": "file inside" });
    expect(readFileSync(join(outside, "file.txt"), "utf8")).toBe("outside");
  });

  test("a link in the way is neither followed nor removed", async () => {
    const outside = join(folder, "outside");
    mkdirSync(outside);
    put("inner/file.txt", "inside");
    put("other.txt", "1");
    const before = await tree();
    rmSync(join(root, "inner"), { recursive: true });
    symlinkSync(outside, join(root, "inner"));
    writeFileSync(join(outside, "added.txt"), "outside");
    put("other.txt", "2");
    await expect(snapshots.restore(before, ["inner/file.txt", "inner/added.txt", "other.txt"])).rejects.toThrow(
      "Not restored: something is in the way: inner/file.txt.",
    );
    expect(lstatSync(join(root, "inner")).isSymbolicLink()).toBe(true);
    expect(readdirSync(outside)).toEqual(["added.txt"]);
    expect(readFileSync(join(root, "other.txt"), "utf8")).toBe("1");
  });

  test.each(["../outside.txt", "/etc/outside", "a/../../x", ".git/config", "sub/.GIT/hooks/x", ""])(
    "the path %j is refused",
    async (path) => {
      put("a.txt", "1");
      const before = await tree();
      await expect(snapshots.restore(before, [path])).rejects.toThrow("is not a path in the workspace");
    },
  );

  test("a tree that is not a hash never reaches git", async () => {
    put("a.txt", "1");
    const before = await tree();
    await expect(snapshots.changes(before, "--output=x")).rejects.toThrow('"--output=x" is not a snapshot.');
    await expect(snapshots.restore("0".repeat(40), ["a.txt"])).rejects.toThrow("The snapshot cannot be read");
    expect(workspace()).toEqual({ "a.txt": "file 1" });
  });
});
