/** Shows a directory two levels deep, the newest entries first, without ever looking at all of a huge one. */
import { type Dirent, lstatSync, opendirSync } from "node:fs";
import { join } from "node:path";
import type { ReadRights } from "@kedge/protocol";
import { describeFileError } from "../file-error.ts";
import { ageInWords, nameInWords, sizeInWords } from "./in-words.ts";

/** How many entries of all directories together are looked at. */
const entriesMax = 1_000;
const shownMax = 12;

type Entry = {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
};

type Sighting = {
  readonly newest: readonly Entry[];
  readonly seen: number;
  readonly leftOut: number;
  readonly cut: boolean;
};

export type Overview = {
  readonly rows: string;
  readonly shown: number;
  readonly seen: number;
  /** Entries that may not be read. */
  readonly leftOut: number;
  /** There were more than could be looked at. */
  readonly cut: boolean;
};

type OverviewParts = {
  readonly reading: ReadRights;
  /** Without it the entries have dates in the place of ages. */
  readonly wallClockMs: (() => number) | undefined;
};

export function overviewDirectory(path: string, { reading, wallClockMs }: OverviewParts): Overview {
  const now = wallClockMs?.();
  const mayShow = reading.below(path);
  const top = lookInto(path, entriesMax, mayShow);
  let { leftOut } = top;
  const below = top.newest.filter(({ isDirectory }) => isDirectory).length;
  const share = below === 0 ? 0 : Math.floor((entriesMax - top.seen) / below);
  let rows = "";
  for (const entry of top.newest) {
    rows += `${describeEntry(entry, now)}\n`;
    if (!entry.isDirectory || share === 0) continue;
    const inside = tryToLookInto(join(path, entry.name), share, mayShow);
    leftOut += inside?.leftOut ?? 0;
    rows += inside === undefined ? "  (cannot be listed)\n" : describeInside(inside, now);
  }
  return { rows, shown: top.newest.length, seen: top.seen, leftOut, cut: top.cut };
}

function tryToLookInto(path: string, countMax: number, mayShow: (path: string) => boolean): Sighting | undefined {
  try {
    return lookInto(path, countMax, mayShow);
  } catch (error) {
    if (describeFileError(error, path) === undefined) throw error;
    return undefined;
  }
}

function describeInside(inside: Sighting, now: number | undefined): string {
  const rows = inside.newest.map((entry) => `  ${describeEntry(entry, now)}\n`).join("");
  const hidden = inside.seen - inside.newest.length;
  if (inside.cut) return `${rows}  … more than ${hidden} more\n`;
  return hidden === 0 ? rows : `${rows}  … ${hidden} more\n`;
}

function lookInto(path: string, countMax: number, mayShow: (path: string) => boolean): Sighting {
  const entries: Entry[] = [];
  let leftOut = 0;
  const directory = opendirSync(path);
  let cut = false;
  try {
    for (let found = directory.readSync(); found !== null; found = directory.readSync()) {
      cut = entries.length === countMax;
      if (cut) break;
      if (mayShow(join(path, found.name))) entries.push(lookAtEntry(path, found));
      else leftOut += 1;
    }
  } finally {
    directory.closeSync();
  }
  const newest = entries
    .sort((left, right) => right.modifiedMs - left.modifiedMs || (left.name < right.name ? -1 : 1))
    .slice(0, shownMax);
  return { newest, seen: entries.length, leftOut, cut };
}

function lookAtEntry(directory: string, found: Dirent): Entry {
  const stats = lstatSync(join(directory, found.name), { throwIfNoEntry: false });
  return {
    name: found.name,
    isDirectory: found.isDirectory(),
    sizeBytes: stats?.size ?? 0,
    modifiedMs: stats?.mtimeMs ?? 0,
  };
}

function describeEntry({ name, isDirectory, sizeBytes, modifiedMs }: Entry, now: number | undefined): string {
  const age = now === undefined ? dateInWords(modifiedMs) : ageInWords(now - modifiedMs);
  return isDirectory ? `${nameInWords(name)}/  ${age}` : `${nameInWords(name)}  ${sizeInWords(sizeBytes)}  ${age}`;
}

function dateInWords(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, "2000-01-01T00:00".length);
}
