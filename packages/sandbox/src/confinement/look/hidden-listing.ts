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
  /** Something in it cannot be named, and so not be hidden. */
  readonly hasOddName: boolean;
};

/** The times of all of them are compared before each look, which takes 2 to 3 µs for each. */
export const directoriesMax = 20_000;

/** Packages are published, and what git keeps is shown by git. */
const skippedNames: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Within this time a second change would leave the same time on the directory, so what was read is not trusted. */
const sameTimeMs = 50;

/** What is closed to us is closed to commands, and what is gone needs no hiding. Anything else must not pass in silence. */
const harmlessCodes: ReadonlySet<unknown> = new Set(["EACCES", "ENOENT", "ENOTDIR", "ELOOP"]);

export function createHiddenListing({ roots, hidden, now }: HiddenListingParts): HiddenListing {
  let known = new Map<string, Directory>();

  function look(path: string): Directory | undefined {
    // Unlike the time of the last change of its content, this one cannot be set.
    const changedMs = unlessClosed(() => lstatSync(path, { throwIfNoEntry: false })?.ctimeMs);
    if (changedMs === undefined) return undefined;
    const before = known.get(path);
    if (before?.changedMs === changedMs) return before;
    const found = readDirectory(path, hidden);
    return { ...found, changedMs: now() - changedMs < sameTimeMs ? Number.NaN : changedMs };
  }

  function list(): readonly string[] | { readonly problem: string } {
    const queue = [...roots];
    const found: string[] = [];
    const current = new Map<string, Directory>();
    for (const path of queue) {
      const directory = look(path);
      if (directory === undefined) continue;
      if (directory.hasOddName) return { problem: `${path} has names that are not UTF-8, which cannot be hidden` };
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
  }

  return {
    find() {
      try {
        return list();
      } catch (error) {
        // A path that is too long, a disk that fails, no descriptors left.
        if (!(error instanceof Error && "code" in error)) throw error;
        return { problem: `the secret files of the project cannot be listed (${error.message})` };
      }
    },
  };
}

function readDirectory(path: string, hidden: HiddenFiles): Omit<Directory, "changedMs"> {
  const below: string[] = [];
  const files: string[] = [];
  let hasOddName = false;
  for (const entry of unlessClosed(() => readdirSync(path, { withFileTypes: true })) ?? []) {
    const place = join(path, entry.name);
    const isKept = entry.isDirectory()
      ? !skippedNames.has(entry.name)
      : entry.isFIFO() || entry.isSymbolicLink() || hidden.isHidden(place);
    if (!isKept) continue;
    hasOddName ||= entry.name.includes(replacementCharacter);
    if (entry.isDirectory()) below.push(place);
    else if (entry.isSymbolicLink()) {
      const target = unlessClosed(() => realpathSync(place));
      if (target !== undefined && (hidden.isHidden(place) || hidden.isHidden(target))) files.push(target);
    } else {
      // Also a pipe: it leads to whoever reads it, from where nothing can be written too.
      files.push(place);
    }
  }
  return { below, hidden: files, hasOddName };
}

/** Stands for what is no text in a name. */
const replacementCharacter = "\uFFFD";

function unlessClosed<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && "code" in error && harmlessCodes.has(error.code)) {
      return undefined;
    }
    throw error;
  }
}
