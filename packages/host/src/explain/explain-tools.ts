/** Which tools of a catalogue a search would find, for those who describe tools and for scripts. */
import { createToolFinder, type FindableTool } from "@kedge/engine/tool-search";
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "@kedge/protocol";

export type ToolCatalogue =
  | { readonly ok: true; readonly answer: (question: unknown) => Promise<JsonObject> }
  | { readonly ok: false; readonly problem: string };

type CatalogueTool = FindableTool & { readonly listedName: string };

const limitDefault = 5;
const limitMax = 100;

/** `text` has one JSON object per line: server, name, description and inputSchema. */
export function readToolCatalogue(text: string): ToolCatalogue {
  const tools: CatalogueTool[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const tool = readTool(line);
    if (tool === undefined) return { ok: false, problem: `line ${at + 1} is not a tool with a name` };
    tools.push(tool);
  }
  const find = createToolFinder({ offered: () => tools, deferred: () => tools });
  return {
    ok: true,
    async answer(question) {
      if (!isJsonObject(question)) return { error: "expected a JSON object" };
      const { id, query, limit = limitDefault } = question;
      // What was read from JSON can be written as JSON.
      const own = id === undefined ? {} : { id: id as Json };
      if (typeof query !== "string" || query.trim() === "") return { ...own, error: "query must be a string" };
      if (!isLimit(limit)) return { ...own, error: `limit must be a whole number from 1 to ${limitMax}` };
      const { tools: found } = await find(query.trim(), limit);
      return { ...own, names: found.map(({ listedName }) => listedName) };
    },
  };
}

function isLimit(limit: unknown): limit is number {
  return typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= limitMax;
}

/** A tool of a server is searched as a session would name it. */
function readTool(line: string): CatalogueTool | undefined {
  const row = parse(line);
  if (!isJsonObject(row)) return undefined;
  const { server, name, description, inputSchema, searchHint } = row;
  if (typeof name !== "string" || name === "") return undefined;
  const full = typeof server === "string" && server !== "" ? `mcp__${plain(server)}__${plain(name)}` : name;
  return {
    name: full,
    listedName: name,
    aliases: [name],
    description: typeof description === "string" ? description : "",
    // Only its words are read, whatever it is.
    inputSchema: isJsonObject(inputSchema) ? (inputSchema as JsonSchema) : {},
    ...(typeof searchHint === "string" && { searchHint }),
  };
}

function plain(name: string): string {
  return name.replaceAll(/[^\w-]/g, "_");
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
