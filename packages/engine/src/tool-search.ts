/** A tool that finds other tools: those that no request carries until the model asks for them. */
import { type JsonSchema, nearNames, type Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";

type SearchInput = { readonly query: string; readonly max_results?: number };

const inputSchema: JsonSchema = {
  type: "object",
  properties: { query: { type: "string", minLength: 1 }, max_results: { type: "integer", minimum: 1, maximum: 20 } },
  required: ["query"],
};

const resultsDefault = 5;
const resultsMax = 20;
const nearNamesMax = 5;
const resultCharactersMax = 6_000;

const scores = { namePart: 10, withinNamePart: 5, withinName: 3, hint: 4, description: 2 } as const;

/** `toolsNow` gives all that may be called; those with a search hint are searched. */
export function createToolSearch(toolsNow: () => readonly Tool[]): Tool<SearchInput> {
  return {
    name: "tool_search",
    description: textBeside(import.meta.url, "./tool-search.md"),
    inputSchema,
    resultCharactersMax,
    parse: (input) => parse(input),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => true,
    run: async (input) => {
      const tools = toolsNow();
      const deferred = tools.filter(isDeferred);
      const found = search(input, tools, deferred);
      const title = input.query;
      if (found.tools.length === 0) {
        const near = nearNames(
          input.query,
          tools.map(({ name }) => name),
          { countMax: nearNamesMax, anyHow: true },
        );
        const output = `No tool fits. There are ${deferred.length} to be found; the nearest names are ${near.join(", ")}.`;
        return { output, title, metadata: { foundTools: [] } };
      }
      const missing = found.missing.length === 0 ? "" : `\nThere is no tool ${found.missing.join(", ")}.`;
      const lines = found.tools.map(({ name, description }) => `${name}: ${description.split("\n", 1)[0]}`);
      return {
        output: `These can be called from now on:\n${lines.join("\n")}${missing}`,
        title,
        metadata: { foundTools: found.tools.map(({ name }) => name) },
      };
    },
  };
}

/** Requests carry such a tool only once the model has found it. */
export function isDeferred({ searchHint }: Tool): boolean {
  return searchHint !== undefined;
}

function parse(input: unknown): ReturnType<Tool<SearchInput>["parse"]> {
  const { query, max_results } = (input ?? {}) as Partial<SearchInput>;
  if (typeof query !== "string" || query.trim() === "") return { ok: false, report: "query: expected words or a name" };
  const count = Number(max_results ?? resultsDefault);
  const wanted = Number.isInteger(count) && count > 0 ? Math.min(count, resultsMax) : resultsDefault;
  return { ok: true, input: { query: query.trim(), max_results: wanted } };
}

type Found = { readonly tools: readonly Tool[]; readonly missing: readonly string[] };

/** `select:a,b` and exact names are taken by name, everything else by words; `+word` is required. */
function search({ query, max_results }: SearchInput, tools: readonly Tool[], deferred: readonly Tool[]): Found {
  const byName = (name: string) => tools.find((tool) => tool.name === name || tool.aliases?.includes(name));
  const names = query.startsWith("select:") ? query.slice("select:".length).split(",") : [query];
  const selected = names.map((name) => ({ name: name.trim(), tool: byName(name.trim()) }));
  if (query.startsWith("select:") || selected[0]?.tool !== undefined) {
    return {
      tools: selected.flatMap(({ tool }) => (tool === undefined ? [] : [tool])),
      missing: selected.filter(({ tool }) => tool === undefined).map(({ name }) => name),
    };
  }
  const terms = query.toLowerCase().split(/\s+/);
  const ranked = deferred
    .map((tool) => ({ tool, score: scoreOf(tool, terms) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || (left.tool.name < right.tool.name ? -1 : 1));
  return { tools: ranked.slice(0, max_results).map(({ tool }) => tool), missing: [] };
}

/** 0 when a required word is nowhere. */
function scoreOf(tool: Tool, terms: readonly string[]): number {
  const name = tool.name.toLowerCase();
  const parts = tool.name
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_");
  const hint = wordsOf(tool.searchHint ?? "");
  const description = wordsOf(tool.description);
  let total = 0;
  for (const term of terms) {
    const word = term.replace(/^\+/, "");
    if (word === "") continue;
    const score =
      nameScore(word, parts, name) +
      (hint.has(word) ? scores.hint : 0) +
      (description.has(word) ? scores.description : 0);
    if (score === 0 && term.startsWith("+")) return 0;
    total += score;
  }
  return total;
}

function nameScore(word: string, parts: readonly string[], name: string): number {
  if (parts.includes(word)) return scores.namePart;
  if (parts.some((part) => part.includes(word))) return scores.withinNamePart;
  return name.includes(word) ? scores.withinName : 0;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? []);
}
