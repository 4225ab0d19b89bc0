/** The instruction files that join a conversation because it touched something: those of deeper directories, and rules. */
import { dirname, relative } from "node:path";
import { packagesFolder } from "./directories-below.ts";
import { filesAt, localFilesAt, walkOf } from "./discover.ts";
import type { InstructionEntry } from "./instruction-entry.ts";
import type { InstructionParts } from "./instruction-parts.ts";
import { loadInstructions } from "./load-instructions.ts";
import { matchesPatterns } from "./path-patterns.ts";
import type { TouchedPaths } from "./touched-paths.ts";

export type NestedInstructions = {
  /** Takes in what was touched since the last time; gives the files that were found for it. */
  take(): readonly InstructionEntry[];
  /** In the order in which they joined; the same array until another one joins. */
  attached(): readonly InstructionEntry[];
  /** What is shown as data, of these and of those of the start; the same array until one joins. */
  data(): readonly InstructionEntry[];
  forget(): void;
};

/** More directories than a conversation works in. */
const directoriesMax = 2_000;

/** `entries` are those of the start; another array when they were loaded again. */
export function createNested(
  parts: InstructionParts,
  touched: Pick<TouchedPaths, "files" | "paths">,
  entries: () => readonly InstructionEntry[],
): NestedInstructions {
  const { places, settings } = parts;
  const levels = new Set(walkOf(places, settings));
  const directories = new Set<string>();
  let waiting: readonly InstructionEntry[] | undefined;
  let attached: readonly InstructionEntry[] = [];
  let data: readonly InstructionEntry[] = [];
  let filesTaken = 0;
  let pathsTaken = 0;

  function findNew(): readonly InstructionEntry[] {
    const found: InstructionEntry[] = [];
    for (; filesTaken < touched.files.length; filesTaken += 1) {
      const path = touched.files[filesTaken] ?? "";
      // With it, all directories above it were looked at.
      if (directories.has(dirname(path))) continue;
      for (const directory of directoriesAbove(path, places.root)) {
        if (levels.has(directory) || directories.has(directory) || directories.size >= directoriesMax) continue;
        directories.add(directory);
        found.push(...loadNested(directory, [...entries(), ...attached, ...found], parts));
      }
    }
    return found;
  }

  /** Rules that were here before are held against new paths, new ones against all of them. */
  function takeMet(found: readonly InstructionEntry[]): readonly InstructionEntry[] {
    const news = touched.paths.slice(pathsTaken);
    pathsTaken = touched.paths.length;
    const isFirst = waiting === undefined;
    const before = (waiting ?? entries()).filter(({ status }) => status === "waiting");
    const added = found.filter(({ status }) => status === "waiting");
    const met = [
      ...(news.length === 0 && !isFirst ? [] : before.filter((rule) => isMet(rule, isFirst ? touched.paths : news))),
      ...added.filter((rule) => isMet(rule, touched.paths)),
    ];
    waiting =
      met.length + added.length === 0 && !isFirst
        ? before
        : [...before, ...added].filter((rule) => !met.includes(rule));
    return met;
  }

  return {
    attached: () => attached,
    data: () => data,
    take() {
      if (waiting !== undefined && filesTaken === touched.files.length && pathsTaken === touched.paths.length)
        return [];
      if (waiting === undefined) data = entries().filter(({ status }) => status === "data");
      const found = findNew();
      // Nearly every file lies in a directory that was looked at, and most projects have no rule that waits for one.
      if (found.length === 0 && waiting?.length === 0) {
        pathsTaken = touched.paths.length;
        return found;
      }
      const joined = [...found.filter(({ status }) => status === "loaded"), ...takeMet(found)];
      const unaccepted = found.filter(({ status }) => status === "data");
      if (joined.length > 0) attached = [...attached, ...joined];
      if (unaccepted.length > 0) data = [...data, ...unaccepted];
      return found;
    },
    forget() {
      directories.clear();
      waiting = undefined;
      attached = [];
      filesTaken = 0;
      pathsTaken = 0;
    },
  };
}

/** What a directory brings that is not loaded yet. */
export function loadNested(directory: string, entries: readonly InstructionEntry[], parts: InstructionParts) {
  const { places } = parts;
  const candidates = [...filesAt(directory, places), ...localFilesAt(directory)];
  if (candidates.length === 0) return [];
  const present = entries.filter(({ status }) => status !== "not-loaded");
  const known = { paths: new Set(present.map(({ path }) => path)), hashes: new Set(present.map(({ hash }) => hash)) };
  return loadInstructions(candidates, { ...parts, root: places.root, home: places.home, known });
}

/** From the directory of a file up to the root, farthest first; none outside of the project or in its packages. */
export function directoriesAbove(path: string, root: string): readonly string[] {
  const directories: string[] = [];
  for (let directory = dirname(path); directory.startsWith(`${root}/`); directory = dirname(directory)) {
    directories.unshift(directory);
  }
  const packages = directories.findIndex((directory) => directory.endsWith(`/${packagesFolder}`));
  return packages === -1 ? directories : directories.slice(0, packages);
}

export function isMet({ directory, patterns = [] }: InstructionEntry, paths: readonly string[]): boolean {
  return paths.some((path) => matchesPatterns(relative(directory, path), patterns));
}
