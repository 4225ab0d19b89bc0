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
  /** The line of a field in its file, where there is one. */
  readonly lineOf?: (field: string) => number | undefined;
  readonly notes: readonly string[];
};

/** Reads permission rules in any form that settings know. */
export type ReadRules = (value: Json) => {
  readonly rules: readonly PermissionRule[];
  readonly problems: readonly string[];
};

const maxTurnsDefault = 50;
const maxTurnsMax = 200;

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
  const note: Note = (field, text) => {
    const line = raw.lineOf?.(field);
    notes.push(line === undefined ? text : `line ${line}: ${text}`);
  };
  for (const name of fields.keys()) {
    if (!quiet.has(name) && !used.has(name)) note(name, `the field ${name} is unknown`);
  }
  const named = fields.has("tools") ? "tools" : "allowed-tools";
  const tools = readTools(fields.get(named), fields.get("disallowed-tools"));
  const written = fields.get("permission");
  const read = written === undefined ? { rules: [], problems: [] } : readRules(written);
  for (const text of tools.notes) note(named, text);
  for (const text of tools.disallowedNotes) note("disallowed-tools", text);
  for (const text of read.problems) note("permission", text);
  const permission = [...tools.rules, ...read.rules].map((rule) => tightened(rule, tier));
  const model = textOf(fields.get("model"));
  const effort = oneOf(efforts, "effort", fields, note);
  const mode = oneOf(modes, "mode", fields, note);
  const isolation = isolationOf(fields.get("isolation"), note);
  const schema = schemaOf(fields.get("output-schema"), note);
  const isPlan = isPlanning(fields.get("permission-mode"), note);
  const prompt = textOf(fields.get("prompt"));
  const color = colorOf(fields.get("color"), note);
  const mcpServers = serversOf(fields.get("mcp-servers") ?? fields.get("mcp"), note);
  const hooks = fields.get("hooks");
  const temperature = temperatureOf(fields.get("temperature"), note);
  const memory = memoryOf(fields.get("memory"), note);
  const isReadOnly = switchOf("read-only", fields, { unreadable: true, note });
  const isBackground = switchOf("background", fields, { unreadable: false, note });
  const initialPrompt = textOf(fields.get("initial-prompt"));
  const added = [
    ...mcpServers.map((server) => `mcp__${server}__*`),
    ...(memory === undefined ? [] : memoryTools.filter((tool) => tools.tools?.includes(tool) === false)),
  ];
  return {
    name: raw.name,
    description: raw.description,
    mode: mode ?? "subagent",
    isHidden: isYes(fields.get("hidden")),
    prompt: raw.body.trim() === "" ? (prompt ?? "") : raw.body.trim(),
    ...(tools.tools !== undefined && { tools: [...tools.tools, ...added] }),
    disallowedTools: tools.disallowed,
    ...(model !== undefined && model !== "inherit" && { model }),
    ...(effort !== undefined && { effort }),
    ...(temperature !== undefined && { temperature }),
    maxTurns: turnsOf(fields, note),
    permission,
    isReadOnly: isReadOnly || isPlan,
    isBackground,
    ...(isolation !== undefined && { isolation }),
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

/** `field` is where it was written. */
type Note = (field: string, text: string) => void;

function oneOf<Value extends string>(
  known: readonly Value[],
  field: string,
  fields: RawAgent["fields"],
  note: Note,
): Value | undefined {
  const wished = textOf(fields.get(field));
  const found = known.find((each) => each === wished?.toLowerCase());
  if (wished !== undefined && found === undefined)
    note(field, `${field} must be one of ${known.join(", ")}; it is ignored`);
  return found;
}

function isolationOf(written: Json | undefined, note: Note): "worktree" | undefined {
  const wished = textOf(written)?.toLowerCase();
  if (wished === "worktree") return wished;
  if (wished !== undefined && wished !== "none" && !isNo(written))
    note("isolation", `isolation only supports worktree, so ${shown(wished)} has no effect: it works in the checkout`);
  return undefined;
}

/** Only planning narrows; an agent has the mode of its session whatever it asks for. */
function isPlanning(written: Json | undefined, note: Note): boolean {
  const wished = textOf(written);
  if (wished === undefined || /^(?:default|inherit)$/i.test(wished)) return false;
  const isPlan = /^plan$/i.test(wished);
  if (!isPlan) note("permission-mode", "permission_mode has no effect: an agent has the mode of its session");
  return isPlan;
}

/** What was meant to limit an agent must not vanish because of a slip. */
function switchOf(
  field: string,
  fields: RawAgent["fields"],
  { unreadable, note }: { readonly unreadable: boolean; readonly note: Note },
): boolean {
  const written = fields.get(field);
  if (isYes(written)) return true;
  if (isNo(written) || written === undefined || written === null || written === "") return false;
  const name = field.replaceAll("-", "_");
  note(field, `${name} must be true or false; ${String(unreadable)} is used`);
  return unreadable;
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}

function turnsOf(fields: RawAgent["fields"], note: Note): number {
  const field = ["max-turns", "steps", "max-steps"].find((each) => fields.has(each)) ?? "max-turns";
  const written = fields.get(field);
  if (written === undefined) return maxTurnsDefault;
  const turns = Number(written);
  if (!Number.isInteger(turns) || turns < 1) {
    note(field, `max_turns must be a number from 1 to ${maxTurnsMax}; ${maxTurnsDefault} is used`);
    return maxTurnsDefault;
  }
  if (turns > maxTurnsMax) note(field, `max_turns is limited to ${maxTurnsMax}`);
  return Math.min(turns, maxTurnsMax);
}

function namesOf(written: Json | undefined): readonly string[] {
  const texts = typeof written === "string" ? written.replace(/^\s*\[|\]\s*$/g, "").split(",") : written;
  return Array.isArray(texts) ? texts.flatMap((each) => (typeof each === "string" && each.trim()) || []) : [];
}

/** Names of servers that are configured. What would start a program of its own is left to those who configure servers. */
function serversOf(written: Json | undefined, note: Note): readonly string[] {
  const listed = Array.isArray(written) ? written : [];
  const inline = isJsonObject(written) ? Object.keys(written) : listed.filter(isJsonObject).flatMap(Object.keys);
  for (const name of inline)
    note("mcp-servers", `the MCP server ${name} is not started by a definition; add it with kedge mcp add and name it`);
  return namesOf(written).filter((name) => /^[\w.-]{1,64}$/.test(name));
}

function temperatureOf(written: Json | undefined, note: Note): number | undefined {
  if (written === undefined || written === null || written === "") return undefined;
  const temperature = Number(written);
  if (temperature >= 0 && temperature <= 2) return temperature;
  note("temperature", "temperature must be a number from 0 to 2; it is ignored");
  return undefined;
}

function memoryOf(written: Json | undefined, note: Note): AgentDefinition["memory"] {
  const wished = textOf(written);
  if (wished === undefined) return undefined;
  const scope = agentMemoryScopes.find((known) => known === wished.toLowerCase());
  if (scope === undefined) note("memory", "memory must be user, project or local; it is ignored");
  return scope;
}

function colorOf(written: Json | undefined, note: Note): AgentDefinition["color"] {
  const wished = textOf(written);
  if (wished === undefined) return undefined;
  const color = agentColors.find((known) => known === wished.toLowerCase());
  if (color === undefined) note("color", `color must be one of ${agentColors.join(", ")}; it is ignored`);
  return color;
}

function schemaOf(written: Json | undefined, note: Note): JsonSchema | undefined {
  if (written === undefined) return undefined;
  const flaw = schemaFlaw(written);
  if (flaw === undefined) return written as JsonSchema;
  note("output-schema", `output_schema is ignored: ${flaw}`);
  return undefined;
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  return typeof value === "number" ? String(value) : undefined;
}

function isNo(value: Json | undefined): boolean {
  return value === false || (typeof value === "string" && /^(?:false|no|off|0)$/i.test(value.trim()));
}

function isYes(value: Json | undefined): boolean {
  return value === true || (typeof value === "string" && /^(?:true|yes|on|1)$/i.test(value.trim()));
}
