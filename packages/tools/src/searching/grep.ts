/** The `grep` tool: lines, files or counts that match a regular expression. */
import type { JsonObject, JsonSchema, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { needAddress } from "../addresses/address.ts";
import { grepAddresses } from "../addresses/grep-addresses.ts";
import { namedAddresses } from "../addresses/open-texts.ts";
import { type SearchTags, type TaggedFile, tagSearchedFile } from "../editing/hashline/tag-search.ts";
import { shortPath } from "../tool-path.ts";
import { showName } from "./file-tree.ts";
import type { Row } from "./grep-hits.ts";
import { choosePage } from "./grep-page.ts";
import { findGrepScope, grepEntries, neededEntries } from "./grep-scope.ts";
import { type GrepFinding, type GrepMode, hitsPerFileMax, matchesMax, searchContents } from "./grep-search.ts";
import { describeLeftOut } from "./left-out.ts";
import type { RipgrepParts } from "./ripgrep.ts";
import { parseSearchInput } from "./search-input.ts";
import { namesGitDirectory, needEntries } from "./search-place.ts";

export type GrepInput = {
  readonly pattern: string;
  readonly path?: string;
  readonly paths?: readonly string[];
  readonly include?: string;
  readonly mode?: GrepMode;
  readonly context?: number;
  readonly i?: boolean;
  readonly gitignore?: boolean;
  readonly skip?: number;
  readonly limit?: number;
};

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", minLength: 1 },
    path: { type: "string" },
    paths: { type: "array", items: { type: "string" } },
    include: { type: "string", description: "glob of files" },
    mode: { type: "string", enum: ["content", "files", "count"] },
    context: { type: "integer", minimum: 0 },
    i: { type: "boolean" },
    gitignore: { type: "boolean" },
    skip: { type: "integer", minimum: 0 },
    limit: { type: "integer", minimum: 1 },
  },
  required: ["pattern"],
};

const linesMax = 250;
const contextMax = 20;
const contextDefault = { before: 1, after: 3 } as const;
const filesPerPageMax = 20;
const namesMax = 10;
const problemCharactersMax = 300;

export type GrepParts = RipgrepParts & {
  /** Without it files are named without tags, whatever the way of editing. */
  readonly tags?: SearchTags;
};

export function createGrepTool(parts: GrepParts): Tool<GrepInput> {
  return {
    name: "grep",
    aliases: ["search"],
    description: textBeside(import.meta.url, "./grep.md"),
    inputSchema,
    resultCharactersMax: 50_000,
    parse: (input) => parseSearchInput<GrepInput>(inputSchema, input),
    needs: (input, cwd) =>
      namedAddresses(input)?.map((address) => needAddress("read", address)) ??
      needEntries("grep", neededEntries(input, cwd), cwd),
    readOnly: () => true,
    concurrencySafe: () => true,
    run: (input, context) => grep(parts, input, context),
  };
}

async function grep(parts: GrepParts, input: GrepInput, context: ToolContext): Promise<ToolOutput> {
  const title = input.pattern;
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });
  const around = input.context === undefined ? undefined : Math.min(input.context, contextMax);
  const { before, after } = around === undefined ? contextDefault : { before: around, after: around };
  const rules = { skip: input.skip ?? 0, rowsMax: Math.min(input.limit ?? linesMax, linesMax), before, after };
  const addresses = namedAddresses(input);
  if (addresses !== undefined) {
    const { pattern, mode = "content", i: ignoreCase = false } = input;
    return grepAddresses(addresses, { pattern, mode, ignoreCase, ...rules }, context);
  }
  const entries = grepEntries(input, context.cwd);
  const found = await findGrepScope(entries, input.include, context);
  if (!found.ok) return refuse(found.problem);
  const finding = await searchContents(parts, {
    pattern: input.pattern,
    mode: input.mode ?? "content",
    before,
    after,
    ignoreCase: input.i ?? false,
    scope: found.scope,
    visible: { hidden: true, gitignore: input.gitignore ?? true, gitDirectory: namesGitDirectory(entries) },
    cwd: context.cwd,
    signal: context.signal,
    reading: context.reading,
  });
  if (finding.end.kind === "failed") return refuse(describeProblem(finding.end.problem));
  if (finding.end.kind === "interrupted") return refuse("The search was interrupted.");

  const short = (path: string): string => showName(shortPath(path, context.cwd));
  const shown =
    (input.mode ?? "content") === "content"
      ? showHits(finding, rules, { short, tag: (path, rows) => tagSearchedFile(path, rows, context, parts.tags) })
      : showCounts(finding, rules, short);
  const notes = [...shown.notes, ...describeFinding(finding, found.scope.missing, short)];
  const next = rules.skip + shown.count;
  const capped = finding.end.kind === "enough";
  if (next < shown.total)
    notes.push(
      `(${shown.unit} ${rules.skip + 1}-${next} of ${capped ? "more than " : ""}${shown.total}; continue with skip ${next})`,
    );
  else if (capped) notes.push(`(only the first ${matchesMax} ${shown.unit} were looked at; narrow the search)`);
  const metadata: JsonObject = {
    count: shown.count,
    fileCount: shown.fileCount,
    truncated: next < shown.total || finding.end.kind !== "complete",
    ...(next < shown.total && { nextSkip: next }),
    missingPaths: found.scope.missing,
    skippedFiles: finding.tooLarge.map(short),
    ...(shown.count === 0 && { useless: true }),
  };
  const text =
    shown.count > 0
      ? shown.lines.join("\n")
      : shown.total > 0
        ? `There are only ${shown.total} ${shown.unit}; skip ${rules.skip} is past the end.`
        : `Nothing matches ${finding.repaired ?? input.pattern}.`;
  return { output: [text, ...notes].join("\n"), title, metadata };
}

