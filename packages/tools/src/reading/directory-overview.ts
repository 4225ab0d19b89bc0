/** Shows a directory two levels deep, the newest entries first, without ever looking at all of a huge one. */
import { type Dirent, lstatSync, opendirSync } from "node:fs";
import { join } from "node:path";
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
  readonly cut: boolean;
};

export type Overview = {
  readonly rows: string;
  readonly shown: number;
  readonly seen: number;
  /** There were more than could be looked at. */
  readonly cut: boolean;
};

/** Without a clock the entries have dates in the place of ages. */
export function overviewDirectory(path: string, wallClockMs: (() => number) | undefined): Overview {
  const now = wallClockMs?.();
  const top = lookInto(path, entriesMax);
  const below = top.newest.filter(({ isDirectory }) => isDirectory).length;
  const share = below === 0 ? 0 : Math.floor((entriesMax - top.seen) / below);
  let rows = "";
  for (const entry of top.newest) {
    rows += `${describeEntry(entry, now)}\n`;
    if (entry.isDirectory && share > 0) rows += describeInside(join(path, entry.name), share, now);
  }
  return { rows, shown: top.newest.length, seen: top.seen, cut: top.cut };
}

function describeInside(path: string, countMax: number, now: number | undefined): string {
  let inside: Sighting;
  try {
    inside = lookInto(path, countMax);
  } catch (error) {
    const problem = describeFileError(error, path);
    if (problem === undefined) throw error;
    return "  (cannot be listed)\n";
  }
  const rows = inside.newest.map((entry) => `  ${describeEntry(entry, now)}\n`).join("");
  const hidden = inside.seen - inside.newest.length;
  if (inside.cut) return `${rows}  … more than ${hidden} more\n`;
  return hidden === 0 ? rows : `${rows}  … ${hidden} more\n`;
}

function lookInto(path: string, countMax: number): Sighting {
  const entries: Entry[] = [];
  const directory = opendirSync(path);
  let cut = false;
  try {
    for (let found = directory.readSync(); found !== null; found = directory.readSync()) {
      cut = entries.length === countMax;
      if (cut) break;
      entries.push(lookAtEntry(path, found));
    }
  } finally {
    directory.closeSync();
  }
  const newest = entries
    .sort((left, right) => right.modifiedMs - left.modifiedMs || (left.name < right.name ? -1 : 1))
    .slice(0, shownMax);
  return { newest, seen: entries.length, cut };
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
