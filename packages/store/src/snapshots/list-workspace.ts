/** Asks git what is new, changed or gone in a workspace, and which folders may hold nothing that it sees. */
import { isUtf8 } from "node:buffer";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { linkFinder, lstatIfThere, splitNul } from "./changed-files.ts";
import { type GitOutcome, runGit } from "./git-process.ts";
import type { Shadow } from "./shadow-directory.ts";

/** More new or changed files than this would take longer to store, and more memory to sort, than a snapshot is worth. */
const changedFilesMax = 200_000;

/** With more folders than this the whole workspace is asked about, so that no command line grows too long. */
const pathspecsMax = 500;

/** Folders without a file in git's index, with what git sees in them; those names end in a slash that are repositories. */
export type UntrackedFolders = { readonly folders: readonly string[]; readonly contents: readonly Buffer[] };

export type Listing =
  | {
      readonly kind: "listed";
      /** Of files; of repositories inside the workspace with a slash at the end. */
      readonly names: readonly Buffer[];
      readonly untracked: UntrackedFolders;
      /** Files that are gone. */
      readonly vanished: readonly string[];
    }
  | { readonly kind: "too-many-files" }
  | Exclude<GitOutcome, { kind: "done" }>;

/** Git names a folder as a whole if it knows no file in it; only then, and mostly never, it is asked a second time. */
export async function listWorkspace(shadow: Shadow, signal: AbortSignal): Promise<Listing> {
  const { place, index, excludeFile } = shadow;
  const list = ["ls-files", "-z", "--modified", "--deleted", "--others", "--directory", "--exclude-standard"];
  const listed = await runGit(place, { arguments: [...excluding(excludeFile), ...list], indexFile: index, signal });
  if (listed.kind !== "done") return listed;
  if (countNames(listed.output) > changedFilesMax) return { kind: "too-many-files" };
  const names: Buffer[] = [];
  const folders: Buffer[] = [];
  const vanished: string[] = [];
  const isBehindLink = linkFinder(place.root);
  for (const name of splitNul(listed.output)) {
    if (endsInSlash(name)) {
      folders.push(name.subarray(0, -1));
      continue;
    }
    names.push(name);
    // What lies behind a link is none of the workspace's, and the link may lead in a circle.
    if (isBehindLink(name.toString())) continue;
    const found = lstatIfThere(join(place.root, name.toString()));
    if (found === undefined) vanished.push(name.toString());
    // Git does not name the folder that took the place of a file.
    else if (found.isDirectory()) folders.push(name);
  }
  const contents = await contentsOf(shadow, { folders, indexFile: index, signal });
  if (contents.kind !== "listed") return contents;
  const untracked = { folders: folders.map(String), contents: contents.names };
  return { kind: "listed", names: [...names, ...contents.names], untracked, vanished };
}

/** Folders that have lost their last file in the index are known as untracked only once it is without that file. */
export async function listLeftFolders(
  shadow: Shadow,
  { vanished, indexFile, signal }: { readonly vanished: readonly string[]; indexFile: string; signal: AbortSignal },
): Promise<Exclude<Listing, { kind: "listed" }> | { readonly kind: "left"; readonly untracked: UntrackedFolders }> {
  const none = { kind: "left", untracked: { folders: [], contents: [] } } as const;
  const places = nearestFolders(shadow.place.root, vanished);
  if (places.length === 0) return none;
  const list = ["ls-files", "-z", "--others", "--directory", "--exclude-standard", "--", ...pathspecsOf(places)];
  const words = [...excluding(shadow.excludeFile), ...list];
  const listed = await runGit(shadow.place, { arguments: words, indexFile, signal });
  if (listed.kind !== "done") return listed;
  const folders = splitNul(listed.output).filter(endsInSlash);
  const whole = folders.map((name) => name.subarray(0, -1));
  const contents = await contentsOf(shadow, { folders: whole, indexFile, signal });
  if (contents.kind !== "listed") return contents;
  return { kind: "left", untracked: { folders: whole.map(String), contents: contents.names } };
}

export function excluding(excludeFile: string): readonly string[] {
  return ["-c", `core.excludesFile=${excludeFile}`];
}

type Contents = { readonly kind: "listed"; readonly names: readonly Buffer[] };

/** A folder with nothing at all in it needs no git to say so. */
async function contentsOf(
  { place, excludeFile }: Shadow,
  wish: { readonly folders: readonly Buffer[]; readonly indexFile: string; readonly signal: AbortSignal },
): Promise<Contents | Exclude<Listing, { kind: "listed" }>> {
  const { indexFile, signal } = wish;
  const filled = wish.folders.filter((folder) => !isBare(place.root, folder));
  if (filled.length === 0) return { kind: "listed", names: [] };
  // Words of a command line are text.
  const pathspecs = filled.every((folder) => isUtf8(folder)) ? pathspecsOf(filled.map(String)) : [];
  const list = ["ls-files", "-z", "--others", "--exclude-standard", "--", ...pathspecs];
  const listed = await runGit(place, { arguments: [...excluding(excludeFile), ...list], indexFile, signal });
  if (listed.kind !== "done") return listed;
  if (countNames(listed.output) > changedFilesMax) return { kind: "too-many-files" };
  return { kind: "listed", names: splitNul(listed.output) };
}

function isBare(root: string, folder: Buffer): boolean {
  try {
    return readdirSync(Buffer.concat([Buffer.from(`${root}/`), folder])).length === 0;
  } catch {
    // It vanished or may not be read; git says what can be said of it.
    return false;
  }
}

function pathspecsOf(paths: readonly string[]): readonly string[] {
  return paths.length > pathspecsMax ? [] : paths.map((path) => `:(literal)${path}`);
}

/** Below the root; a folder that was reached through a link is none of the workspace's. */
function nearestFolders(root: string, paths: readonly string[]): readonly string[] {
  const isBehindLink = linkFinder(root);
  const nearest = new Set<string>();
  const seen = new Set<string>();
  for (const path of paths) {
    if (isBehindLink(path)) continue;
    for (let folder = dirname(path); folder !== "." && !seen.has(folder); folder = dirname(folder)) {
      seen.add(folder);
      if (lstatIfThere(join(root, folder))?.isDirectory() !== true) continue;
      nearest.add(folder);
      break;
    }
  }
  return [...nearest];
}

/** Each name ends in a NUL; nothing is copied out for counting. */
function countNames(output: Buffer): number {
  let count = 0;
  for (let at = output.indexOf(0); at !== -1 && count <= changedFilesMax; at = output.indexOf(0, at + 1)) count += 1;
  return count;
}

function endsInSlash(name: Buffer): boolean {
  return name.at(-1) === slash;
}

const slash = 0x2f;
