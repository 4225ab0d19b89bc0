/** The `ast_grep` tool: pieces of code that have a given structure, whatever their spacing and names. */
import { setImmediate } from "node:timers/promises";
import type { JsonSchema, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { needAddress } from "../addresses/address.ts";
import { namedAddresses } from "../addresses/open-texts.ts";
import { type SearchRow, type SearchTags, tagSearchedFile } from "../editing/hashline/tag-search.ts";
import { loadText } from "../file-content.ts";
import { needEntries } from "../searching/search-place.ts";
import { parseInput } from "../tool-input.ts";
import { shortPath } from "../tool-path.ts";
import { wrapUntrusted } from "../web/untrusted-text.ts";
import { findMatches, type Match, mayMatch } from "./match.ts";
import {
  compileForFiles,
  entriesOf,
  findSources,
  openSources,
  type SourceFile,
  type SourceParts,
} from "./source-files.ts";
import { endOfCode, indexLines } from "./syntax-tree.ts";

export type AstGrepInput = { readonly pat: string; readonly paths: readonly string[]; readonly skip?: number };

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    pat: { type: "string", minLength: 1 },
    paths: { type: "array", items: { type: "string", minLength: 1 }, minItems: 1 },
    skip: { type: "integer", minimum: 0, description: "matches to leave out" },
  },
  required: ["pat", "paths"],
};

const matchesMax = 50;
const unparsedRowsMax = 20;
const matchLinesMax = 5;
const lineCharactersMax = 300;
const boundCharactersMax = 120;

/** Each takes a place among the versions that are kept, of which there are few. */
const taggedFilesMax = 20;

export type AstGrepParts = SourceParts & {
  /** Without it files are named without tags, whatever the way of editing. */
  readonly tags?: SearchTags;
};

export function createAstGrepTool(parts: AstGrepParts): Tool<AstGrepInput> {
  return {
    name: "ast_grep",
    description: textBeside(import.meta.url, "./ast-grep.md"),
    inputSchema,
    searchHint: "structural code search by syntax tree pattern, ast, calls, declarations",
    resultCharactersMax: 50_000,
    parse: (input) => parseInput<AstGrepInput>(inputSchema, input),
    needs: (input, cwd) =>
      namedAddresses(input)?.map((address) => needAddress("read", address)) ??
      needEntries("grep", entriesOf(input.paths, cwd), cwd),
    readOnly: () => true,
    concurrencySafe: () => true,
    run: (input, context) => search(parts, input, context),
  };
}

async function search(parts: AstGrepParts, input: AstGrepInput, context: ToolContext): Promise<ToolOutput> {
  const title = input.pat;
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });
  const addresses = namedAddresses(input);
  const sources =
    addresses === undefined
      ? await findSources(parts, input.paths, context)
      : await openSources(parts, addresses, context);
  if (!sources.ok) return refuse(sources.problem);
  const compiled = await compileForFiles(parts.grammars, sources.files, input.pat);
  if (!compiled.ok) return refuse(compiled.problem);

  const skip = input.skip ?? 0;
  const rows: string[] = [];
  const unparsed: string[] = [];
  let seen = 0;
  let fileCount = 0;
  for (const source of sources.files) {
    const pattern = compiled.patterns.get(source.row.language);
    if (pattern === undefined) continue;
    // Parsing holds the thread; between two files an interruption can be heard.
    await setImmediate();
    if (context.signal.aborted) return refuse("The search was interrupted.");
    const found = await searchFile(parts, source, (text) => mayMatch(pattern, text));
    if (found.kind === "cannot-match") continue;
    const name = source.text === undefined ? shortPath(source.path, context.cwd) : source.path;
    if (found.kind === "unreadable") {
      unparsed.push(`${name}: ${found.problem}`);
      continue;
    }
    if (found.root.hasError) unparsed.push(`${name}: it has a syntax error`);
    const matches = findMatches(pattern, found.root, found.text);
    const shown = matches.slice(Math.max(skip - seen, 0), Math.max(skip + matchesMax - seen, 0));
    seen += matches.length;
    if (shown.length > 0) {
      fileCount += 1;
      const tags = fileCount > taggedFilesMax || source.text !== undefined ? undefined : parts.tags;
      rows.push(...showFile({ path: source.path, name }, describeMatches(shown, found.text), context, tags));
    }
    if (seen > skip + matchesMax) break;
  }
  const shownCount = Math.min(Math.max(seen - skip, 0), matchesMax);
  const more = seen > skip + matchesMax;
  const output = [
    ...(shownCount > 0 ? rows : [describeNothing(seen, unparsed.length > 0)]),
    ...(more ? [`(cut after ${matchesMax} matches; continue with skip: ${skip + matchesMax})`] : []),
    ...compiled.notes,
    ...sources.notes,
    ...showUnparsed(unparsed),
  ].join("\n");
  return {
    output: sources.isForeign
      ? wrapUntrusted({ source: input.paths.join(" "), origin: "stored", ...(await context.fence(output)) })
      : output,
    title,
    metadata: { count: shownCount, more, unparsed: unparsed.length },
  };
}

