/** Definitions of agents that are written as YAML: the fields of the frontmatter, with `prompt` for the body. */
import { type Dirent, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { RawAgent, RefusedAgent } from "@kedge/agents/definitions";
import { readDefinitionFile, type SearchedFolder } from "@kedge/extend/definitions";
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import { rawOfObject } from "./raw-agent.ts";

export type YamlAgents = { readonly found: readonly RawAgent[]; readonly refused: readonly RefusedAgent[] };

const filesMax = 200;

export async function findYamlAgents(folders: readonly SearchedFolder[]): Promise<YamlAgents> {
  const found: RawAgent[] = [];
  const refused: RefusedAgent[] = [];
  for (const { place, root } of folders) {
    for (const name of yamlFilesIn(place.folder)) {
      const file = join(place.folder, name);
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
      const own = typeof value["name"] === "string" ? value["name"] : basename(name).replace(/\.ya?ml$/i, "");
      if (typeof value["prompt"] !== "string" || value["prompt"].trim() === "") {
        refused.push({ file, why: "prompt is missing", remedy: "Add the agent's instructions as prompt." });
        continue;
      }
      const tier = place.tier === "bundled" ? "built-in" : place.tier;
      found.push(rawOfObject(plainName(own), value, { tier, source: place.source, file }));
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

function yamlFilesIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => !entry.isDirectory() && /\.ya?ml$/i.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .slice(0, filesMax);
}

/** A folder that cannot be read holds nothing. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The first line of the problem where it is none. */
async function parseYaml(text: string): Promise<JsonObject | string> {
  const { parse } = await import("yaml");
  try {
    const value: unknown = parse(text, { logLevel: "silent", maxAliasCount: 20 });
    return isJsonObject(value) ? (value as JsonObject) : "the file must be a mapping of fields";
  } catch (error) {
    return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
  }
}
