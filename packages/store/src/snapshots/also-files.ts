/** Files that a snapshot takes although git ignores them, because somebody named them: which ones, and how many at most. */
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { linkFinder, lstatIfThere, placeOf } from "./changed-files.ts";
import type { Coverage } from "./coverage.ts";
import { isPlainPath } from "./restore-files.ts";

/** More would take longer than a call may be held up. */
export const alsoFilesMax = 5_000;
export const alsoBytesMax = 200 * 1024 * 1024;

export type AlsoFiles = {
  readonly paths: readonly string[];
  /** Those with nothing in them. */
  readonly folders: readonly string[];
  readonly coverage: Omit<Coverage, "extra">;
};

/** Names may be of files, of folders with all in them, or of nothing yet: then the absence is what is remembered. */
export async function collectAlso(root: string, names: readonly string[]): Promise<AlsoFiles> {
  const paths = new Set<string>();
  const folders = new Set<string>();
  const covered: string[] = [];
  const uncovered: string[] = [];
  const isBehindLink = linkFinder(root);
  let bytesLeft = alsoBytesMax;

  async function takeFile(path: string): Promise<boolean> {
    if (paths.has(path)) return true;
    const size = (await lstat(join(root, path)).catch(() => undefined))?.size ?? 0;
    if (placeOf(join(root, path)) !== "covered") {
      uncovered.push(path);
      return true;
    }
    if (paths.size + folders.size >= alsoFilesMax || size > bytesLeft) return false;
    bytesLeft -= size;
    paths.add(path);
    return true;
  }

  /** False when the limits cut it short; what was taken so far then counts file by file. */
  async function takeFolder(folder: string): Promise<boolean> {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined || entries.some(isGit)) {
      uncovered.push(folder);
      return true;
    }
    if (entries.length === 0) {
      if (paths.size + folders.size >= alsoFilesMax) return false;
      folders.add(folder);
    }
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      // Such a name came out of bytes that are not text, and would not be found again by it.
      if (entry.name.includes("\ufffd")) uncovered.push(path);
      else if (entry.isDirectory() ? !(await takeFolder(path)) : isStored(entry) && !(await takeFile(path)))
        return false;
    }
    return true;
  }

  /** The nearest folder that is there stays when the file that was named comes and goes. */
  async function takeEmptyParent(name: string): Promise<void> {
    for (let folder = dirname(name); folder !== "."; folder = dirname(folder)) {
      const entries = await readdir(join(root, folder)).catch(() => undefined);
      if (entries?.length === 0) folders.add(folder);
      if (entries !== undefined) return;
    }
  }

  for (const name of new Set(names)) {
    const isReachable = isPlainPath(name) && !isBehindLink(name) && !isInNested(root, name);
    if (isReachable) await takeEmptyParent(name);
    const takenBefore = paths.size;
    if (!isReachable) uncovered.push(name);
    else if (await (isFolder(join(root, name)) ? takeFolder(name) : takeFile(name))) covered.push(name);
    else {
      uncovered.push(name);
      covered.push(...[...paths].slice(takenBefore));
    }
  }
  return { paths: [...paths], folders: [...folders], coverage: { covered, uncovered } };
}

function isFolder(path: string): boolean {
  return lstatIfThere(path)?.isDirectory() === true;
}

function isStored(entry: Dirent): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}

function isGit(entry: Dirent): boolean {
  return entry.name === ".git";
}

/** Repositories inside the workspace keep their own history. */
function isInNested(root: string, path: string): boolean {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    if (lstatIfThere(join(root, folder, ".git")) !== undefined) return true;
  }
  return false;
}
