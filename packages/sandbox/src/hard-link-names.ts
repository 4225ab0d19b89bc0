/** Knows files by their inodes, so that a hard link to one of them is known for what it is. */
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

export type LinkNames = {
  /** The other names of the file, as far as they lie where it was looked for. */
  readonly names: readonly string[];
  /** There may be more of them in the trees, which are too large to be listed. */
  readonly mayHaveMore: boolean;
};

/** Never throws. */
export type HardLinkNames = (path: string) => LinkNames;

export type HardLinkPlaces = {
  /** Only the files directly in them. */
  readonly directories: readonly string[];
  /** With everything below, such as a workspace. */
  readonly trees: readonly string[];
  /** Of the trees together. */
  readonly filesMax?: number;
  /** Milliseconds since the epoch. Without a clock every directory is read again. */
  readonly now?: (() => number) | undefined;
};

type Listing = {
  readonly changedMs: number;
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly below: readonly string[];
  readonly files: number;
};

/** A single directory with more entries is looked at no further: nobody keeps keys among thousands of files. */
const entriesMax = 5_000;

/** Listing a file takes 2 to 3 µs, once, and only when a file with several names was met. */
const treeFilesMax = 200_000;
const treeDirectoriesMax = 20_000;

/** Packages are published; the files of git that matter are listed by themselves. */
const skippedNames: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Within this time a second change would leave the same time on the directory, so what was read is not trusted. */
const sameTimeMs = 50;

/** A listing is made again when its directory has changed, since no name gets another inode without that. */
export function createHardLinkNames(places: HardLinkPlaces): HardLinkNames {
  const { directories, trees, filesMax = treeFilesMax, now } = places;
  const listings = new Map<string, Listing>();
  let inTrees: { readonly listings: readonly Listing[]; readonly isWhole: boolean } | undefined;

  function listingOf(directory: string, max: number): Listing | undefined {
    const stats = lookAt(directory);
    if (stats?.isDirectory() !== true) return undefined;
    const known = listings.get(directory);
    // Unlike the time of the last change of its content, this one cannot be set.
    if (known !== undefined && known.changedMs === stats.ctimeMs) return known;
    const isSettled = now !== undefined && now() - stats.ctimeMs > sameTimeMs;
    const listing = { changedMs: isSettled ? stats.ctimeMs : Number.NaN, ...list(directory, max) };
    listings.set(directory, listing);
    return listing;
  }

  function listTrees() {
    const queue = [...trees];
    const found: Listing[] = [];
    let filesLeft = filesMax;
    for (const directory of queue) {
      const listing = listingOf(directory, filesMax);
      if (listing === undefined) continue;
      found.push(listing);
      filesLeft -= listing.files;
      for (const below of listing.below) queue.push(below);
      if (filesLeft < 0 || queue.length > treeDirectoriesMax) return { listings: found, isWhole: false };
    }
    return { listings: found, isWhole: true };
  }

  /** A search asks about one file after the other: the times of all directories are compared once for all of them. */
  function treesNow() {
    if (inTrees !== undefined) return inTrees;
    inTrees = listTrees();
    setImmediate(() => {
      inTrees = undefined;
    }).unref();
    return inTrees;
  }

  return (path) => {
    const stats = lookAt(path);
    if (stats === undefined) return { names: [], mayHaveMore: false };
    const key = `${stats.dev}:${stats.ino}`;
    const near = directories.flatMap((directory) => listingOf(directory, entriesMax)?.names.get(key) ?? []);
    const { listings: below, isWhole } = treesNow();
    const names = new Set([...near, ...below.flatMap((listing) => listing.names.get(key) ?? [])]);
    names.delete(path);
    return { names: [...names], mayHaveMore: !isWhole && names.size + 1 < stats.nlink };
  };
}

function list(directory: string, max: number): Omit<Listing, "changedMs"> {
  const names = new Map<string, string[]>();
  const below: string[] = [];
  let files = 0;
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && !skippedNames.has(entry.name)) below.push(path);
    if (!entry.isFile()) continue;
    files += 1;
    if (files > max) break;
    const stats = lookAt(path);
    if (stats?.isFile() !== true) continue;
    const key = `${stats.dev}:${stats.ino}`;
    const known = names.get(key);
    if (known === undefined) names.set(key, [path]);
    else known.push(path);
  }
  return { names, below, files };
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
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
