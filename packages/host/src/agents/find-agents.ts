/** Finds the definitions of agents that lie here, in files of every agent, in settings and on the command line. */
import type { AgentDefinition, AgentTable, AgentTier, RawAgent, RefusedAgent } from "@kedge/agents/definitions";
import { createAgentTable, readAgent } from "@kedge/agents/definitions";
import { parsePermissionRules } from "@kedge/engine";
import {
  type Definition,
  type FieldValue,
  findDefinitions,
  nestedField,
  readDefinitionFile,
} from "@kedge/extend/definitions";
import { isJsonObject, type Json, type JsonObject } from "@kedge/protocol";
import { type ExtensionPlaces, type FoundBases, foldersOf } from "../extensions/extension-places.ts";
import { lineFinder, rawOfObject } from "./raw-agent.ts";
import { findYamlAgents } from "./yaml-agents.ts";

export type AgentPlaces = {
  readonly places: ExtensionPlaces;
  readonly bases: FoundBases;
  readonly isTrusted: () => boolean;
  /** Of the settings. */
  readonly definitions: JsonObject;
  /** Of the command line, or of the program that uses kedge. */
  readonly given: JsonObject;
};

export async function findAgents(parts: AgentPlaces): Promise<AgentTable> {
  const folders = foldersOf("agent", parts.bases, parts.places, parts.isTrusted);
  const found = findDefinitions(folders);
  const refused: RefusedAgent[] = found.refused.map(({ file, line, why, remedy }) => ({ file, line, why, remedy }));
  const yaml = await findYamlAgents(folders);
  refused.push(...yaml.refused);
  const shadowed = found.hidden.map(({ definition }) => definition);
  const ofFiles = await Promise.all([...found.used, ...shadowed].map(rawOf));
  const raw = [
    ...ofObjects(parts.given, "command-line", "command line", refused),
    ...ofFiles,
    ...yaml.found,
    ...ofObjects(parts.definitions, "configuration", "settings", refused),
  ];
  const strength = (agent: { readonly tier: AgentTier }) => order.indexOf(agent.tier);
  const definitions = raw.flatMap((each): AgentDefinition[] => {
    const read = readAgent(each, readRules);
    return read === undefined ? [] : [read];
  });
  return createAgentTable(
    definitions.toSorted((left, right) => strength(left) - strength(right)),
    refused,
  );
}

const order: readonly AgentTier[] = ["managed", "command-line", "project", "user", "configuration", "plugin"];

/** Nested fields are parsed here, because only agents have them. */
async function rawOf(definition: Definition): Promise<RawAgent> {
  const { name, description, fields, body, place, file, notes } = definition;
  const plain = new Map<string, Json>();
  for (const [key, value] of fields) plain.set(key, await plainValue(fields, key, value));
  return {
    name: ownName(name, place.plugin?.name),
    description,
    fields: plain,
    body,
    tier: place.tier === "bundled" ? "built-in" : place.tier,
    source: place.source,
    file,
    // Whether a field is known to agents is said when it is read as one.
    notes: notes
      .filter(({ text }) => !/^the field .* is ignored$/.test(text))
      .map(({ line, text }) => `line ${line}: ${text}`),
    lineOf: lineFinder(() => {
      const read = readDefinitionFile(file);
      return read.ok ? read.text : "";
    }),
  };
}

async function plainValue(fields: Definition["fields"], key: string, value: FieldValue): Promise<Json> {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return [...value];
  return ((await nestedField(fields, key)) ?? null) as Json;
}

/** Folders below the folder of agents only sort them; a plugin's name stays before its own. */
function ownName(name: string, plugin: string | undefined): string {
  const own = plugin === undefined ? name : name.slice(plugin.length + 1);
  const segments = own.split(":").map((segment) => segment.replace(/^[-.]+|[-.]+$/g, ""));
  const last = segments.findLast((segment) => segment !== "") ?? own;
  return plugin === undefined ? last : `${plugin}:${last}`;
}

function ofObjects(objects: JsonObject, tier: AgentTier, source: string, refused: RefusedAgent[]): readonly RawAgent[] {
  return Object.entries(objects).flatMap(([name, value]) => {
    const refuse = (why: string, remedy: string) => {
      refused.push({ file: `${source}: ${JSON.stringify(name.slice(0, 64))}`, why, remedy });
      return [];
    };
    if (!/^[A-Za-z0-9][\w.:-]{0,63}$/.test(name))
      return refuse("it is not a valid agent name", "Use up to 64 letters, digits, dots and hyphens.");
    if (!isJsonObject(value)) return refuse("it is not an object", "Give description and prompt.");
    return [rawOfObject(name, value as JsonObject, { tier, source })];
  });
}

function readRules(value: Json) {
  const parsed = parsePermissionRules({ permission: value }, { source: "agent" });
  if (parsed.ok) return { rules: parsed.rules.rules, problems: [] };
  return { rules: askAll, problems: [`${parsed.path} must be ${parsed.expected}, so every call is asked about`] };
}

/** What was meant to limit an agent must not vanish because of a slip. */
const askAll = [{ permission: "*", pattern: "*", action: "ask" }] as const;
