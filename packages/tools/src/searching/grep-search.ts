/** Runs the searches behind one `grep` call and gathers what they find, within limits. */
import type { ReadRights } from "@kedge/protocol";
import { isHidden, lookAt } from "./file-search.ts";
import { byPath, createHitCollector, type FileHits } from "./grep-hits.ts";
import type { GrepScope } from "./grep-scope.ts";
import { escapeUnbalanced, matchAnyLineEnd, spansLines } from "./repair-pattern.ts";
import {
  type RipgrepEnd,
  type RipgrepParts,
  runRipgrep,
  type Scope,
  scopeArguments,
  searchTimeoutMs,
} from "./ripgrep.ts";

export type GrepMode = "content" | "files" | "count";

export type GrepSearch = {
  readonly pattern: string;
  readonly mode: GrepMode;
  readonly before: number;
  readonly after: number;
  readonly ignoreCase: boolean;
  readonly scope: GrepScope;
  readonly visible: Scope;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly reading: ReadRights;
};

export type FileCount = { readonly path: string; readonly count: string };

export type GrepFinding = {
  readonly end: RipgrepEnd;
  /** In content mode. */
  readonly files: readonly FileHits[];
  /** In the other modes. */
  readonly counts: readonly FileCount[];
  readonly binary: readonly string[];
  readonly tooLarge: readonly string[];
  /** Files in the scope that may not be read, whether they match or not. */
  readonly leftOut: number;
  /** The pattern that was searched for instead, if the given one was no regular expression. */
  readonly repaired?: string;
};

/** What is looked at before a search is ended: matches, or files in the modes that show files. */
export const matchesMax = 2_000;
export const hitsPerFileMax = 20;
const hitsOfSingleFileMax = 200;

const fileBytesMax = 4 * 1_024 * 1_024;
const lineCharactersMax = 512;
/** A hit further along a line is not shown; what is longer is data that nobody reads as text. */
const lineBytesMax = 500_000;

export async function searchContents(parts: RipgrepParts, search: GrepSearch): Promise<GrepFinding> {
  const [found, leftOut] = await Promise.all([searchRepaired(parts, search), countLeftOut(parts, search)]);
  return { ...found, leftOut };
}

type Found = Omit<GrepFinding, "leftOut">;

/**
 * Counted by a walk of its own, beside the search: a number that depended on matches would tell, one question after the
 * other, what stands in a file that must not be read.
 */
async function countLeftOut(parts: RipgrepParts, { scope, visible, cwd, signal }: GrepSearch): Promise<number> {
  if (scope.roots.every((root) => scope.namedFiles.has(root))) return 0;
  let count = 0;
  await runRipgrep(parts, {
    arguments: [...scopeArguments(visible), ...scope.arguments, "--files", "--null"],
    roots: scope.roots,
    cwd,
    signal,
    timeoutMs: searchTimeoutMs,
    separator: "\0",
    onRecord: (path) => {
      if (!scope.mayShow(path) && scope.accepts(path)) count += 1;
      return "more";
    },
  });
  return count;
}

async function searchRepaired(parts: RipgrepParts, search: GrepSearch): Promise<Found> {
  const found = await searchStable(parts, search);
  if (found.end.kind !== "failed") return found;
  const pattern = escapeUnbalanced(search.pattern);
  if (pattern === undefined) return found;
  const again = await searchStable(parts, { ...search, pattern });
  return again.end.kind === "failed" ? found : { ...again, repaired: pattern };
}

/**
 * Searches in parallel, and once more in the order of paths only if there is more than may be looked at: sorting takes
 * all but one thread from ripgrep (50,000 files on two cores: 180 ms, sorted 300 ms), and without it the first matches
 * of many differ from call to call, so that a second page could not follow the first. The sorted search ends early.
 */
async function searchStable(parts: RipgrepParts, search: GrepSearch): Promise<Found> {
  const found = await searchOnce(parts, search, []);
  return found.end.kind === "enough" ? searchOnce(parts, search, ["--sort=path"]) : found;
}

