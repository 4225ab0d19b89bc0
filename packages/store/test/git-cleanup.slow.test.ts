/** Which trees a clean-up keeps, when it runs, and how it gives way. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SnapshotCleanup, Snapshots } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createGitSnapshots, type GitSnapshotsOptions } from "../src/index.ts";
import { never, openSnapshotPlace, processes, putFile, takenTree, workspaceFiles } from "./snapshot-workspace.ts";

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
const now = Date.now();

let folder: string;
let root: string;
let options: GitSnapshotsOptions;
let snapshots: Snapshots & SnapshotCleanup;

beforeEach(() => {
  ({ folder, root, options } = openSnapshotPlace({ isInsideGitRepository: false, processes }));
  snapshots = createGitSnapshots(options);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const shadow = () => join(options.directory, readdirSync(options.directory)[0] ?? "");

async function treeWith(content: string): Promise<string> {
  putFile(root, "a.txt", content);
  return takenTree(snapshots);
}

async function contentIn(tree: string): Promise<string> {
  await snapshots.restore(tree, ["a.txt"]);
  return readFileSync(join(root, "a.txt"), "utf8");
}

test("a clean-up keeps pinned and recent trees, and drops the old ones without an owner", async () => {
  const pinned = await treeWith("pinned");
  const odd = await treeWith("pinned by an owner with an odd name");
  const loose = await treeWith("loose");
  const present = await treeWith("present");
  await snapshots.pin(pinned, "session_1");
  await snapshots.pin(odd, "../odd owner~^:");
  expect(await snapshots.cleanup({ now })).toEqual({ kind: "cleaned" });
  expect(await contentIn(loose)).toBe("loose");
  expect(await contentIn(present)).toBe("present");
  expect(await snapshots.cleanup({ now: now + 2 * weekMs })).toEqual({ kind: "cleaned" });
  expect(await contentIn(pinned)).toBe("pinned");
  expect(await contentIn(odd)).toBe("pinned by an owner with an odd name");
  expect(await contentIn(present)).toBe("present");
  await expect(contentIn(loose)).rejects.toThrow("The snapshot cannot be read");
});

test("what its owner releases goes with the next clean-up, also after the pins were packed", async () => {
  const tree = await treeWith("once needed");
  await treeWith("present");
  await snapshots.pin(tree, "session_1");
  await snapshots.pin(tree, "session_2");
  await snapshots.cleanup({ now: now + 2 * weekMs });
  await snapshots.unpin("session_1");
  await snapshots.cleanup({ now: now + 3 * weekMs });
  expect(await contentIn(tree)).toBe("once needed");
  await treeWith("present");
  await snapshots.unpin("session_2");
  await snapshots.unpin("session_2");
  await snapshots.cleanup({ now: now + 4 * weekMs });
  await expect(contentIn(tree)).rejects.toThrow("The snapshot cannot be read");
});

test("a clean-up runs at most hourly, by the time it is told", async () => {
  await treeWith("1");
  expect(await snapshots.cleanup({ now })).toEqual({ kind: "cleaned" });
  expect(await snapshots.cleanup({ now: now + hourMs - 1 })).toEqual({ kind: "skipped" });
  expect(await snapshots.cleanup({ now: now + hourMs })).toEqual({ kind: "cleaned" });
});

test("a clean-up gives way to a snapshot, and another process that waits, and counts as not done", async () => {
  await treeWith("1");
  const wrapper = join(folder, "slow-git");
  const marker = join(folder, "cleaning");
  const slow = `#!/bin/sh\ncase "$*" in *gc*) touch "${marker}"; sleep 100;; esac\nexec git "$@"\n`;
  writeFileSync(wrapper, slow, { mode: 0o755 });
  snapshots = createGitSnapshots({ ...options, gitPath: wrapper });
  const first = snapshots.cleanup({ now });
  await expect.poll(() => existsSync(marker)).toBe(true);
  expect((await snapshots.track(never)).ok).toBe(true);
  expect(await first).toEqual({ kind: "skipped" });

  rmSync(marker);
  const second = snapshots.cleanup({ now });
  await expect.poll(() => existsSync(marker)).toBe(true);
  expect((await createGitSnapshots(options).track(never)).ok).toBe(true);
  expect(await second).toEqual({ kind: "skipped" });
  expect(existsSync(join(shadow(), "cleaned"))).toBe(false);
});

test("the size is what the files take", async () => {
  await treeWith("1");
  const before = await snapshots.sizeBytes();
  putFile(root, "noise.bin", Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 251)));
  await takenTree(snapshots);
  expect(await snapshots.sizeBytes()).toBeGreaterThan(before);
  expect(Object.keys(workspaceFiles(root))).toEqual(["a.txt", "noise.bin"]);
});
