/** A tool that finds other tools: those that no request carries until the model asks for them. */
import { type JsonSchema, nearNames, type Tool, type ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { createToolFinder, type FoundTools } from "./find-tools.ts";
import type { IsEnough } from "./tool-sources.ts";

export const toolSearchName = "tool_search";

export type SearchedTools = {
  /** All that may be called. */
  readonly offered: () => readonly Tool[];
  /** Those of them that are searched by words; the same array until one comes or goes. */
  readonly deferred: () => readonly Tool[];
  /** Sources whose tools are not known yet. */
  readonly pending: () => readonly string[];
  /** Why a tool that was asked for by name is not there, where its source knows. */
  readonly whyMissing: (tool: string) => string | undefined;
  /** Until `isEnough`; undefined where there is nothing to wait for. */
  readonly awaitPending: (signal: AbortSignal, isEnough: IsEnough) => Promise<void> | undefined;
};

type SearchInput = { readonly query: string; readonly max_results: number };

const inputSchema: JsonSchema = {
  type: "object",
  properties: { query: { type: "string", minLength: 1 }, max_results: { type: "integer", minimum: 1, maximum: 20 } },
  required: ["query"],
};

const resultsDefault = 5;
const resultsMax = 20;
const nearNamesMax = 5;
const lineCharactersMax = 200;
const resultCharactersMax = 12_000;

export function createToolSearch(searched: SearchedTools): Tool<SearchInput> {
  const find = createToolFinder(searched);
  return {
    name: toolSearchName,
    description: textBeside(import.meta.url, "./tool-search.md"),
    inputSchema,
    resultCharactersMax,
    parse: (input) => parse(input),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => true,
    async run({ query, max_results }, { signal }) {
      const found = await find(query, max_results);
      const isFound = async () => (await find(query, max_results)).tools.length > 0;
      const waiting = found.tools.length === 0 ? searched.awaitPending(signal, isFound) : undefined;
      await waiting;
      return describe(waiting === undefined ? found : await find(query, max_results), query, searched);
    },
  };
}

function parse(input: unknown): ReturnType<Tool<SearchInput>["parse"]> {
  const { query, max_results } = (input ?? {}) as Partial<SearchInput>;
  if (typeof query !== "string" || query.trim() === "") return { ok: false, report: "query: expected words or a name" };
  const count = Number(max_results ?? resultsDefault);
  const wanted = Number.isInteger(count) && count > 0 ? Math.min(count, resultsMax) : resultsDefault;
  return { ok: true, input: { query: query.trim(), max_results: wanted } };
}

function describe(
  { tools, missing }: FoundTools<Tool>,
  query: string,
  { offered, deferred, pending, whyMissing }: SearchedTools,
): ToolOutput {
  const waiting = pending();
  const connecting =
    waiting.length === 0 ? "" : `\nStill connecting, so search again later: ${waiting.map(cut).join(", ")}.`;
  const reasons = [...new Set(missing.flatMap((name) => whyMissing(name) ?? []))]
    .map((why) => `\n${cut(why)}`)
    .join("");
  const unknown = missing.length === 0 ? "" : `\nThere is no tool named ${missing.map(cut).join(", ")}.${reasons}`;
  if (tools.length === 0) {
    const names = offered().map(({ name }) => name);
    const near = nearNames(query, names, { countMax: nearNamesMax, anyHow: true }).join(", ");
    return {
      output: `No tool matches. ${deferred().length} can be searched; the nearest names are ${near}.${reasons}${connecting}`,
      title: query,
      metadata: {
        foundTools: [],
        totalDeferredTools: deferred().length,
        ...(waiting.length > 0 && { pendingServers: [...waiting] }),
      },
    };
  }
  const lines = tools.map(({ name, description }) => cut(`${name}: ${description.trim().split("\n", 1)[0]}`));
  return {
    output: `Callable from the next step:\n${lines.join("\n")}${unknown}`,
    title: query,
    metadata: {
      foundTools: tools.map(({ name }) => name),
      ...(missing.length > 0 && { missingTools: [...missing] }),
    },
  };
}

function cut(line: string): string {
  return line.length <= lineCharactersMax ? line : `${line.slice(0, lineCharactersMax - 1).toWellFormed()}…`;
}
