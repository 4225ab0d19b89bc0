/** Lists the files of a workspace that looks must not read, and keeps the list true without reading everything again. */
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { HiddenFiles } from "@kedge/protocol";

export interface HiddenListing {
  /** Those that are there now, or why they cannot be known. */
  find(): readonly string[] | { readonly problem: string };
}

export type HiddenListingParts = {
  readonly roots: readonly string[];
  readonly hidden: HiddenFiles;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

type Directory = {
  readonly changedMs: number;
  readonly below: readonly string[];
  readonly hidden: readonly string[];
};

/** The times of all of them are compared before each look, which takes 2 to 3 µs for each. */
export const directoriesMax = 20_000;

/** Packages are published, and what git keeps is shown by git. */
const skippedNames: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Within this time a second change would leave the same time on the directory, so what was read is not trusted. */
const sameTimeMs = 50;

export function createHiddenListing({ roots, hidden, now }: HiddenListingParts): HiddenListing {
  let known = new Map<string, Directory>();

  function look(path: string): Directory | undefined {
    const changedMs = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changedMs === undefined) return undefined;
    const before = known.get(path);
    if (before?.changedMs === changedMs) return before;
    const found = readDirectory(path, hidden);
    return { ...found, changedMs: now() - changedMs < sameTimeMs ? Number.NaN : changedMs };
  }

  return {
    find() {
      const queue = [...roots];
      const found: string[] = [];
      const current = new Map<string, Directory>();
      for (const path of queue) {
        const directory = look(path);
        if (directory === undefined) continue;
        current.set(path, directory);
        for (const file of directory.hidden) found.push(file);
        for (const below of directory.below) queue.push(below);
        if (queue.length > directoriesMax) {
          const count = directoriesMax.toLocaleString("en");
          return { problem: `the project has more than ${count} directories, too many to hide its secret files` };
        }
      }
      known = current;
      return found;
    },
  };
}

function readDirectory(path: string, hidden: HiddenFiles): Pick<Directory, "below" | "hidden"> {
  const below: string[] = [];
  const files: string[] = [];
  for (const entry of listEntries(path)) {
    const place = join(path, entry.name);
    if (entry.isDirectory()) {
      if (!skippedNames.has(entry.name)) below.push(place);
    } else if (entry.isSymbolicLink()) {
      const target = targetOf(place);
      if (target !== undefined && (hidden.isHidden(place) || hidden.isHidden(target))) files.push(target);
    } else if (entry.isFIFO() || hidden.isHidden(place)) {
      // A pipe leads to whoever reads it, also from where nothing can be written.
      files.push(place);
    }
  }
  return { below, hidden: files };
}

/** What cannot be listed, a command of the same user cannot list either. */
function listEntries(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

function targetOf(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
