/** Turns what a model named (paths, globs, several of them in one string) into places that exist on the disk. */
import { dirname, resolve } from "node:path";
import type { Need } from "@kedge/protocol";
import { parseAddress } from "../addresses/address.ts";
import { needPath, shortPath } from "../tool-path.ts";
import { type GlobPattern, hasWildcard, parseGlob, splitOutsideBraces } from "./glob-pattern.ts";

/** One thing to search: a path or glob as it was written, and the directory it counts from. */
export type Entry = {
  readonly base: string;
  readonly text: string;
  /** A plain name that is not there may be the name of a file further down. */
  readonly anyDepth: boolean;
};

/** What a path must match below the root of its place. */
export type PathFilter = Pick<GlobPattern, "matches" | "nameGlob" | "depth">;

/** What stands at a path. */
export type Standing = { readonly kind: "file" | "directory" | "special"; readonly modifiedMs: number };

export type SearchPlace = {
  readonly kind: "file" | "directory";
  readonly modifiedMs: number;
  readonly root: string;
  readonly filter?: PathFilter;
};

export type Places =
  | { readonly ok: true; readonly places: readonly SearchPlace[]; readonly missing: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** Looks at an absolute path; undefined if nothing is there. */
export type Look = (path: string) => Promise<Standing | undefined>;

const placesMax = 50;
/** No path is longer, and no pattern can be tried on paths that is. */
const charactersMax = 4_096;

/** An entry as a model may write it: with backslashes, `./` in front or a slash at the end. */
export function newEntry(base: string, text: string, { anyDepth }: { readonly anyDepth: boolean }): Entry {
  const slashed = text.trim().replaceAll("\\", "/");
  return { base, text: slashed.replace(/^(?:\.\/+)+(?=.)/, "").replace(/(?<=.)\/+$/, ""), anyDepth };
}

export async function findPlaces(entries: readonly Entry[], cwd: string, look: Look): Promise<Places> {
  const long = entries.find(({ text }) => text.length > charactersMax);
  if (long !== undefined) return { ok: false, problem: `${long.text.slice(0, 200)}… is too long to search for.` };
  const address = entries.find(({ text }) => parseAddress(text) !== undefined);
  if (address !== undefined)
    return { ok: false, problem: `${address.text} is an address, not a path; read it, or search it with grep.` };
  const apart = (await Promise.all(entries.map((entry) => splitJoined(entry, look)))).flat();
  if (apart.length > placesMax)
    return { ok: false, problem: `${apart.length} paths are too many for one search; give at most ${placesMax}.` };
  const places = new Map<string, SearchPlace>();
  const missing: string[] = [];
  for (const entry of apart) {
    const place = await findPlace(entry, look);
    if (place === "special") {
      const problem = `${shortPath(rootOf(entry), cwd)} is a pipe, socket or device; only files and directories can be searched.`;
      return { ok: false, problem };
    }
    if (place === undefined) missing.push(shortPath(rootOf(entry), cwd));
    else if (place.root === dirname(place.root))
      return { ok: false, problem: "The root of the file system is too large to search; give a directory." };
    else places.set(`${place.root}\0${place.filter === undefined ? "" : entry.text}`, place);
  }
  if (places.size > 0) return { ok: true, places: [...places.values()], missing };
  const verb = missing.length === 1 ? "does" : "do";
  return {
    ok: false,
    problem: `${missing.join(", ")} ${verb} not exist. Check the path, or search from a directory above.`,
  };
}

/** The needs of a search, told from the input alone: every directory it may begin in, however the entries are split. */
export function needEntries(permission: string, entries: readonly Entry[], cwd: string): readonly Need[] {
  const candidates = entries.flatMap((entry) => [entry, ...splits(entry).flatMap(({ parts }) => parts)]);
  const roots = new Set(candidates.map(rootOf));
  return [...roots].flatMap((root) => needPath(permission, "read", root, cwd));
}

/** `.git` is left out of every search that does not say its name. */
export function namesGitDirectory(entries: readonly Entry[]): boolean {
  return entries.some(({ base, text }) => `${base}/${text}`.split("/").includes(".git"));
}

function rootOf({ base, text, anyDepth }: Entry): string {
  if (anyDepth && isPlainName(text)) return base;
  return resolve(base, hasWildcard(text) ? parseGlob(text).base : text);
}

function isPlainName(text: string): boolean {
  return !hasWildcard(text) && !text.includes("/") && text !== "." && text !== "..";
}

async function findPlace(entry: Entry, look: Look): Promise<SearchPlace | "special" | undefined> {
  const { base, text } = entry;
  const named = resolve(base, text);
  const standing = await look(named);
  if (standing?.kind === "special") return "special";
  if (standing !== undefined) return { root: named, kind: standing.kind, modifiedMs: standing.modifiedMs };
  const glob = hasWildcard(text)
    ? parseGlob(text, await countLiteralSegments(entry, look))
    : entry.anyDepth && isPlainName(text)
      ? parseGlob(`**/${text}`)
      : undefined;
  if (glob === undefined) return undefined;
  const root = resolve(base, glob.base);
  const below = await look(root);
  return below?.kind === "directory"
    ? { root, kind: "directory", modifiedMs: below.modifiedMs, filter: glob }
    : undefined;
}

/** Directories such as `[id]` look like a glob; if they exist, they are meant. */
async function countLiteralSegments({ base, text }: Entry, look: Look): Promise<number> {
  const segments = text.split("/");
  for (let count = segments.length - 1; count > 0; count--) {
    const prefix = segments.slice(0, count).join("/");
    if (prefix.includes("[") && (await look(resolve(base, prefix)))?.kind === "directory") return count;
  }
  return 0;
}

type Split = { readonly parts: readonly Entry[]; readonly needed: "some" | "every" };

/** Paths that were joined by mistake are taken apart if the parts exist and the whole does not. */
async function splitJoined(entry: Entry, look: Look): Promise<readonly Entry[]> {
  const ways = splits(entry);
  if (ways.length === 0 || (await look(resolve(entry.base, entry.text))) !== undefined) return [entry];
  for (const { parts, needed } of ways) {
    const exist = await Promise.all(parts.map((part) => exists(part, look)));
    if (needed === "some" ? exist.includes("yes") : exist.every((answer) => answer === "yes")) return parts;
    // A list of globs that all count from here says nothing about the disk, but commas hardly stand in names.
    if (needed === "some" && exist.every((answer) => answer === "anywhere")) return parts;
  }
  return [entry];
}

async function exists({ base, text }: Entry, look: Look): Promise<"yes" | "no" | "anywhere"> {
  if (hasWildcard(text) && parseGlob(text).base === "") return "anywhere";
  return (await look(rootOf({ base, text, anyDepth: false }))) === undefined ? "no" : "yes";
}

function splits(entry: Entry): readonly Split[] {
  const cut = (separators: string): readonly Entry[] =>
    splitOutsideBraces(entry.text, separators)
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((text) => ({ ...entry, text }));
  const ways: readonly Split[] = [
    { parts: cut(",;"), needed: "some" },
    { parts: cut(" \t\n"), needed: "every" },
  ];
  return ways.filter(({ parts }) => parts.length > 1);
}
