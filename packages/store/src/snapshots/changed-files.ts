/** Sorts what git lists as changed or new into what a snapshot takes and what it cannot cover. */
import { isUtf8 } from "node:buffer";
import { accessSync, constants, lstatSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";

/** Larger files are not covered by snapshots, and are named. */
export const fileBytesMax = 2 * 1024 * 1024;

/** Files looked at before other work gets its turn. */
const filesPerSlice = 1000;

export type SortedFiles = {
  readonly covered: readonly string[];
  /** Files that gave way to a folder of their name, or whose own folder became a link; git will not look at them. */
  readonly displaced: readonly string[];
  readonly uncovered: readonly string[];
  /** Repositories inside the workspace, which keep their own history. */
  readonly nested: readonly string[];
};

/** A vanished file is covered: its absence is recorded. */
export async function sortFiles(root: string, names: readonly Buffer[]): Promise<SortedFiles> {
  const covered: string[] = [];
  const displaced: string[] = [];
  const uncovered: string[] = [];
  const nested: string[] = [];
  const sorted = { covered, displaced, uncovered, nested };
  const isBehindLink = linkFinder(root);
  const seen = new Set<string>();
  for (const name of names) {
    const path = name.toString();
    if (seen.has(path)) continue;
    seen.add(path);
    if (path.endsWith("/")) nested.push(path.slice(0, -1));
    else if (isBehindLink(path)) displaced.push(path);
    // A name that is not UTF-8 could not be written down in a fact and found again.
    else sorted[isUtf8(name) ? placeOf(join(root, path)) : "uncovered"].push(path);
    if (seen.size % filesPerSlice === 0) await setImmediate();
  }
  return sorted;
}

export function splitNul(listing: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (let end = listing.indexOf(0); end !== -1; end = listing.indexOf(0, start)) {
    parts.push(listing.subarray(start, end));
    start = end + 1;
  }
  return parts;
}

export function joinNul(paths: readonly (string | Buffer)[]): Buffer {
  const end = Buffer.from([0]);
  return Buffer.concat(paths.flatMap((path) => [typeof path === "string" ? Buffer.from(path) : path, end]));
}

/** Remembers each folder, because thousands of files share a few. */
export function linkFinder(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>([[".", false]]);
  function leadsThroughLink(folder: string): boolean {
    let answer = known.get(folder);
    if (answer === undefined) {
      answer = leadsThroughLink(dirname(folder)) || lstatIfThere(join(root, folder))?.isSymbolicLink() === true;
      known.set(folder, answer);
    }
    return answer;
  }
  return (path) => leadsThroughLink(dirname(path));
}

/** A folder on the way that has become a file means the same as none. */
export function lstatIfThere(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

export function placeOf(path: string): keyof SortedFiles {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return "displaced";
    if (found === undefined || !found.isFile()) return "covered";
    if (found.size > fileBytesMax) return "uncovered";
    accessSync(path, constants.R_OK);
    return "covered";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // The file vanished, or its folder became a file.
    if (code === "ENOTDIR" || code === "ENOENT") return "covered";
    // Git would give up the whole snapshot over one file that it may not read.
    if (code === "EACCES" || code === "EPERM") return "uncovered";
    throw error;
  }
}
