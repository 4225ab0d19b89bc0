/** Definitions of agents that are written as YAML: the fields of the frontmatter, with `prompt` for the body. */
import { basename } from "node:path";
import type { RawAgent, RefusedAgent } from "@kedge/agents/definitions";
import { pathsBelow, readDefinitionFile, type SearchedFolder } from "@kedge/extend/definitions";
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import { lineFinder, rawOfObject } from "./raw-agent.ts";

export type YamlAgents = { readonly found: readonly RawAgent[]; readonly refused: readonly RefusedAgent[] };

export async function findYamlAgents(folders: readonly SearchedFolder[]): Promise<YamlAgents> {
  const found: RawAgent[] = [];
  const refused: RefusedAgent[] = [];
  for (const { place, root } of folders) {
    for (const file of pathsBelow(place.folder, /\.ya?ml$/i)) {
      const read = readDefinitionFile(file, root);
      if (!read.ok) {
        if (!read.isMissing) refused.push({ file, why: read.why, remedy: read.remedy });
        continue;
      }
      const value = await parseYaml(read.text);
      if (typeof value === "string") {
        refused.push({ file, why: `not valid YAML: ${value}`, remedy: "Fix it, or use a Markdown file." });
        continue;
      }
      const name = value["name"] ?? basename(file).replace(/\.ya?ml$/i, "");
      const own = typeof name === "string" || typeof name === "number" ? plainName(String(name)) : "";
      if (own === "") {
        const line = lineFinder(() => read.text)("name");
        const remedy = "Name it with letters, digits and hyphens.";
        refused.push({ file, ...(line !== undefined && { line }), why: "its name is not a text", remedy });
        continue;
      }
      if (typeof value["prompt"] !== "string" || value["prompt"].trim() === "") {
        refused.push({ file, why: "prompt is missing", remedy: "Add the agent's instructions as prompt." });
        continue;
      }
      const tier = place.tier === "bundled" ? "built-in" : place.tier;
      const lineOf = lineFinder(() => read.text);
      found.push(rawOfObject(own, value, { tier, source: place.source, file, lineOf }));
    }
  }
  return { found, refused };
}

function plainName(name: string): string {
  return name
    .trim()
    .replaceAll(/[^A-Za-z0-9_.:-]+/g, "-")
    .slice(0, 64);
}

/** What is wrong with it, and in which line, where it is none. */
async function parseYaml(text: string): Promise<JsonObject | string> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: false, lineCounter: lines });
  const [first] = document.errors;
  if (first !== undefined) return `line ${lines.linePos(first.pos[0]).line}: ${first.message.split("\n", 1)[0] ?? ""}`;
  try {
    const value: unknown = document.toJS({ maxAliasCount: 20 });
    return isJsonObject(value) ? (value as JsonObject) : "the file must be a mapping of fields";
  } catch (error) {
    return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
  }
}
