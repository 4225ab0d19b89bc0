/** The `grep` tool: lines, files or counts that match a regular expression. */
import { relative, resolve } from "node:path";
import type { JsonSchema, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { describeEnd, lookAt } from "./file-search.ts";
import { parseGlob } from "./glob-pattern.ts";
import { commonArguments, type RipgrepParts, runRipgrep } from "./ripgrep.ts";
import { parseInput } from "./tool-input.ts";
import { needPath, shortPath } from "./tool-path.ts";

export type GrepInput = {
  readonly pattern: string;
  readonly path?: string;
  readonly include?: string;
  readonly mode?: "content" | "files" | "count";
  readonly context?: number;
  readonly limit?: number;
};

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", minLength: 1 },
    path: { type: "string" },
    include: { type: "string", description: "glob of files to search" },
    mode: { type: "string", enum: ["content", "files", "count"] },
    context: { type: "integer", minimum: 0, description: "lines around a match" },
    limit: { type: "integer", minimum: 1, description: "lines, at most 250" },
  },
  required: ["pattern"],
};

const linesMax = 250;
const contextMax = 20;
const columnsMax = 500;

export function createGrepTool(parts: RipgrepParts): Tool<GrepInput> {
  return {
    name: "grep",
    description: textBeside(import.meta.url, "./grep.md"),
    inputSchema,
    resultCharactersMax: 50_000,
    parse: (input) => parseInput<GrepInput>(inputSchema, input),
    needs: (input, cwd) => needPath("grep", "read", input.path ?? ".", cwd),
    readOnly: () => true,
    concurrencySafe: () => true,
    run: (input, context) => grep(parts, input, context),
  };
}

async function grep(parts: RipgrepParts, input: GrepInput, context: ToolContext): Promise<ToolOutput> {
  const title = input.pattern;
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });
  const root = resolve(context.cwd, input.path ?? ".");
  if (lookAt(root) === undefined) return refuse(`${root} does not exist.`);

  const limit = Math.min(input.limit ?? linesMax, linesMax);
  const collected = createCollector(input, root, context.cwd, limit);
  const end = await runRipgrep(parts, {
    arguments: searchArguments(input, root),
    cwd: context.cwd,
    signal: context.signal,
    separator: input.mode === "files" ? "\0" : "\n",
    onRecord: collected.add,
  });
  const problem = describeEnd(end);
  if (problem !== undefined) return refuse(problem);
  const { text, count } = collected.result();
  const metadata = { count };
  const late = end.kind === "timed-out" ? "\n(cut: the search took too long; narrow it)" : "";
  if (count === 0) return { output: `Nothing matches ${input.pattern}.${late}`, title, metadata };
  const cut = end.kind === "enough" ? `\n(cut after ${count} lines; narrow the search to see the rest)` : late;
  return { output: text + cut, title, metadata };
}

function searchArguments(input: GrepInput, root: string): readonly string[] {
  const list = [...commonArguments, "--color=never", "--sort=path", "--with-filename", "--null"];
  switch (input.mode ?? "content") {
    case "content":
      list.push("--line-number", "--no-heading", `--max-columns=${columnsMax}`, "--max-columns-preview");
      if (input.context !== undefined) list.push(`--context=${Math.min(input.context, contextMax)}`);
      break;
    case "files":
      list.push("--files-with-matches");
      break;
    case "count":
      list.push("--count");
      break;
  }
  // A type selects by file name without overruling the ignore files, as --glob would.
  if (input.include !== undefined && !input.include.includes("/"))
    list.push(`--type-add=included:${input.include}`, "--type=included");
  if (/\n|\\n/.test(input.pattern)) list.push("--multiline");
  return [...list, `--regexp=${input.pattern}`, "--", root];
}

/** Turns records into lines for the model: in content mode one heading per file and numbered lines below it. */
function createCollector(input: GrepInput, root: string, cwd: string, limit: number) {
  const included = input.include?.includes("/") === true ? includedPaths(input.include) : undefined;
  const lines: string[] = [];
  let count = 0;
  let heading = "";

  const add = (record: string): "more" | "enough" => {
    const [path = "", rest = ""] = record.split("\0", 2);
    // Between groups of context lines ripgrep prints a line without a path.
    if (rest === "" && input.mode !== "files") return "more";
    if (included?.(relative(root, path)) === false) return "more";
    if (count >= limit) return "enough";
    count += 1;
    const name = shortPath(path, cwd);
    if (input.mode === "files") lines.push(name);
    else if (input.mode === "count") lines.push(`${name}: ${rest}`);
    else {
      if (name !== heading) lines.push(name);
      heading = name;
      lines.push(`  ${rest.endsWith("\r") ? rest.slice(0, -1) : rest}`);
    }
    return "more";
  };
  return { add, result: () => ({ text: lines.join("\n"), count }) };
}

function includedPaths(include: string): (path: string) => boolean {
  const { base, matches } = parseGlob(include);
  const prefix = base === "" ? "" : `${base}/`;
  return (path) => path.startsWith(prefix) && matches(path.slice(prefix.length));
}