async function searchOnce(parts: RipgrepParts, search: GrepSearch, order: readonly string[]): Promise<Found> {
  const { scope, mode } = search;
  const multiline = spansLines(search.pattern);
  const accepts = (path: string) => scope.mayShow(path) && scope.accepts(path);
  const hits = createHitCollector({
    accepts,
    lineCounts: scope.lineCounts,
    multiline,
    hitsMax: matchesMax,
    hitsPerFileMax: scope.singleFile ? hitsOfSingleFileMax : hitsPerFileMax,
    lineCharactersMax,
  });
  const counts = createCountCollector(mode, accepts);
  const end = await runRipgrep(parts, {
    arguments: [
      ...scopeArguments(search.visible),
      ...scope.arguments,
      ...order,
      "--color=never",
      "--with-filename",
      "--null",
      "--crlf",
      ...(search.ignoreCase ? ["--ignore-case"] : []),
      ...(multiline ? ["--multiline"] : []),
      ...modeArguments(search),
      `--regexp=${multiline ? matchAnyLineEnd(search.pattern) : search.pattern}`,
    ],
    roots: scope.roots,
    cwd: search.cwd,
    signal: search.signal,
    timeoutMs: searchTimeoutMs,
    separator: mode === "files" ? "\0" : "\n",
    onRecord: mode === "content" ? hits.add : counts.add,
  });
  const { files, binary } = hits.result();
  const tooLarge: string[] = [];
  return {
    end,
    files: sift(files, search, tooLarge),
    counts: sift(counts.result(), search, tooLarge),
    binary: binary.filter((path) => scope.namedFiles.has(path) || !isHiddenNow(path, search.reading)),
    tooLarge,
  };
}

function modeArguments({ mode, before, after, scope }: GrepSearch): readonly string[] {
  switch (mode) {
    case "content":
      return [
        "--line-number",
        "--column",
        "--no-heading",
        "--no-context-separator",
        `--before-context=${before}`,
        `--after-context=${after}`,
        `--max-columns=${lineBytesMax}`,
        "--max-columns-preview",
        // One more than is shown tells that there are more.
        ...(scope.hasRanges ? [] : [`--max-count=${(scope.singleFile ? hitsOfSingleFileMax : hitsPerFileMax) + 1}`]),
      ];
    case "files":
      return ["--files-with-matches"];
    case "count":
      return ["--count"];
  }
}

/**
 * Sorts out the large files that match, and those that are another name of what must not be read. The large ones are searched and then left out, because every way to know them before
 * costs more: `--max-filesize` a look at each of 50,000 files (160 ms become 180 ms) and names none, `--debug` names
 * them and is ten times slower where many files are ignored, a walk of our own takes as long again.
 */
function sift<File extends { readonly path: string }>(
  files: readonly File[],
  { scope, reading }: GrepSearch,
  tooLarge: string[],
): readonly File[] {
  return files.filter(({ path }) => {
    if (scope.namedFiles.has(path)) return true;
    const stats = lookAt(path);
    if (stats === undefined) return true;
    if (isHidden(path, stats, reading)) return false;
    const isTooLarge = stats.size > fileBytesMax;
    if (isTooLarge) tooLarge.push(path);
    return !isTooLarge;
  });
}

function isHiddenNow(path: string, reading: ReadRights): boolean {
  const stats = lookAt(path);
  return stats !== undefined && isHidden(path, stats, reading);
}

/** Takes paths alone, or paths with a count behind a NUL. */
function createCountCollector(mode: GrepMode, accepts: (path: string) => boolean) {
  const counts = new Map<string, string>();
  let pathStart = "";
  return {
    add(record: string): "more" | "enough" {
      const nul = record.indexOf("\0");
      if (mode === "count" && nul === -1) {
        pathStart += `${record}\n`;
        return "more";
      }
      const path = pathStart + (nul === -1 ? record : record.slice(0, nul));
      pathStart = "";
      if (accepts(path)) counts.set(path, nul === -1 ? "" : record.slice(nul + 1).trimEnd());
      return counts.size >= matchesMax ? "enough" : "more";
    },
    result: (): readonly FileCount[] => [...counts].map(([path, count]) => ({ path, count })).sort(byPath),
  };
}
