/** Knows the files of a few directories by their inodes, so that a hard link to one of them is known for what it is. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The other names of a file, as far as they lie in the listed directories. Never throws. */
export type HardLinkNames = (path: string) => readonly string[];

type Listing = { readonly changedMs: number; readonly names: ReadonlyMap<string, readonly string[]> };

/** A directory with more entries is looked at no further: nobody keeps keys among thousands of files. */
const entriesMax = 5_000;

/** A listing is made again when its directory has changed, since no name gets another inode without that. */
export function createHardLinkNames(directories: readonly string[]): HardLinkNames {
  const listings = new Map<string, Listing>();
  function listingOf(directory: string): Listing | undefined {
    const stats = lookAt(directory);
    if (stats?.isDirectory() !== true) return undefined;
    const known = listings.get(directory);
    if (known !== undefined && known.changedMs === stats.mtimeMs) return known;
    const listing = { changedMs: stats.mtimeMs, names: namesIn(directory) };
    listings.set(directory, listing);
    return listing;
  }
  return (path) => {
    const stats = lookAt(path);
    if (stats === undefined) return [];
    const key = `${stats.dev}:${stats.ino}`;
    return directories
      .flatMap((directory) => listingOf(directory)?.names.get(key) ?? [])
      .filter((name) => name !== path);
  };
}

function namesIn(directory: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const name of entriesOf(directory)) {
    const path = join(directory, name);
    const stats = lookAt(path);
    if (stats?.isFile() !== true) continue;
    const key = `${stats.dev}:${stats.ino}`;
    names.set(key, [...(names.get(key) ?? []), path]);
  }
  return names;
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory).slice(0, entriesMax);
  } catch (error) {
    // What cannot be listed holds no name that anybody could compare.
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

function lookAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
