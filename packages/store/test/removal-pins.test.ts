/** A tree that is no longer there cannot be pinned, and so cannot keep a clean-up from running. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createGitSnapshots } from "../src/index.ts";
import { environment, putFile, takenTree } from "./snapshot-workspace.ts";

const weekMs = 7 * 24 * 3_600_000;
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "kedge-pins-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a missing tree is left alone, one that git has packed is pinned again and stays", async () => {
  const root = join(folder, "project");
  mkdirSync(root);
  const snapshots = createGitSnapshots({
    directory: join(folder, "snapshots"),
    root,
    environment: () => environment,
    home: join(folder, "home"),
    isInsideGitRepository: false,
  });
  putFile(root, "a.txt", "kept");
  const kept = await takenTree(snapshots);
  putFile(root, "a.txt", "now");
  await takenTree(snapshots);
  await snapshots.pin("1".repeat(40), "ses_1");
  await snapshots.pin(kept, "ses_1");
  const now = Date.now();
  expect(await snapshots.cleanup({ now: now + 2 * weekMs })).toEqual({ kind: "cleaned" });
  await snapshots.unpin("ses_1");
  await snapshots.pin(kept, "ses_2");
  expect(await snapshots.cleanup({ now: now + 4 * weekMs })).toEqual({ kind: "cleaned" });
  await snapshots.restore(kept, ["a.txt"]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("kept");
});
