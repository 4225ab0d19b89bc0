/** Reads a definition that somebody wrote, in the fields of every agent. Patient: what can be used is, the rest is noted. */
import {
  agentColors,
  efforts,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  type PermissionRule,
} from "@kedge/protocol";
import { schemaFlaw } from "../tools/output-schema.ts";
import { type AgentDefinition, type AgentMode, type AgentTier, agentMemoryScopes } from "./agent-definition.ts";
import { readTools } from "./read-tools.ts";

export type RawAgent = {
  readonly name: string;
  readonly description: string;
  /** By name in lower case with hyphens; nested values as data. */
  readonly fields: ReadonlyMap<string, Json>;
  readonly body: string;
  readonly tier: AgentTier;
  readonly source: string;
  readonly file?: string;
  readonly notes: readonly string[];
};

/** Reads permission rules in any form that settings know. */
export type ReadRules = (value: Json) => {
  readonly rules: readonly PermissionRule[];
  readonly problems: readonly string[];
};

export const maxTurnsDefault = 50;
export const maxTurnsMax = 200;

const modes: readonly AgentMode[] = ["primary", "subagent", "all"];
/** Read by others, or meaningless here; no reason for a note. */
const quiet: ReadonlySet<string> = new Set(
  "name description prompt version author license metadata tags category color disable top-p hidden".split(" "),
);
const used: ReadonlySet<string> = new Set(
  (
    "mode tools allowed-tools disallowed-tools model effort temperature max-turns steps max-steps permission " +
    "permission-mode read-only background isolation output-schema skills mcp mcp-servers hooks memory initial-prompt"
  ).split(" "),
);
/** What an agent with a memory keeps it with. */
const memoryTools: readonly string[] = ["read", "write", "edit"];

/** Undefined for one that is switched off. */
export function readAgent(raw: RawAgent, readRules: ReadRules): AgentDefinition | undefined {
  const { fields, tier } = raw;
  if (isYes(fields.get("disable"))) return undefined;
  const notes = [...raw.notes];
  for (const name of fields.keys()) {
    if (!quiet.has(name) && !used.has(name)) notes.push(`the field ${name} is unknown`);
  }
  const tools = readTools(fields.get("tools") ?? fields.get("allowed-tools"), fields.get("disallowed-tools"));
  const written = fields.get("permission");
  const read = written === undefined ? { rules: [], problems: [] } : readRules(written);
  notes.push(...tools.notes, ...read.problems);
  const permission = [...tools.rules, ...read.rules].map((rule) => tightened(rule, tier));
  const model = textOf(fields.get("model"));
  const effort = efforts.find((known) => known === textOf(fields.get("effort")));
  const schema = schemaOf(fields.get("output-schema"), notes);
  const isPlan = /^plan$/i.test(textOf(fields.get("permission-mode")) ?? "");
  const prompt = textOf(fields.get("prompt"));
  const color = colorOf(fields.get("color"), notes);
  const mcpServers = serversOf(fields.get("mcp-servers") ?? fields.get("mcp"), notes);
  const hooks = fields.get("hooks");
  const temperature = temperatureOf(fields.get("temperature"), notes);
  const memory = memoryOf(fields.get("memory"), notes);
  const initialPrompt = textOf(fields.get("initial-prompt"));
  const added = [
    ...mcpServers.map((server) => `mcp__${server}__*`),
    ...(memory === undefined ? [] : memoryTools.filter((tool) => tools.tools?.includes(tool) === false)),
  ];
  return {
    name: raw.name,
    description: raw.description,
    mode: modes.find((mode) => mode === textOf(fields.get("mode"))) ?? "subagent",
    isHidden: isYes(fields.get("hidden")),
    prompt: raw.body.trim() === "" ? (prompt ?? "") : raw.body.trim(),
    ...(tools.tools !== undefined && { tools: [...tools.tools, ...added] }),
    disallowedTools: tools.disallowed,
    ...(model !== undefined && model !== "inherit" && { model }),
    ...(effort !== undefined && { effort }),
    ...(temperature !== undefined && { temperature }),
    maxTurns: turnsOf(fields, notes),
    permission,
    isReadOnly: isYes(fields.get("read-only")) || isPlan,
    isBackground: isYes(fields.get("background")),
    ...(textOf(fields.get("isolation")) === "worktree" && { isolation: "worktree" }),
    skills: namesOf(fields.get("skills")),
    mcpServers,
    ...(isJsonObject(hooks) && { hooks: hooks as JsonObject }),
    ...(color !== undefined && { color }),
    ...(memory !== undefined && { memory }),
    ...(initialPrompt !== undefined && { initialPrompt }),
    ...(schema !== undefined && { outputSchema: schema }),
    tier,
    source: raw.source,
    ...(raw.file !== undefined && { file: raw.file }),
    notes,
  };
}

