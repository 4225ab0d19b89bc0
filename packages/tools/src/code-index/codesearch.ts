/** The `codesearch` tool: the pieces of code that fit a question best, from the local index. */
import type { JsonSchema, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { describeLeftOut } from "../searching/left-out.ts";
import { parseInput } from "../tool-input.ts";
import type { CodeFindings, CodeIndex } from "./code-index.ts";
import type { RefreshStop } from "./refresh-index.ts";
import { showHits } from "./show-hits.ts";

export type CodesearchInput = { readonly query: string; readonly tokens?: number };

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    query: { type: "string", minLength: 1 },
    tokens: { type: "integer", minimum: 1 },
  },
  required: ["query"],
};

const tokensDefault = 4_000;
const charactersPerToken = 4;
const charactersMin = 1_000;
const resultCharactersMax = 50_000;
/** Kept for what is said about the hits below them. */
const notesCharactersMax = 1_000;
const hitsMax = 200;

export function createCodesearchTool({ index }: { readonly index: CodeIndex }): Tool<CodesearchInput> {
  return {
    name: "codesearch",
    description: textBeside(import.meta.url, "./codesearch.md"),
    inputSchema,
    searchHint: "search code by topic or question, ranked functions, symbols, where is something implemented",
    resultCharactersMax,
    parse: (input) => parseInput<CodesearchInput>(inputSchema, input),
    needs: ({ query }, cwd) => [
      { permission: "codesearch", patterns: [query], always: ["*"], access: "read", paths: [cwd] },
    ],
    readOnly: () => true,
    concurrencySafe: () => true,
    run: (input, context) => codesearch(index, input, context),
  };
}

async function codesearch(index: CodeIndex, input: CodesearchInput, context: ToolContext): Promise<ToolOutput> {
  const title = input.query;
  const refuse = (output: string): ToolOutput => ({ output, isError: true, title });
  const findings = await index.search({
    root: context.cwd,
    query: input.query,
    hitsMax,
    reading: context.reading,
    signal: context.signal,
    onProgress: (line) => context.sink.write(line, "stdout"),
  });
  switch (findings.kind) {
    case "found":
      return describeFindings(findings, input, context);
    case "no-words":
      return refuse("The query has no words to search for. Give words or identifiers, or search for signs with grep.");
    case "interrupted":
      return refuse("The search was interrupted. What was indexed until then is kept.");
    case "busy":
      return { output: "Another kedge is writing the code index. Search with grep, or try again later.", title };
    case "failed":
      return refuse(findings.problem);
  }
}

function describeFindings(
  findings: Extract<CodeFindings, { readonly kind: "found" }>,
  { query, tokens = tokensDefault }: CodesearchInput,
  { cwd }: ToolContext,
): ToolOutput {
  const { hits, count, coverage, words } = findings;
  const wanted = Math.max(tokens * charactersPerToken, charactersMin);
  const charactersMax = Math.min(wanted, resultCharactersMax - notesCharactersMax);
  const { text, shown } = showHits(hits, { root: cwd, cwd, charactersMax });
  const { filesTotal, filesCurrent, leftOut, stop } = coverage;
  const more = count - shown;
  const notes = [
    ...(count > 0 && more > 0 ? [`(${shown} of ${count} hits shown; ask with other words or more tokens)`] : []),
    ...(stop === undefined
      ? []
      : [`(index incomplete: ${filesCurrent} of ${filesTotal} files; ${describeStop(stop)})`]),
    ...describeLeftOut(leftOut),
    ...(findings.wasDamaged ? ["(the index was damaged and has been rebuilt)"] : []),
    "(ranking is lexical, by words and names, without embeddings)",
  ];
  return {
    output: [count === 0 ? describeNothing(words) : text, ...notes].filter((part) => part !== "").join("\n"),
    title: query,
    metadata: { shown, count, filesTotal, filesCurrent },
  };
}

function describeNothing(words: readonly string[]): string {
  const named = words.slice(0, 10).join(", ");
  return `No code has any of these words: ${named}. Try other words for the same thing, or grep for an exact text.`;
}

function describeStop(stop: RefreshStop): string {
  switch (stop) {
    case "time":
      return "call again to go on indexing, or use grep for the rest";
    case "size":
      return "the index has reached its maximum size; use grep for the rest";
    case "busy":
      return "another kedge is writing it, call again later";
    case "interrupted":
      return "it was interrupted";
  }
}