async function searchFile(
  { grammars }: SourceParts,
  { path, row, text }: SourceFile,
  mayMatchText: (text: string) => boolean,
) {
  const loaded = text === undefined ? loadText(path) : ({ kind: "text", text } as const);
  if (loaded.kind === "missing") return { kind: "cannot-match" } as const;
  if (loaded.kind === "refused") return { kind: "unreadable", problem: "it is not UTF-8 text, or too large" } as const;
  if (!mayMatchText(loaded.text)) return { kind: "cannot-match" } as const;
  const parsed = await grammars.parse(row, loaded.text);
  if (!parsed.ok) return { kind: "unreadable", problem: parsed.detail } as const;
  return { kind: "parsed", text: loaded.text, root: parsed.root } as const;
}

function describeNothing(seen: number, isUncertain: boolean): string {
  if (seen > 0) return `There are only ${seen} matches.`;
  return isUncertain ? "No matches, but absence is not proven: some files did not parse." : "No matches.";
}

function showUnparsed(unparsed: readonly string[]): readonly string[] {
  if (unparsed.length === 0) return [];
  const more = unparsed.length - unparsedRowsMax;
  const rows = unparsed.slice(0, unparsedRowsMax).map((row) => `  ${row}`);
  return ["Not fully parsed:", ...rows, ...(more > 0 ? [`  … and ${more} more`] : [])];
}

/** What is shown of a match: its first lines, and below them what the placeholders stand for. */
type ShownMatch = { readonly code: readonly SearchRow[]; readonly below: readonly string[] };

function describeMatches(matches: readonly Match[], text: string): readonly ShownMatch[] {
  const lineOf = indexLines(text);
  const lines = text.split("\n");
  return matches.map(({ node, bindings }) => {
    const first = lineOf(node.start);
    const last = lineOf(endOfCode(node, text) - 1);
    const code = lines.slice(first - 1, Math.min(last, first + matchLinesMax - 1)).map((line, index) => ({
      line: first + index,
      text: cut(line.replace(/\r$/, ""), lineCharactersMax),
      isMatch: true,
    }));
    const meta = [...bindings].map(
      ([name, bound]) => `${name}=${cut(bound.text.replaceAll(/\s+/g, " "), boundCharactersMax)}`,
    );
    const rest = last >= first + matchLinesMax ? [`  … to line ${last}`] : [];
    return { code, below: meta.length === 0 ? rest : [...rest, `    meta: ${meta.join("; ")}`] };
  });
}

function showFile(
  { path, name }: { readonly path: string; readonly name: string },
  matches: readonly ShownMatch[],
  context: ToolContext,
  tags: SearchTags | undefined,
): readonly string[] {
  const rows = matches.flatMap(({ code }) => code);
  const tagged = tagSearchedFile(path, rows, context, tags);
  const written = tagged?.rows ?? rows.map(({ line, text }) => `  ${line}:${text}`);
  const lines = [tagged?.header ?? name];
  let next = 0;
  for (const { code, below } of matches) {
    lines.push(...written.slice(next, next + code.length), ...below);
    next += code.length;
  }
  return lines;
}

function cut(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}
