/** Which files a `grep` call searches, as far as ripgrep can be told and as far as its output must be sifted. */
import { resolve } from "node:path";
import type { ReadRights } from "@kedge/protocol";
import { lookLocally, withSlashes } from "./file-search.ts";
import { type GlobPattern, parseGlob, splitOutsideBraces } from "./glob-pattern.ts";
import { parseRangedPath } from "./line-ranges.ts";
import { nameArguments } from "./ripgrep.ts";
import type { PathsInput } from "./search-input.ts";
import { type Entry, findPlaces, newEntry, type SearchPlace } from "./search-place.ts";

export type GrepScope = {
  readonly roots: readonly string[];
  /** Arguments that keep ripgrep from reading files in vain. */
  readonly arguments: readonly string[];
  readonly accepts: (path: string) => boolean;
  /** Whether a file that is accepted may be shown. */
  readonly mayShow: (path: string) => boolean;
  /** Whether a line of a file was asked for. */
  readonly lineCounts: (path: string, line: number) => boolean;
  /** The files that the call names itself. */
  readonly namedFiles: ReadonlySet<string>;
  /** The call names one file and nothing else. */
  readonly singleFile: boolean;
  readonly hasRanges: boolean;
  readonly missing: readonly string[];
};

export function grepEntries({ path, paths }: PathsInput, cwd: string): readonly Entry[] {
  const texts = [...(path === undefined ? [] : [path]), ...(paths ?? [])];
  return (texts.length === 0 ? ["."] : texts).map((text) => newEntry(cwd, text, { anyDepth: false }));
}

/** As entries, but with the paths that those with lines behind them mean. */
export function neededEntries(input: PathsInput, cwd: string): readonly Entry[] {
  return grepEntries(input, cwd).flatMap((entry) => {
    const ranged = parseRangedPath(entry.text);
    return ranged === undefined ? [entry] : [entry, { ...entry, text: ranged.path }];
  });
}

export async function findGrepScope(
  entries: readonly Entry[],
  include: string | undefined,
  { cwd, reading }: { readonly cwd: string; readonly reading: ReadRights },
): Promise<{ readonly ok: true; readonly scope: GrepScope } | { readonly ok: false; readonly problem: string }> {
  const ranges = new Map<string, (line: number) => boolean>();
  const plain: Entry[] = [];
  for (const entry of entries) {
    const ranged = await findRanged(entry);
    if (ranged !== undefined) ranges.set(ranged.root, ranged.includes);
    plain.push(ranged === undefined ? entry : { ...entry, text: ranged.text });
  }
  const found = await findPlaces(plain, cwd, lookLocally);
  if (!found.ok) return found;
  const { places, missing } = found;
  if ((include ?? "").length > includeCharactersMax) return { ok: false, problem: "The glob in include is too long." };
  const included = parseInclude(include);
  return {
    ok: true,
    scope: {
      roots: [...new Set(places.map(({ root }) => root))],
      arguments: [
        ...nameArguments(wantedNames(places, included.wanted)),
        ...included.unwanted.map((glob) => `--glob=!${glob}`),
        ...depthArgument(places),
      ],
      accepts: newAcceptance(places, included.wanted),
      mayShow: newSift(places, reading),
      lineCounts: (path, line) => ranges.get(path)?.(line) ?? true,
      namedFiles: new Set(places.filter(({ kind }) => kind === "file").map(({ root }) => root)),
      singleFile: places.length === 1 && places[0]?.kind === "file",
      hasRanges: ranges.size > 0,
      missing,
    },
  };
}

async function findRanged(entry: Entry) {
  const ranged = parseRangedPath(entry.text);
  if (ranged === undefined || (await lookLocally(resolve(entry.base, entry.text))) !== undefined) return undefined;
  const root = resolve(entry.base, ranged.path);
  if ((await lookLocally(root))?.kind !== "file") return undefined;
  return { root, text: ranged.path, includes: ranged.includes };
}

const includeCharactersMax = 4_096;

type Include = { readonly wanted: readonly GlobPattern[]; readonly unwanted: readonly string[] };

/** Several globs may stand in one text, and those with an exclamation mark leave files out. */
function parseInclude(include: string | undefined): Include {
  const globs = splitOutsideBraces((include ?? "").replaceAll("\\", "/"), ",;")
    .map((glob) => glob.trim())
    .filter((glob) => glob !== "" && glob !== "!");
  return {
    wanted: globs.filter((glob) => !glob.startsWith("!")).map((glob) => parseGlob(glob)),
    unwanted: globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1)),
  };
}

/** Only if every way to be wanted has a name that ripgrep understands may it leave out the other names. */
function wantedNames(places: readonly SearchPlace[], wanted: readonly GlobPattern[]): readonly string[] {
  const directories = places.filter(({ kind }) => kind === "directory");
  const ways = wanted.length > 0 ? wanted : directories.map(({ filter }) => filter);
  const names = ways.map((way) => way?.nameGlob);
  return names.every((name) => name !== undefined) ? names : [];
}

function depthArgument(places: readonly SearchPlace[]): readonly string[] {
  const depth = places.length === 1 ? places[0]?.filter?.depth : undefined;
  return depth === undefined ? [] : [`--max-depth=${depth}`];
}

/** What the call names itself was judged with it; what lies in a directory is judged file by file. */
function newSift(places: readonly SearchPlace[], reading: ReadRights): GrepScope["mayShow"] {
  const named = new Set(places.filter(({ kind }) => kind === "file").map(({ root }) => root));
  const directories = places
    .filter(({ kind }) => kind === "directory")
    .map(({ root }) => ({ start: root.endsWith("/") ? root : `${root}/`, mayShow: reading.below(root) }));
  return (path) => named.has(path) || (directories.find(({ start }) => path.startsWith(start))?.mayShow(path) ?? false);
}

function newAcceptance(places: readonly SearchPlace[], wanted: readonly GlobPattern[]): GrepScope["accepts"] {
  if (wanted.length === 0 && places.every(({ filter }) => filter === undefined)) return () => true;
  return (path) =>
    places.some(({ root, kind, filter }) => {
      // A file that the call names itself needs no pattern.
      if (kind === "file") return path === root;
      if (!path.startsWith(root) || path.length <= root.length + 1) return false;
      const local = withSlashes(path.slice(root.length + 1));
      if (filter?.matches(local) === false) return false;
      return wanted.length === 0 || wanted.some((glob) => matchesFromRoot(glob, local));
    });
}

function matchesFromRoot({ base, matches }: GlobPattern, path: string): boolean {
  if (base === "") return matches(path);
  return path.startsWith(`${base}/`) && matches(path.slice(base.length + 1));
}