type Shown = {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  readonly count: number;
  readonly fileCount: number;
  readonly total: number;
  readonly unit: "matches" | "files";
};

type PageRules = { readonly skip: number; readonly rowsMax: number; readonly before: number; readonly after: number };

type Naming = {
  readonly short: (path: string) => string;
  readonly tag: (path: string, rows: readonly Row[]) => TaggedFile | undefined;
};

/** One heading per file and numbered lines below it; without a tag a colon marks a match, a dash a line beside one. */
function showHits(finding: GrepFinding, rules: PageRules, { short, tag }: Naming): Shown {
  const page = choosePage(finding.files, { ...rules, filesMax: filesPerPageMax });
  const lines = page.files.flatMap(({ path, rows }) => {
    const tagged = tag(path, rows);
    if (tagged !== undefined) return [tagged.header, ...tagged.rows];
    return [short(path), ...rows.map(({ line, text, isMatch }) => `  ${line}${isMatch ? ":" : "-"}${text}`)];
  });
  const onPage = new Set(page.files.map(({ path }) => path));
  const crowded = finding.files.filter(({ path, more }) => more && onPage.has(path));
  const [only] = crowded;
  const notes =
    only === undefined
      ? []
      : [
          `(more than ${only.hits.length} matches in ${nameSome(crowded.map(({ path }) => short(path)))}; ${adviseFor(only.hits.length)})`,
        ];
  return { lines, notes, count: page.hitCount, fileCount: page.files.length, total: page.total, unit: "matches" };
}

function adviseFor(hitCount: number): string {
  return hitCount > hitsPerFileMax ? "give lines, such as path:400-" : "search it alone to see more";
}

function showCounts({ counts }: GrepFinding, rules: PageRules, short: (path: string) => string): Shown {
  const page = counts.slice(rules.skip, rules.skip + rules.rowsMax);
  return {
    lines: page.map(({ path, count }) => (count === "" ? short(path) : `${short(path)}: ${count}`)),
    notes: [],
    count: page.length,
    fileCount: page.length,
    total: counts.length,
    unit: "files",
  };
}

function describeFinding(
  finding: GrepFinding,
  missing: readonly string[],
  short: (path: string) => string,
): readonly string[] {
  const { repaired, binary, tooLarge, leftOut, end } = finding;
  return [
    ...(repaired === undefined ? [] : [`(the pattern was not a regular expression; searched for ${repaired} instead)`]),
    ...(binary.length === 0 ? [] : [`(binary, matches not all shown: ${nameSome(binary.map(short))})`]),
    ...(tooLarge.length === 0
      ? []
      : [`(left out, over 4 MiB: ${nameSome(tooLarge.map(short))}; search one by its path)`]),
    ...describeLeftOut(leftOut),
    ...(missing.length === 0 ? [] : [`(left out, does not exist: ${missing.join(", ")})`]),
    ...(end.kind === "timed-out" ? ["(incomplete: the search took too long; narrow it)"] : []),
  ];
}

function nameSome(names: readonly string[]): string {
  const some = names.slice(0, namesMax).join(", ");
  return names.length > namesMax ? `${some} and ${names.length - namesMax} more` : some;
}

/** Ripgrep prints the pattern with a caret below; the line that begins with "error:" says it all. */
function describeProblem(problem: string): string {
  const reason = /^error: (.+)$/m.exec(problem)?.[1];
  if (reason !== undefined)
    return `The pattern is not a valid regular expression: ${reason}. Correct it, or put a backslash before characters that should match literally.`;
  return problem.replace(/^rg: /, "").slice(0, problemCharactersMax);
}
