/** Takes the tree of a workspace with as few git processes as its changes need: one when nothing changed. */
import { copyFile, mkdtemp, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { AlsoFiles } from "./also-files.ts";
import { joinNul, type SortedFiles, sortFiles, splitNul } from "./changed-files.ts";
import { coverageName, writeCoverage } from "./coverage.ts";
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
  return withIndexCopy(shadow, async (copy) => {
    const written = await writeTree(place, { indexFile: copy, updates: updatesFor(files, excludeFile), signal });
    if (written.kind !== "done") return written;
    if ((await stateOf(copy)) !== undefined) await rename(copy, index);
    return { kind: "taken", tree: nameOf(written), indexState: await stateOf(index), uncovered };
  });
}

/** Lies in the tree like a file. */
export type TreeNote = { readonly name: string; readonly content: Buffer };

/** The workspace as it was just taken, and other files with it; the shared index never hears of them. */
export async function extendTree(
  shadow: Shadow,
  wish: {
    readonly tree: string;
    readonly also: AlsoFiles;
    readonly notes: readonly TreeNote[];
    readonly signal: AbortSignal;
  },
): Promise<GitOutcome> {
  const { tree, also, notes, signal } = wish;
  const { place } = shadow;
  return withIndexCopy(shadow, async (indexFile) => {
    const words = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
    const added = await runGit(place, { arguments: words, input: joinNul(also.paths), indexFile, signal });
    if (added.kind !== "done") return added;
    const compare = ["diff-index", "--cached", "-z", "--name-only", "--diff-filter=A", tree];
    const compared = await runGit(place, { arguments: compare, indexFile, signal });
    if (compared.kind !== "done") return compared;
    const coverage = writeCoverage({ ...also.coverage, extra: splitNul(compared.output).map(String) });
    const updates: GitRun[] = [];
    for (const { name, content } of [{ name: coverageName, content: coverage }, ...notes]) {
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

/** An object's name as git prints it. */
export function nameOf(outcome: Extract<GitOutcome, { kind: "done" }>): string {
  return outcome.output.toString().trim();
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
