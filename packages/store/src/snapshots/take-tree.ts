/** Takes the tree of a workspace with as few git processes as its changes need: one when nothing changed. */
import { copyFile, mkdtemp, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { AlsoFiles } from "./also-files.ts";
import { joinNul, type SortedFiles, sortFiles, splitNul } from "./changed-files.ts";
import { coverageName, foldersName, writeCoverage } from "./coverage.ts";
import { findEmptyFolders, noteFolders, writeFolders } from "./empty-folders.ts";
import { type GitOutcome, type GitPlace, type GitRun, nameOf, runGit } from "./git-process.ts";
import { excluding, type Listing, listLeftFolders, listWorkspace, type UntrackedFolders } from "./list-workspace.ts";
import { hasTree } from "./shadow-cleanup.ts";
import { type Shadow, trackFolderPattern } from "./shadow-directory.ts";

/** With this many files it pays to write one pack instead of a file for each; measured at four times the speed. */
const packedFilesMin = 200;

/** Git compares every file with every exception, so many exceptions would cost more than a pack saves. */
const exceptionsMax = 500;

/** A tree, what it is made of, and the state of the shared index that stands for its files. */
export type TakenTree = {
  readonly tree: string;
  readonly files: string;
  /** Those in which git sees nothing. */
  readonly folders: readonly string[];
  readonly indexState: string | undefined;
};

export type TakeOutcome =
  | ({ readonly kind: "taken"; readonly uncovered: readonly string[] } & TakenTree)
  | Exclude<Listing, { kind: "listed" }>;

/** `last` is what this function gave before, and is given again when nothing changed since. */
export async function takeTree(shadow: Shadow, last: TakenTree | undefined, signal: AbortSignal): Promise<TakeOutcome> {
  const { place, index } = shadow;
  const listed = await listWorkspace(shadow, signal);
  if (listed.kind !== "listed") return listed;
  const { untracked, vanished } = listed;
  const sorted = await sortFiles(place.root, listed.names);
  const isUnchanged = sorted.covered.length + sorted.displaced.length === 0;
  const files =
    isUnchanged && last !== undefined && last.indexState === (await stateOf(index))
      ? ({ kind: "stored", tree: last.files, indexState: last.indexState, untracked } as const)
      : await storeFiles(shadow, { sorted, untracked, vanished, signal });
  if (files.kind !== "stored") return files;
  const found = await findEmptyFolders(shadow, files.untracked, signal);
  if (found.kind !== "found") return found;
  const uncovered = [...sorted.uncovered, ...found.uncovered];
  const { folders } = found;
  const taken = { kind: "taken", files: files.tree, folders, indexState: files.indexState, uncovered } as const;
  if (folders.length === 0) return { ...taken, tree: files.tree };
  const isSame = last?.files === files.tree && isDeepStrictEqual(last.folders, folders);
  // The shared index holds on to the tree of its files, and nothing to this one.
  if (isSame && (await hasTree(place, last.tree))) return { ...taken, tree: last.tree };
  const noted = await noteFolders(place, files.tree, { folders, signal });
  return noted.kind === "done" ? { ...taken, tree: nameOf(noted) } : noted;
}

type Storing = {
  readonly sorted: SortedFiles;
  readonly untracked: UntrackedFolders;
  readonly vanished: readonly string[];
  readonly signal: AbortSignal;
};

type Stored = {
  readonly kind: "stored";
  readonly tree: string;
  readonly indexState: string | undefined;
  readonly untracked: UntrackedFolders;
};

async function storeFiles(shadow: Shadow, storing: Storing): Promise<Stored | Exclude<TakeOutcome, { kind: "taken" }>> {
  const { place, index, excludeFile } = shadow;
  const { sorted, untracked, vanished, signal } = storing;
  return withIndexCopy(shadow, async (copy) => {
    const updates = updatesFor(sorted, excludeFile);
    const written = await writeTree(place, { indexFile: copy, updates, signal });
    if (written.kind !== "done") return written;
    const left = await listLeftFolders(shadow, { vanished, indexFile: copy, signal });
    if (left.kind !== "left") return left;
    if ((await stateOf(copy)) !== undefined) await rename(copy, index);
    const folders = [...untracked.folders, ...left.untracked.folders];
    const contents = [...untracked.contents, ...left.untracked.contents];
    const indexState = await stateOf(index);
    return { kind: "stored", tree: nameOf(written), indexState, untracked: { folders, contents } };
  });
}

/** Lies in the tree like a file. */
export type TreeNote = { readonly name: string; readonly content: Buffer };

/** The workspace as it was just taken, and other files with it; the shared index never hears of them. */
export async function extendTree(
  shadow: Shadow,
  wish: {
    readonly taken: Pick<TakenTree, "tree" | "folders">;
    readonly also: AlsoFiles;
    readonly notes: readonly TreeNote[];
    readonly signal: AbortSignal;
  },
): Promise<GitOutcome> {
  const { taken, also, notes, signal } = wish;
  const { place } = shadow;
  return withIndexCopy(shadow, async (indexFile) => {
    const words = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
    const added = await runGit(place, { arguments: words, input: joinNul(also.paths), indexFile, signal });
    if (added.kind !== "done") return added;
    const compare = ["diff-index", "--cached", "-z", "--name-only", "--diff-filter=A", taken.tree];
    const compared = await runGit(place, { arguments: compare, indexFile, signal });
    if (compared.kind !== "done") return compared;
    const seen = new Set(taken.folders);
    const named = also.folders.filter((folder) => !seen.has(folder));
    const extra = [...splitNul(compared.output).map(String), ...named.map((folder) => `${folder}/`)];
    const coverage = { name: coverageName, content: writeCoverage({ ...also.coverage, extra }) };
    const folders = [...taken.folders, ...named].sort();
    const ofFolders = folders.length === 0 ? [] : [{ name: foldersName, content: writeFolders(folders) }];
    const updates: GitRun[] = [];
    for (const { name, content } of [coverage, ...ofFolders, ...notes]) {
      const stored = await runGit(place, { arguments: ["hash-object", "-w", "--stdin"], input: content, signal });
      if (stored.kind !== "done") return stored;
      updates.push({ arguments: ["update-index", "--add", "--cacheinfo", `100644,${nameOf(stored)},${name}`] });
    }
    return writeTree(place, { indexFile, updates, signal });
  });
}

type Ignored = { readonly kind: "listed"; readonly names: readonly string[] } | Exclude<GitOutcome, { kind: "done" }>;

/** What the user's rules ignore: single files first, then folders that hold nothing else. */
export async function ignoredNames({ place, index, excludeFile }: Shadow, signal: AbortSignal): Promise<Ignored> {
  const list = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  const listed = await runGit(place, { arguments: [...excluding(excludeFile), ...list], indexFile: index, signal });
  if (listed.kind !== "done") return listed;
  const names = splitNul(listed.output).map(String);
  const folders = names.filter((name) => name.endsWith("/")).map((name) => name.slice(0, -1));
  return { kind: "listed", names: [...names.filter((name) => !name.endsWith("/")), ...folders] };
}

/** Work goes on in a copy that may replace the shared index at the end, so that no lock of git can be left behind. */
async function withIndexCopy<Result>(shadow: Shadow, work: (copy: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(trackFolderPattern(shadow.place.gitDirectory));
  try {
    const copy = join(folder, "index");
    await copyIndex(shadow.index, copy);
    return await work(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeTree(
  place: GitPlace,
  run: { readonly indexFile: string; readonly updates: readonly GitRun[]; readonly signal: AbortSignal },
): Promise<GitOutcome> {
  const { indexFile, updates, signal } = run;
  for (const update of updates) {
    const updated = await runGit(place, { ...update, indexFile, signal });
    if (updated.kind !== "done") return updated;
  }
  // Git need not look for what is still being copied from the user's repository.
  return runGit(place, { arguments: ["write-tree", "--missing-ok"], indexFile, signal });
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

/** Such a name came out of bytes that are not text, and would not be found again by it. */
function isUndecodable(path: string): boolean {
  return path.includes("\ufffd");
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
