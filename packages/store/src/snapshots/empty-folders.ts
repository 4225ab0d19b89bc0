/** Finds the folders in which git sees nothing, and remembers them in a tree by a note, because git has no word for them. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { joinNul, splitNul } from "./changed-files.ts";
import { foldersName } from "./coverage.ts";
import { type GitOutcome, type GitPlace, nameOf, runGit } from "./git-process.ts";
import { excluding, type UntrackedFolders } from "./list-workspace.ts";
import type { Shadow } from "./shadow-directory.ts";

/** More are not looked at; the tree then tells nothing of folders. */
const foldersMax = 20_000;
const foldersPerSlice = 1_000;

/** Stands in the note for folders that were too many to be told. */
const untold = ".";

type Failed = Exclude<GitOutcome, { kind: "done" }>;

export type FoundFolders =
  | { readonly kind: "found"; readonly folders: readonly string[]; readonly uncovered: readonly string[] }
  | Failed;

/** Level by level, so that git can say of each which it ignores before anybody looks into it. */
export async function findEmptyFolders(
  shadow: Shadow,
  { folders, contents }: UntrackedFolders,
  signal: AbortSignal,
): Promise<FoundFolders> {
  const { filled, nested } = readContents(contents);
  const empty: string[] = [];
  const uncovered: string[] = [];
  let level = [...new Set(folders)].filter((folder) => !nested.has(folder));
  let looked = 0;
  while (level.length > 0) {
    looked += level.length;
    if (looked > foldersMax) return { kind: "found", folders: [untold], uncovered };
    const inside = new Map<string, string>();
    const occupied = new Set<string>();
    for (const [number, folder] of level.entries()) {
      const below = foldersIn(shadow.place.root, folder);
      if (below === undefined || filled.has(folder)) occupied.add(folder);
      for (const name of below ?? []) {
        const path = `${folder}/${name}`;
        if (nested.has(path)) occupied.add(folder);
        else inside.set(path, folder);
      }
      if (number % foldersPerSlice === foldersPerSlice - 1) await setImmediate();
    }
    const ignored = await ignoredAmong(shadow, [...inside.keys()], signal);
    if (ignored.kind !== "found") return ignored;
    for (const path of ignored.paths) inside.delete(path);
    for (const folder of inside.values()) occupied.add(folder);
    for (const folder of level) if (!occupied.has(folder)) (isNameable(folder) ? empty : uncovered).push(folder);
    level = [...inside.keys()];
  }
  return { kind: "found", folders: empty.sort(), uncovered };
}

/** Every folder with something in it, and those that are repositories of their own. */
function readContents(contents: readonly Buffer[]) {
  const filled = new Set<string>();
  const nested = new Set<string>();
  for (const name of contents.map(String)) {
    if (name.endsWith("/")) nested.add(name.slice(0, -1));
    const path = name.endsWith("/") ? name.slice(0, -1) : name;
    for (let folder = dirname(path); folder !== "." && !filled.has(folder); folder = dirname(folder)) {
      filled.add(folder);
    }
  }
  return { filled, nested };
}

/** Undefined if there is no telling. */
function foldersIn(root: string, folder: string): readonly string[] | undefined {
  try {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() && entry.name !== ".git" ? [entry.name] : []));
  } catch {
    // It vanished meanwhile or may not be read.
    return undefined;
  }
}

/** Such a name came out of bytes that are not text, and would not be found again by it. */
function isNameable(folder: string): boolean {
  return !folder.includes("\ufffd");
}

/** By the rules alone, whatever the index knows. */
async function ignoredAmong(
  { place, excludeFile }: Shadow,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly kind: "found"; readonly paths: readonly string[] } | Failed> {
  if (paths.length === 0) return { kind: "found", paths: [] };
  const words = [...excluding(excludeFile), "check-ignore", "--no-index", "-z", "--stdin"];
  const asked = await runGit(place, { arguments: words, input: writeQuestion(paths), signal });
  if (asked.kind === "done") return { kind: "found", paths: readAnswer(asked.output) };
  // That none is ignored makes it fail too, without a word.
  return asked.kind === "failed" && asked.error === "" ? { kind: "found", paths: [] } : asked;
}

/** For `check-ignore`, which would take a name that begins with a colon for a pattern. */
export function writeQuestion(paths: readonly string[]): Buffer {
  return joinNul(paths.map((path) => `./${path}`));
}

export function readAnswer(output: Buffer): readonly string[] {
  return splitNul(output).map((name) => name.toString().slice("./".length));
}

export function writeFolders(folders: readonly string[]): Buffer {
  return joinNul(folders);
}

/** The folders that a note names; undefined when they were too many. No note means none. */
export function readFolders(note: Buffer | undefined): ReadonlySet<string> | undefined {
  const folders = new Set(note === undefined ? [] : splitNul(note).map(String));
  return folders.has(untold) ? undefined : folders;
}

/** The same tree with the note in it; what is borrowed need not be there yet. */
export async function noteFolders(
  place: GitPlace,
  tree: string,
  wish: { readonly folders: readonly string[]; readonly signal: AbortSignal },
): Promise<GitOutcome> {
  const { folders, signal } = wish;
  const [stored, listed] = await Promise.all([
    runGit(place, { arguments: ["hash-object", "-w", "--stdin"], input: writeFolders(folders), signal }),
    runGit(place, { arguments: ["ls-tree", "-z", tree], signal }),
  ]);
  if (stored.kind !== "done") return stored;
  if (listed.kind !== "done") return listed;
  const entry = joinNul([`100644 blob ${nameOf(stored)}\t${foldersName}`]);
  const input = Buffer.concat([listed.output, entry]);
  return runGit(place, { arguments: ["mktree", "-z", "--missing"], input, signal });
}
