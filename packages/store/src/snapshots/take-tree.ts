/** Takes the tree of a workspace with as few git processes as its changes need: one when nothing changed. */
import { copyFile, mkdtemp, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type SortedFiles, sortFiles } from "./changed-files.ts";
import { type GitOutcome, type GitPlace, type GitRun, runGit } from "./git-process.ts";
import { trackFolderPattern } from "./shadow-directory.ts";

/** More new or changed files than this would take longer to store, and more memory to sort, than a snapshot is worth. */
const changedFilesMax = 200_000;

/** With this many files it pays to write one pack instead of a file for each; measured at four times the speed. */
const packedFilesMin = 200;

/** Git compares every file with every exception, so many exceptions would cost more than a pack saves. */
const exceptionsMax = 500;

export type Shadow = {
  readonly place: GitPlace;
  /** Shared by every process that works on this workspace; replaced whole, never changed in place. */
  readonly index: string;
  /** The file with the private ignore rules of the user's repository. */
  readonly excludeFile: string;
};

/** A tree, and the state of the shared index that stands for it. */
export type TakenTree = { readonly tree: string; readonly indexState: string | undefined };

export type TakeOutcome =
  | ({ readonly kind: "taken"; readonly uncovered: readonly string[] } & TakenTree)
  | { readonly kind: "too-many-files" }
  | Exclude<GitOutcome, { kind: "done" }>;

/** `last` is what this function gave before, and is given again when nothing changed since. */
export async function takeTree(shadow: Shadow, last: TakenTree | undefined, signal: AbortSignal): Promise<TakeOutcome> {
  const { place, index, excludeFile } = shadow;
  const list = ["ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard"];
  const listed = await runGit(place, { arguments: [...excluding(excludeFile), ...list], indexFile: index, signal });
  if (listed.kind !== "done") return listed;
  if (countNames(listed.output) > changedFilesMax) return { kind: "too-many-files" };
  const files = await sortFiles(place.root, listed.output);
  const { uncovered } = files;
  const isUnchanged = files.covered.length + files.displaced.length === 0;
  if (isUnchanged && last !== undefined && last.indexState === (await stateOf(index))) {
    return { kind: "taken", ...last, uncovered };
  }
  // Work goes on in a copy that replaces the shared index at the end, so that no lock can be left behind.
  const folder = await mkdtemp(trackFolderPattern(place.gitDirectory));
  try {
    const copy = join(folder, "index");
    await copyIndex(index, copy);
    for (const update of updatesFor(files, excludeFile)) {
      const updated = await runGit(place, { ...update, indexFile: copy, signal });
      if (updated.kind !== "done") return updated;
    }
    const written = await runGit(place, { arguments: ["write-tree"], indexFile: copy, signal });
    if (written.kind !== "done") return written;
    if ((await stateOf(copy)) !== undefined) await rename(copy, index);
    const tree = written.output.toString().trim();
    return { kind: "taken", tree, indexState: await stateOf(index), uncovered };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each name ends in a NUL; nothing is copied out for counting. */
function countNames(output: Buffer): number {
  let count = 0;
  for (let at = output.indexOf(0); at !== -1 && count <= changedFilesMax; at = output.indexOf(0, at + 1)) count += 1;
  return count;
}

function updatesFor(files: SortedFiles, excludeFile: string): readonly GitRun[] {
  const { covered, displaced, uncovered, nested } = files;
  const exceptions = [...uncovered, ...nested];
  if (covered.length >= packedFilesMin && exceptions.length <= exceptionsMax && !exceptions.some(isUndecodable)) {
    const words = ["-c", "core.bigFileThreshold=1", "add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul"];
    const paths = [".", ...exceptions.map((path) => `:(exclude,literal)${path}`)];
    return [{ arguments: [...excluding(excludeFile), ...words], input: joinNul(paths) }];
  }
  const runs: GitRun[] = [];
  if (displaced.length > 0) {
    runs.push({ arguments: ["update-index", "-z", "--force-remove", "--stdin"], input: joinNul(displaced) });
  }
  if (covered.length > 0) {
    const words = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
    runs.push({ arguments: words, input: joinNul(covered) });
  }
  return runs;
}

function excluding(excludeFile: string): readonly string[] {
  return ["-c", `core.excludesFile=${excludeFile}`];
}

/** Such a name came out of bytes that are not text, and would not be found again by it. */
function isUndecodable(path: string): boolean {
  return path.includes("\ufffd");
}

function joinNul(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""));
}

/** Tells one written index from the next; `undefined` when there is none yet. */
async function stateOf(index: string): Promise<string | undefined> {
  const found = await stat(index, { bigint: true }).catch(() => undefined);
  return found && `${found.ino} ${found.mtimeNs} ${found.size}`;
}

/**
 * The copy keeps the time of the original, rounded down: git compares contents again for files as young as their
 * index, and a younger copy would make it trust times it must not trust.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found === undefined) return;
  await copyFile(from, to);
  const seconds = Math.floor(found.mtimeMs) / 1000;
  await utimes(to, seconds, seconds);
}
