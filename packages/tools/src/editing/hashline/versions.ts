/** The versions of files that one session has seen, by tag: bounded, in memory, forgotten with the session. */
import { type LineChange, type LineRange, normaliseText, shiftIndex } from "./lines.ts";
import { hashText, tagOf } from "./tag.ts";

export type FileVersion = {
  readonly tag: string;
  /** Of the whole normalised text. Comparisons use it; the tag is only the address. */
  readonly hash: string;
  /** Normalised. */
  readonly text: string;
  /** What of it the model has been shown. */
  readonly shown: readonly LineRange[];
  /** Set when an edit of this session turned another version into this one. */
  readonly madeFrom?: { readonly hash: string; readonly changes: readonly LineChange[] };
};

export type OwnEdit = {
  /** Both as they were on disk. */
  readonly before: string;
  readonly after: string;
  readonly changes: readonly LineChange[];
};

/** Paths are true paths, free of symbolic links. */
export interface VersionStore {
  /** The version of this content, with its tag; undefined if the file is too large to get one. */
  record(path: string, text: string, shown: readonly LineRange[]): FileVersion | undefined;
  /** As `record`, for content that an edit of this session made of another. What was shown of that stays shown. */
  recordEdit(path: string, edit: OwnEdit): FileVersion | undefined;
  find(path: string, tag: string): FileVersion | undefined;
  findContent(path: string, hash: string): FileVersion | undefined;
  /** The edits of this session that lead from one content to the other; undefined if others had a hand in it. */
  ownEdits(path: string, fromHash: string, toHash: string): readonly (readonly LineChange[])[] | undefined;
  /** How many times in a row this payload has now been without effect on the file. */
  countNoop(path: string, payload: string): number;
  clearNoops(path: string): void;
  /** For a child that starts with what its parent has seen. */
  clone(): VersionStore;
}

export type VersionLimits = {
  readonly pathsMax: number;
  readonly versionsMax: number;
  readonly fileBytesMax: number;
  readonly totalBytesMax: number;
};

const defaultLimits: VersionLimits = {
  pathsMax: 30,
  versionsMax: 4,
  fileBytesMax: 4 * 1_024 * 1_024,
  totalBytesMax: 64 * 1_024 * 1_024,
};

/** For a file of which everything was shown. */
export const wholeFile: readonly LineRange[] = [{ first: 1, last: Number.MAX_SAFE_INTEGER }];

type Kept = FileVersion & { readonly bytes: number };
type Noop = { readonly payload: string; readonly count: number };
type Contents = { readonly paths: Map<string, readonly Kept[]>; readonly noops: Map<string, Noop> };

export function createVersionStore(limits: VersionLimits = defaultLimits): VersionStore {
  return openStore(limits, { paths: new Map(), noops: new Map() });
}

