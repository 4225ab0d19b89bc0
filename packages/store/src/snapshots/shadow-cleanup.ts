/** Keeps a shadow directory small: pins what is needed, drops what is old. */
import { hash } from "node:crypto";
import type { Dirent } from "node:fs";
import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CleanupOutcome, FailureError } from "@kedge/protocol";
import { failure } from "../storage-failure.ts";
import { type GitPlace, runGit } from "./git-process.ts";
import { privately } from "./shadow-directory.ts";
import { checkedTree } from "./tree-files.ts";

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
const refPrefix = "refs/kedge";
const stampName = "cleaned";
const filesPerLook = 64;

/**
 * A ref by hand, because that costs no process. Refs may name trees as well as commits. Git would stumble over one that
 * names nothing, so a tree that is no longer there is left alone.
 */
export async function pinTree(place: GitPlace, tree: string, owner: string): Promise<void> {
  if (!(await hasTree(place, checkedTree(tree)))) return;
  const folder = join(place.gitDirectory, refPrefix, ownerName(owner));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, checkedTree(tree)), `${tree}\n`, privately);
}

/** A tree that was just taken lies in a file of its own; git knows about the others. */
export async function hasTree(place: GitPlace, tree: string): Promise<boolean> {
  const loose = join(place.gitDirectory, "objects", tree.slice(0, 2), tree.slice(2));
  if ((await lstat(loose).catch(() => undefined)) !== undefined) return true;
  return (await runGit(place, { arguments: ["cat-file", "-e", tree] })).kind === "done";
}

/** By git, because old refs may have moved into its list of packed ones. */
export async function unpinTrees(place: GitPlace, owner: string): Promise<void> {
  const prefix = `${refPrefix}/${ownerName(owner)}`;
  const listed = await runGit(place, { arguments: ["for-each-ref", "--format=delete %(refname)", `${prefix}/`] });
  const deleted =
    listed.kind === "done"
      ? await runGit(place, { arguments: ["update-ref", "--stdin"], input: listed.output })
      : listed;
  if (deleted.kind !== "done") {
    const why = deleted.kind === "failed" ? deleted.error : "git could not be started";
    throw new FailureError(failure(`Could not release snapshots: ${why}.`, "Check that git is installed."));
  }
  await rm(join(place.gitDirectory, prefix), { recursive: true, force: true });
}

export type Cleaning = {
  readonly place: GitPlace;
  readonly now: number;
  readonly olderThanMs?: number;
  readonly signal: AbortSignal;
};

/** At most hourly; an interrupted one does not count. */
export async function cleanShadow({ place, now, olderThanMs, signal }: Cleaning): Promise<CleanupOutcome> {
  const stamp = join(place.gitDirectory, stampName);
  const last = Number(await readFile(stamp, "utf8").catch(() => "NaN"));
  if (last <= now && now - last < hourMs) return { kind: "skipped" };
  const oldest = Math.floor((now - (olderThanMs ?? weekMs)) / 1000);
  const cleaned = await runGit(place, {
    arguments: ["-c", "pack.threads=1", "gc", "--quiet", `--prune=@${oldest} +0000`],
    isBackground: true,
    signal,
  });
  switch (cleaned.kind) {
    case "done":
      await writeFile(stamp, String(now), privately);
      return { kind: "cleaned" };
    case "aborted":
      return { kind: "skipped" };
    case "absent":
      return { kind: "failed", why: "Git could not be started." };
    case "failed":
      return { kind: "failed", why: `Git could not clean up the snapshots: ${cleaned.error}` };
  }
}

export async function shadowBytes(place: GitPlace): Promise<number> {
  const entries = await readdir(place.gitDirectory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  let sum = 0;
  for (let start = 0; start < files.length; start += filesPerLook) {
    const sizes = await Promise.all(files.slice(start, start + filesPerLook).map(sizeOf));
    sum += sizes.reduce((one, other) => one + other, 0);
  }
  return sum;
}

/** Another process may have removed it meanwhile. */
async function sizeOf(entry: Dirent): Promise<number> {
  return (await lstat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
}

/** Ids of sessions serve as they are; anything that git would not take in a ref is named by its hash. */
function ownerName(owner: string): string {
  return /^[A-Za-z0-9_-]{1,100}$/.test(owner) ? owner : hash("sha256", owner);
}
