/** The hook `tool.definition`: what the model reads about tools, in the words of a plugin. */
import type { Tool, ToolSource } from "@kedge/protocol";
import type { CodeParts } from "../code-parts.ts";
import { shownTool } from "./tool-names.ts";
import type { UnitHooks } from "./unit-hooks.ts";

const descriptionCharactersMax = 8_000;

/** Descriptions by the name of the tool; only those that are others. What was answered once is kept. */
export async function definedTools(
  tools: readonly Tool[],
  hooks: readonly UnitHooks[],
  { definitions, digest }: Pick<CodeParts, "definitions" | "digest">,
): Promise<ReadonlyMap<string, string>> {
  const defining = hooks.filter((each) => each.has("tool.definition"));
  if (defining.length === 0) return new Map();
  const known = tools.map(({ name, description }) => [name, description] as const);
  const key = digest(JSON.stringify(["tool.definition", defining.map(({ unit }) => unit.key), known]));
  const stored = readStored(definitions.read(key));
  if (stored !== undefined) return stored;
  const changed = new Map<string, string>();
  let isSound = true;
  for (const [name, original] of known) {
    for (const each of defining) {
      const output = { description: changed.get(name) ?? original };
      const input = { toolID: shownTool(name) };
      const end = await each.run({ hook: "tool.definition", sessionId: "", input, output });
      if (end.kind !== "done") isSound = false;
      else if (typeof end.output["description"] === "string" && end.output["description"] !== original) {
        changed.set(name, end.output["description"].slice(0, descriptionCharactersMax));
      }
    }
  }
  if (isSound) definitions.write(key, JSON.stringify([...changed]));
  return changed;
}

export function withDescriptions(source: ToolSource, descriptions: ReadonlyMap<string, string>): ToolSource {
  const described = (tool: Tool): Tool => {
    const description = descriptions.get(tool.name);
    return description === undefined ? tool : { ...tool, description };
  };
  return {
    ...source,
    open(session) {
      const opened = source.open(session);
      return { ...opened, tools: () => opened.tools().map(described) };
    },
  };
}

function readStored(text: string | undefined): ReadonlyMap<string, string> | undefined {
  if (text === undefined) return undefined;
  try {
    // Written by the function above.
    return new Map(JSON.parse(text) as readonly (readonly [string, string])[]);
  } catch {
    return undefined;
  }
}