/** Strangers may write the files of a project and of plugins: what they allow is asked about. */
function tightened(rule: PermissionRule, tier: AgentTier): PermissionRule {
  const isOfOthers = tier === "project" || tier === "plugin";
  return isOfOthers && rule.action === "allow" ? { ...rule, action: "ask" } : rule;
}

function turnsOf(fields: RawAgent["fields"], notes: string[]): number {
  const written = fields.get("max-turns") ?? fields.get("steps") ?? fields.get("max-steps");
  if (written === undefined) return maxTurnsDefault;
  const turns = Number(written);
  if (!Number.isInteger(turns) || turns < 1) {
    notes.push(`max_turns must be a number from 1 to ${maxTurnsMax}; ${maxTurnsDefault} is used`);
    return maxTurnsDefault;
  }
  if (turns > maxTurnsMax) notes.push(`max_turns is limited to ${maxTurnsMax}`);
  return Math.min(turns, maxTurnsMax);
}

function namesOf(written: Json | undefined): readonly string[] {
  const texts = typeof written === "string" ? written.replace(/^\s*\[|\]\s*$/g, "").split(",") : written;
  return Array.isArray(texts) ? texts.flatMap((each) => (typeof each === "string" && each.trim()) || []) : [];
}

/** Names of servers that are configured. What would start a program of its own is left to those who configure servers. */
function serversOf(written: Json | undefined, notes: string[]): readonly string[] {
  const listed = Array.isArray(written) ? written : [];
  const inline = isJsonObject(written) ? Object.keys(written) : listed.filter(isJsonObject).flatMap(Object.keys);
  for (const name of inline)
    notes.push(`the MCP server ${name} is not started by a definition; add it with kedge mcp add and name it`);
  return namesOf(written).filter((name) => /^[\w.-]{1,64}$/.test(name));
}

function temperatureOf(written: Json | undefined, notes: string[]): number | undefined {
  if (written === undefined || written === null || written === "") return undefined;
  const temperature = Number(written);
  if (temperature >= 0 && temperature <= 2) return temperature;
  notes.push("temperature must be a number from 0 to 2; it is ignored");
  return undefined;
}

function memoryOf(written: Json | undefined, notes: string[]): AgentDefinition["memory"] {
  const wished = textOf(written);
  if (wished === undefined) return undefined;
  const scope = agentMemoryScopes.find((known) => known === wished.toLowerCase());
  if (scope === undefined) notes.push("memory must be user, project or local; it is ignored");
  return scope;
}

function colorOf(written: Json | undefined, notes: string[]): AgentDefinition["color"] {
  const wished = textOf(written);
  if (wished === undefined) return undefined;
  const color = agentColors.find((known) => known === wished.toLowerCase());
  if (color === undefined) notes.push(`color must be one of ${agentColors.join(", ")}; it is ignored`);
  return color;
}

function schemaOf(written: Json | undefined, notes: string[]): JsonSchema | undefined {
  if (written === undefined) return undefined;
  const flaw = schemaFlaw(written);
  if (flaw === undefined) return written as JsonSchema;
  notes.push(`output_schema is ignored: ${flaw}`);
  return undefined;
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  return typeof value === "number" ? String(value) : undefined;
}

function isYes(value: Json | undefined): boolean {
  return value === true || (typeof value === "string" && /^(?:true|yes|on|1)$/i.test(value.trim()));
}
