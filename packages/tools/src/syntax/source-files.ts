/** The source files that a structural search or rewrite looks into, and its patterns for their languages. */
import { extname } from "node:path";
import type { ToolContext } from "@kedge/protocol";
import { openTexts } from "../addresses/open-texts.ts";
import { describeEnd, findFiles, lookLocally } from "../searching/file-search.ts";
import { describeLeftOut } from "../searching/left-out.ts";
import { type RipgrepParts, searchTimeoutMs } from "../searching/ripgrep.ts";
import { findPlaces, namesGitDirectory, newEntry } from "../searching/search-place.ts";
import { shortPath } from "../tool-path.ts";
import type { GrammarRow } from "./grammar-table.ts";
import type { Grammars } from "./grammars.ts";
import { compilePattern, type Pattern } from "./pattern.ts";

export type SourceParts = RipgrepParts & { readonly grammars: Grammars };

export type SourceFile = {
  readonly path: string;
  readonly row: GrammarRow;
  /** Of an address, which is no file. */
  readonly text?: string;
};

export type FoundSources =
  | {
      readonly ok: true;
      readonly files: readonly SourceFile[];
      readonly notes: readonly string[];
      /** Nobody vouches for one of them. */
      readonly isForeign?: true;
    }
  | { readonly ok: false; readonly problem: string };

/** Texts behind addresses, by the language that their names tell. */
export async function openSources(
  { grammars }: SourceParts,
  addresses: readonly string[],
  context: ToolContext,
): Promise<FoundSources> {
  const texts = await openTexts(addresses, context);
  if (typeof texts === "string") return { ok: false, problem: texts };
  const files = texts.flatMap(({ address, text }): readonly SourceFile[] => {
    const row = grammars.rowOf(address);
    return row === undefined ? [] : [{ path: address, row, text }];
  });
  if (files.length === 0) return { ok: false, problem: nothingKnown(grammars) };
  return { ok: true, files, notes: [], ...(texts.some(({ isForeign }) => isForeign) && { isForeign: true }) };
}

function nothingKnown({ languages }: Grammars): string {
  return `No file of a known language there (${languages.join(", ")}); use grep for others.`;
}

export function entriesOf(paths: readonly string[], cwd: string) {
  return paths.map((path) => newEntry(cwd, path, { anyDepth: false }));
}

/** In the order of their paths. Installed packages are looked into only if a path says so. */
export async function findSources(
  { grammars, ...ripgrep }: SourceParts,
  paths: readonly string[],
  { cwd, signal, reading }: ToolContext,
): Promise<FoundSources> {
  const entries = entriesOf(paths, cwd);
  const found = await findPlaces(entries, cwd, lookLocally);
  if (!found.ok) return found;
  const files = new Map<string, SourceFile>();
  const add = (path: string): void => {
    const row = grammars.rowOf(path);
    if (row !== undefined) files.set(path, { path, row });
  };
  let leftOut = 0;
  const notes = found.missing.map((path) => `(left out, does not exist: ${path})`);
  for (const place of found.places) {
    if (place.kind === "file") {
      add(place.root);
      if (!files.has(place.root))
        notes.push(
          `(left out, no grammar for ${extname(place.root) || "such"} files: ${shortPath(place.root, cwd)}; use grep)`,
        );
      continue;
    }
    const end = await findFiles(ripgrep, {
      root: place.root,
      ...(place.filter && { filter: place.filter }),
      hidden: true,
      gitignore: true,
      gitDirectory: namesGitDirectory(entries),
      ignore: paths.some((path) => path.includes("node_modules")) ? [] : ["node_modules"],
      timeoutMs: searchTimeoutMs,
      signal,
      reading,
      onFile: add,
      onLeftOut: () => {
        leftOut += 1;
      },
    });
    const problem = describeEnd(end);
    if (problem !== undefined) return { ok: false, problem };
    if (end.kind === "timed-out") notes.push("(incomplete: listing the files took too long; narrow the paths)");
  }
  notes.push(...describeLeftOut(leftOut));
  if (files.size > 0) {
    const sorted = [...files.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
    return { ok: true, files: sorted, notes };
  }
  return { ok: false, problem: [nothingKnown(grammars), ...notes].join("\n") };
}

export type CompiledForLanguages =
  | { readonly ok: true; readonly patterns: ReadonlyMap<string, Pattern>; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** Once per language; one of them must understand the pattern. */
export async function compileForFiles(
  grammars: Grammars,
  files: readonly SourceFile[],
  pat: string,
): Promise<CompiledForLanguages> {
  const rows = new Map(files.map(({ row }) => [row.language, row]));
  const patterns = new Map<string, Pattern>();
  const problems: string[] = [];
  for (const [language, row] of rows) {
    const compiled = await compilePattern(grammars, row, pat);
    if (compiled.ok) patterns.set(language, compiled.pattern);
    else problems.push(`${language}: ${compiled.problem}`);
  }
  if (patterns.size > 0) return { ok: true, patterns, notes: problems.map((problem) => `(left out, ${problem})`) };
  return { ok: false, problem: [`No match is possible for ${pat}`, ...new Set(problems)].join("\n") };
}