function openStore(limits: VersionLimits, { paths, noops }: Contents): VersionStore {
  /** The newest version comes last, and the path used last is the last of the map. */
  const keep = (path: string, version: Kept) => {
    const others = (paths.get(path) ?? []).filter((other) => other.hash !== version.hash);
    paths.delete(path);
    paths.set(path, [...others, version].slice(-limits.versionsMax));
    shrink(paths, limits);
  };

  const add = (path: string, text: string, rest: Pick<FileVersion, "shown" | "madeFrom">): Kept | undefined => {
    const normalised = normaliseText(text);
    const bytes = Buffer.byteLength(normalised);
    if (bytes > limits.fileBytesMax) return undefined;
    const hash = hashText(normalised);
    const present = paths.get(path)?.find((version) => version.hash === hash);
    const shown = joinRanges([...(present?.shown ?? []), ...rest.shown]);
    const taken = new Set(paths.get(path)?.map((version) => version.tag));
    const version: Kept = {
      ...(present ?? { tag: tagOf(hash, taken), hash, text: normalised, bytes }),
      shown,
      ...(rest.madeFrom !== undefined && { madeFrom: rest.madeFrom }),
    };
    keep(path, version);
    return version;
  };

  const findContent = (path: string, hash: string) => paths.get(path)?.find((version) => version.hash === hash);

  return {
    record: (path, text, shown) => add(path, text, { shown }),
    recordEdit(path, { before, after, changes }) {
      const hash = hashText(normaliseText(before));
      const shown = shiftRanges(findContent(path, hash)?.shown ?? [], changes);
      return add(path, after, { shown, madeFrom: { hash, changes } });
    },
    find: (path, tag) => paths.get(path)?.find((version) => version.tag === tag),
    findContent,
    ownEdits(path, fromHash, toHash) {
      const edits: (readonly LineChange[])[] = [];
      let hash = toHash;
      while (hash !== fromHash) {
        const madeFrom = findContent(path, hash)?.madeFrom;
        // Undone and redone edits can lead in a circle; no honest way is longer than what is kept.
        if (madeFrom === undefined || edits.length > limits.versionsMax) return undefined;
        edits.unshift(madeFrom.changes);
        hash = madeFrom.hash;
      }
      return edits;
    },
    countNoop(path, payload) {
      const last = noops.get(path);
      const count = last?.payload === payload ? last.count + 1 : 1;
      noops.delete(path);
      noops.set(path, { payload, count });
      if (noops.size > limits.pathsMax) dropFirst(noops);
      return count;
    },
    clearNoops: (path) => {
      noops.delete(path);
    },
    clone: () => openStore(limits, { paths: new Map(paths), noops: new Map(noops) }),
  };
}

/** The path that was not used for the longest time goes first, then the oldest versions of what is left. */
function shrink(paths: Map<string, readonly Kept[]>, limits: VersionLimits): void {
  while (paths.size > limits.pathsMax || (paths.size > 1 && totalBytes(paths) > limits.totalBytesMax)) dropFirst(paths);
  for (const [path, versions] of paths) {
    let kept = versions;
    while (kept.length > 1 && totalBytes(paths) > limits.totalBytesMax) {
      kept = kept.slice(1);
      paths.set(path, kept);
    }
  }
}

function totalBytes(paths: ReadonlyMap<string, readonly Kept[]>): number {
  let total = 0;
  for (const versions of paths.values()) for (const { bytes } of versions) total += bytes;
  return total;
}

function dropFirst(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}

/** In order, with neighbours made one. */
function joinRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const joined: LineRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const last = joined.at(-1);
    if (last !== undefined && range.first <= last.last + 1)
      joined[joined.length - 1] = { first: last.first, last: Math.max(last.last, range.last) };
    else joined.push(range);
  }
  return joined;
}

/** What was shown before the changes and is still there, and what they brought. */
function shiftRanges(ranges: readonly LineRange[], changes: readonly LineChange[]): readonly LineRange[] {
  const shifted: LineRange[] = [];
  for (const { first, last } of ranges) {
    let start = first - 1;
    for (const { index, removed } of changes) {
      if (index + removed <= start || index >= last) continue;
      if (index > start) shifted.push({ first: start, last: index - 1 });
      start = index + removed;
    }
    if (start < last) shifted.push({ first: start, last: last - 1 });
  }
  const moved = shifted.map((range) => ({
    first: (shiftIndex(range.first, changes) ?? range.first) + 1,
    last: (shiftIndex(range.last, changes) ?? range.last) + 1,
  }));
  return joinRanges([...moved, ...addedRanges(changes)]);
}

function addedRanges(changes: readonly LineChange[]): readonly LineRange[] {
  let shift = 0;
  return changes.flatMap(({ index, removed, added }) => {
    const first = index + shift + 1;
    shift += added.length - removed;
    return added.length === 0 ? [] : [{ first, last: first + added.length - 1 }];
  });
}

/** The lines among these that were never shown. */
export function unseenLines(version: FileVersion, lines: readonly number[]): readonly number[] {
  return lines.filter((line) => !version.shown.some(({ first, last }) => line >= first && line <= last));
}
