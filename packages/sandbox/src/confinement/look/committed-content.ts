/** Tells what a repository keeps: whether a file holds exactly that, and whether something of a closed file is among it. */
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { blobNames, trackedPaths } from "./git-index.ts";

interface CommittedContent {
  /** Of these, those whose content git keeps. Everything that cannot be told counts as not kept. */
  among(paths: readonly string[]): ReadonlySet<string>;
  /** Why git may show something closed in a directory, as the beginning of a sentence; undefined where it does not. */
  closedAt(directory: string, isClosed: (path: string) => boolean): string | undefined;
}

const contentBytesMax = 1_048_576;
const indexBytesMax = 64 * 1_048_576;

type Remembered<Value> = { readonly state: string; readonly value: Value };

export function createCommittedContent(): CommittedContent {
  const contents = new Map<string, Remembered<string>>();
  const tracked = new Map<string, Remembered<readonly string[] | undefined>>();
  const indexes = new Map<string, Remembered<ReadonlyMap<string, string>>>();

  function blobNameOf(path: string): string | undefined {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile() || stats.size > contentBytesMax) return undefined;
    return remember(contents, path, stateOf(stats), () => {
      const content = readFileSync(path);
      return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
    });
  }

  function blobsOf(index: string, names: readonly string[]): ReadonlyMap<string, string> {
    const stats = lstatSync(index, { throwIfNoEntry: false });
    if (stats === undefined || stats.size > indexBytesMax) return new Map();
    return remember(indexes, index, [stateOf(stats), ...names].join("\0"), () =>
      blobNames(readFileSync(index), new Set(names)),
    );
  }

  return {
    among(paths) {
      const kept = new Set<string>();
      for (const [worktree, files] of byWorktree(paths)) {
        try {
          const index = indexOf(worktree);
          const names = files.map((path) => relative(worktree, path));
          const blobs = index === undefined ? undefined : blobsOf(index, names);
          for (const path of files) {
            const blob = blobs?.get(relative(worktree, path));
            if (blob !== undefined && blob === blobNameOf(path)) kept.add(path);
          }
        } catch (error) {
          // Not readable for us, or changed under our hands: then it stays hidden.
          if (!(error instanceof Error && "code" in error)) throw error;
        }
      }
      return kept;
    },
    closedAt(directory, isClosed) {
      const unknown = `the files that git stores in ${directory} cannot be determined, and a rule denies some`;
      try {
        const worktree = worktreeOf(directory);
        const index = worktree === undefined ? undefined : indexOf(worktree);
        const stats = index === undefined ? undefined : lstatSync(index, { throwIfNoEntry: false });
        if (worktree === undefined || index === undefined || stats === undefined) return undefined;
        if (stats.size > indexBytesMax) return unknown;
        const paths = remember(tracked, index, stateOf(stats), () => trackedPaths(readFileSync(index)));
        if (paths === undefined) return unknown;
        const closed = paths.find((path) => isClosed(join(worktree, path)));
        return closed === undefined ? undefined : `a rule closes ${closed}`;
      } catch (error) {
        if (error instanceof Error && "code" in error) return unknown;
        throw error;
      }
    },
  };
}

function remember<Value>(cache: Map<string, Remembered<Value>>, key: string, state: string, make: () => Value): Value {
  const known = cache.get(key);
  if (known?.state === state) return known.value;
  const value = make();
  cache.set(key, { state, value });
  return value;
}

function stateOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mtimeMs, ctimeMs].join(" ");
}

function byWorktree(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const path of paths) {
    const worktree = worktreeOf(dirname(path));
    if (worktree === undefined) continue;
    const files = found.get(worktree) ?? [];
    files.push(path);
    found.set(worktree, files);
  }
  return found;
}

function worktreeOf(directory: string): string | undefined {
  for (let place = directory; ; place = dirname(place)) {
    if (lstatSync(join(place, ".git"), { throwIfNoEntry: false }) !== undefined) return place;
    if (place === dirname(place)) return undefined;
  }
}

function indexOf(worktree: string): string | undefined {
  const entry = join(worktree, ".git");
  if (lstatSync(entry).isDirectory()) return join(entry, "index");
  const named = /^gitdir: (.+?)\n*$/.exec(readFileSync(entry, "utf8"))?.[1];
  if (named === undefined) return undefined;
  return join(isAbsolute(named) ? named : join(worktree, named), "index");
}
