/** Instruction files that the settings of another agent name by path or pattern, such as `instructions` of opencode.json. */
import { isAbsolute, join, relative, resolve } from "node:path";
import { entriesIn, packagesFolder } from "./directories-below.ts";
import type { InstructionCandidate, InstructionOrigin } from "./instruction-entry.ts";
import { fitsWhole } from "./path-patterns.ts";
import { exists } from "./read-file.ts";

export type NamedFiles = {
  /** The settings file that names them, as a person calls it. */
  readonly file: string;
  readonly tier: "user" | "project";
  readonly source: InstructionOrigin;
  /** Paths and patterns from a directory of the walk, from the root of the file system or from `~/`. */
  readonly patterns: readonly string[];
};

/** More is no list of files that a person keeps. */
const patternsMax = 100;
const filesMax = 200;
const directoriesMax = 1_000;

export type NamedPlaces = {
  readonly root: string;
  readonly home: string;
  /** The directories of the walk, farthest first. */
  readonly levels: readonly string[];
};

/** `compat`: whether those of the user count. */
export function namedFiles(
  named: readonly NamedFiles[],
  places: NamedPlaces,
  compat: boolean,
): readonly InstructionCandidate[] {
  return named.flatMap((list) => {
    const found = list.patterns.slice(0, patternsMax).flatMap((pattern) => filesOf(pattern, list, places));
    const isOff = list.tier === "user" && !compat;
    return isOff ? found.map((each) => ({ ...each, refused: "disabled by the setting instructions.compat" })) : found;
  });
}

/** One that names nothing is listed all the same, so that nobody wonders. */
function filesOf(
  pattern: string,
  list: NamedFiles,
  { root, home, levels }: NamedPlaces,
): readonly InstructionCandidate[] {
  const { tier, source, file: namedBy } = list;
  const one = (path: string, of: Partial<InstructionCandidate> = {}): InstructionCandidate => ({
    ...{ path, tier: "project", source, directory: root, form: "file", namedBy },
    ...of,
  });
  if (/^https?:\/\//i.test(pattern)) return [one(pattern, { refused: "remote; add it to instructions.urls" })];
  const whole = pattern.startsWith("~/") ? join(home, pattern.slice(2)) : pattern;
  if (isAbsolute(whole)) {
    const of = { tier, directory: tier === "user" ? home : root };
    const found = matchesFrom("/", whole.slice(1), tier === "user" ? "/" : root);
    return found.length > 0 ? found.map((path) => one(path, of)) : [one(whole, { ...of, refused: "not found" })];
  }
  const found = levels.flatMap((directory) =>
    matchesFrom(directory, pattern, root).map((path) => one(path, { directory })),
  );
  return found.length > 0 ? found : [one(join(root, pattern), { refused: "not found" })];
}

/** A plain path leads where it leads, and whoever reads it judges that; a pattern is looked for below `inside` alone. */
function matchesFrom(directory: string, pattern: string, inside: string): readonly string[] {
  const steps = pattern.split("/").filter((step) => step !== "" && step !== ".");
  const first = steps.findIndex((step) => /[*?[{]/.test(step));
  if (first === -1) {
    const path = resolve(directory, ...steps);
    return exists(path) ? [path] : [];
  }
  const start = resolve(directory, ...steps.slice(0, first));
  if (start !== inside && !start.startsWith(inside.endsWith("/") ? inside : `${inside}/`)) return [];
  const rest = steps.slice(first);
  const depthMax = rest.includes("**") ? Number.POSITIVE_INFINITY : rest.length - 1;
  return filesBelow(start, depthMax)
    .filter((path) => fitsWhole(relative(start, path), rest.join("/")))
    .slice(0, filesMax);
}

/** Links to directories are not followed, and packages of others are left out. */
function filesBelow(start: string, depthMax: number): readonly string[] {
  const directories: { readonly path: string; readonly depth: number }[] = [{ path: start, depth: 0 }];
  const files: string[] = [];
  for (const { path, depth } of directories) {
    for (const entry of entriesIn(path) ?? []) {
      const below = join(path, entry.name);
      if (!entry.isDirectory()) files.push(below);
      else if (depth < depthMax && entry.name !== packagesFolder && entry.name !== ".git") {
        if (directories.length < directoriesMax) directories.push({ path: below, depth: depth + 1 });
      }
    }
  }
  return files;
}
