/** Lists files below a directory, ignore files honoured, newest first: the common ground of `glob` and `list`. */
import { type Stats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { relative, sep } from "node:path";
import { describeFileError, isFileError } from "./file-error.ts";
import { commonArguments, type RipgrepEnd, type RipgrepParts, runRipgrep } from "./ripgrep.ts";

export type FileSearch = {
  /** The directory to search, absolute. */
  readonly root: string;
  /** Tests a path relative to the root, with forward slashes. */
  readonly matches?: (path: string) => boolean;
  /** Patterns to leave out besides the ignore files. */
  readonly ignore?: readonly string[];
  readonly signal: AbortSignal;
};

export type FoundFiles =
  /** Absolute paths, newest first; `cut` says that the search was ended early. */
  | { readonly ok: true; readonly paths: readonly string[]; readonly cut: boolean }
  | { readonly ok: false; readonly problem: string };

const filesMax = 50_000;
const statsAtOnce = 64;

export async function findFiles(parts: RipgrepParts, search: FileSearch): Promise<FoundFiles> {
  const found: string[] = [];
  const end = await runRipgrep(parts, {
    arguments: [
      ...commonArguments,
      "--files",
      "--null",
      ...(search.ignore ?? []).map((pattern) => `--glob=!${pattern}`),
      "--",
      search.root,
    ],
    cwd: search.root,
    signal: search.signal,
    separator: "\0",
    onRecord: (path) => {
      const local = relative(search.root, path);
      if (search.matches?.(sep === "/" ? local : local.replaceAll(sep, "/")) === false) return "more";
      found.push(path);
      return found.length >= filesMax ? "enough" : "more";
    },
  });
  const problem = describeEnd(end);
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, paths: await newestFirst(found), cut: end.kind !== "complete" };
}

/** Why a search has nothing to show; ends that leave a partial result are none. */
export function describeEnd(end: RipgrepEnd): string | undefined {
  if (end.kind === "failed") return end.problem;
  return end.kind === "interrupted" ? "The search was interrupted." : undefined;
}

/** What stands at a path, or undefined if nothing can be reached there. */
export function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (describeFileError(error, path) === undefined) throw error;
    return undefined;
  }
}

async function newestFirst(paths: readonly string[]): Promise<readonly string[]> {
  const dated: { readonly path: string; readonly modifiedMs: number }[] = [];
  for (let start = 0; start < paths.length; start += statsAtOnce) {
    const batch = paths
      .slice(start, start + statsAtOnce)
      .map(async (path) => ({ path, modifiedMs: await modified(path) }));
    dated.push(...(await Promise.all(batch)));
  }
  dated.sort((left, right) => right.modifiedMs - left.modifiedMs || (left.path < right.path ? -1 : 1));
  return dated.map(({ path }) => path);
}

async function modified(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    // Gone since it was listed, or a link to nothing; it was named by ripgrep, so it stays in the list as the oldest.
    if (isFileError(error, "ENOENT", "EACCES", "ELOOP")) return 0;
    throw error;
  }
}
