/** Finds tools by a query: by name, by the prefix of a server, or by words. */
import type { Tool } from "@kedge/protocol";
import type { ToolIndex } from "./ranking/tool-index.ts";
import { readQuery } from "./read-query.ts";

export type FindableTool = Pick<Tool, "name" | "aliases" | "description" | "inputSchema" | "searchHint">;

export type FoundTools<Found> = { readonly tools: readonly Found[]; readonly missing: readonly string[] };

export type ToolFinder<Found> = (query: string, countMax: number) => Promise<FoundTools<Found>>;

export type FinderParts<Found> = {
  /** Found by name. */
  readonly offered: () => readonly Found[];
  /** Those of them that are also found by words; the same array until one comes or goes. */
  readonly deferred: () => readonly Found[];
};

const selectedMax = 50;

/** The index is made by the first search by words, and again once the tools are others. */
export function createToolFinder<Found extends FindableTool>({
  offered,
  deferred,
}: FinderParts<Found>): ToolFinder<Found> {
  let indexed: { readonly tools: readonly Found[]; readonly index: ToolIndex } | undefined;
  const byName = (name: string) => offered().find((tool) => tool.name === name || tool.aliases?.includes(name));

  return async (text, countMax) => {
    const query = readQuery(text, (name) => byName(name) !== undefined);
    switch (query.kind) {
      case "select": {
        const selected = query.names.slice(0, selectedMax).map((name) => ({ name, tool: byName(name) }));
        return {
          tools: [...new Set(selected.flatMap(({ tool }) => tool ?? []))],
          missing: selected.flatMap(({ name, tool }) => (tool === undefined ? name : [])),
        };
      }
      case "prefix": {
        const named = deferred().filter(({ name }) => name.startsWith(query.prefix));
        return { tools: named.slice(0, countMax), missing: [] };
      }
      case "words": {
        // Word lists and stemming are of no use to a session that never searches by words.
        const { createToolIndex, rankTools } = await import("./ranking/index.ts");
        const tools = deferred();
        if (indexed?.tools !== tools) indexed = { tools, index: createToolIndex(tools) };
        const { words, required, prefix } = query;
        const isWanted = (name: string) => name.startsWith(prefix);
        const numbers = rankTools(indexed.index, words, { countMax, required, isWanted });
        return { tools: numbers.flatMap((number) => tools[number] ?? []), missing: [] };
      }
    }
  };
}
