/** Reads a set-up of OpenCode: `opencode.json` of a user or a project, and the folder beside it. */

import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { presenceOf, type Settings } from "../../configuration/setting-file.ts";
import { copyFolder, copyInstructions, markdown } from "../definitions/copy-definitions.ts";
import { writeDefinition } from "../definitions/write-definition.ts";
import type { Findings, Origin } from "../findings.ts";
import { type ForeignFolder, holdsSecret, readObject } from "../foreign-folder.ts";
import { convertServers } from "../mcp-servers.ts";
import { nameTable } from "../name-table.ts";
import { noteRest, noteSecret, noteUnsupported, takeSetting } from "../note-settings.ts";
import { convertOpencodeRules } from "../rules/opencode-rules.ts";

const taken: ReadonlySet<string> = new Set([
  ...["permission", "tools", "model", "agent", "command", "mcp", "provider", "disabled_providers"],
  "instructions",
  "compaction.auto",
]);

const remedies = nameTable({
  small_model: "Choose one for titles with kedge config set titles.model <provider/model>.",
  formatter: "See kedge doctor.",
});

/** The wires of kedge by the packages that speak them there. */
const wires = nameTable({
  "@ai-sdk/openai-compatible": "openai-chat",
  "@ai-sdk/openai": "openai-responses",
  "@ai-sdk/anthropic": "anthropic",
  "@ai-sdk/google": "google",
});

export async function readOpencode(folder: ForeignFolder, findings: Findings): Promise<void> {
  const isUser = folder.scope === "user";
  const names = ["opencode.json", "opencode.jsonc"].flatMap((name) => (isUser ? [name] : [join("..", name), name]));
  for (const name of names) {
    if (presenceOf(join(folder.path, name)) === "absent") continue;
    const read = await readObject(name, folder, findings, { holdsRules: true });
    if (read !== undefined) readSettingsOf(read.settings, read.from, folder, findings);
  }
  for (const [name, target] of [["commands"], ["command", "commands"], ["agents"], ["agent", "agents"]] as const) {
    copyFolder({ name, target: target ?? name, pattern: markdown }, folder, findings);
  }
  for (const name of ["skills", "skill"]) copyFolder({ name, target: "skills" }, folder, findings);
  for (const name of ["plugins", "plugin", "tools", "tool"]) noteFolder(name, folder, findings);
  if (isUser) copyInstructions("AGENTS.md", "rules/opencode.md", folder, findings);
}

function noteFolder(name: string, folder: ForeignFolder, findings: Findings): void {
  const path = join(folder.path, name);
  if (presenceOf(path) === "there")
    findings.notes.push({
      kind: "stays",
      file: folder.shown(path),
      why: "contains programs, which kedge runs in place",
    });
}

function readSettingsOf(settings: Settings, { file }: Origin, folder: ForeignFolder, findings: Findings): void {
  const layer = folder.scope;
  const { permission, tools, model, mcp, disabled_providers: disabled, compaction } = settings;
  convertOpencodeRules({ permission, tools }, layer, { file }, findings);
  if (model !== undefined) takeSetting(findings, { layer, key: "model", value: model, from: { file, key: "model" } });
  if (disabled !== undefined) {
    const from = { file, key: "disabled_providers" };
    takeSetting(findings, { layer, key: "disabledProviders", value: disabled, from });
  }
  if (isJsonObject(compaction) && compaction["auto"] !== undefined) {
    const from = { file, key: "compaction.auto" };
    takeSetting(findings, { layer, key: "compaction.enabled", value: compaction["auto"], from });
  }
  if (mcp !== undefined)
    convertServers(withoutLocal(mcp), { layer, from: { file, key: "mcp" }, folder, remoteType: "http" }, findings);
  writeCommands(settings["command"], { file, key: "command" }, folder, findings);
  writeAgents(settings["agent"], { file, key: "agent" }, folder, findings);
  takeProviders(settings["provider"], { file, key: "provider" }, folder, findings);
  if (settings["instructions"] !== undefined)
    findings.notes.push({ kind: "stays", file, key: "instructions", why: "names files that kedge reads in place" });
  noteRest(findings, settings, { file, taken, remedies });
}

/** There a server that is a command says so by its type. */
function withoutLocal(servers: unknown): unknown {
  if (!isJsonObject(servers)) return servers;
  const entries = Object.entries(servers).map(([name, server]) => {
    if (!isJsonObject(server) || server["type"] !== "local") return [name, server];
    const { type: _, ...rest } = server;
    return [name, rest];
  });
  return Object.fromEntries(entries);
}

function writeCommands(commands: unknown, { file, key }: Origin, folder: ForeignFolder, findings: Findings): void {
  if (!isJsonObject(commands)) return;
  for (const [name, command] of Object.entries(commands)) {
    const from = { file, key: `${key}.${name}` };
    const { template, ...fields } = isJsonObject(command) ? command : {};
    if (typeof template !== "string") noteUnsupported(findings, from, undefined, "has no template");
    else writeDefinition({ folder: "commands", name, fields, body: template, from }, folder, findings);
  }
}

function writeAgents(agents: unknown, { file, key }: Origin, folder: ForeignFolder, findings: Findings): void {
  if (!isJsonObject(agents)) return;
  for (const [name, agent] of Object.entries(agents)) {
    const from = { file, key: `${key}.${name}` };
    const { prompt = "", ...fields } = isJsonObject(agent) ? agent : {};
    if (typeof prompt !== "string" || /\{(?:file|env):/.test(prompt)) {
      noteUnsupported(findings, from, "Copy the prompt by hand.", "loads its prompt from elsewhere");
    } else
      writeDefinition({ folder: "agents", name, fields: { name, ...fields }, body: prompt, from }, folder, findings);
  }
}

function takeProviders(providers: unknown, origin: Origin, folder: ForeignFolder, findings: Findings): void {
  if (!isJsonObject(providers)) return;
  for (const [id, provider] of Object.entries(providers)) {
    const from = { file: origin.file, key: `${origin.key}.${id}` };
    if (!isJsonObject(provider) || /[.[\]"]/.test(id)) {
      noteUnsupported(findings, from);
      continue;
    }
    const { npm, options, models, name: _, ...rest } = provider;
    const { baseURL, apiKey, headers, ...others } = isJsonObject(options) ? options : {};
    const take = (key: string, value: unknown) => {
      if (value !== undefined)
        takeSetting(findings, { layer: folder.scope, key: `provider.${id}.${key}`, value, from });
    };
    const wire = typeof npm === "string" ? wires.get(npm) : undefined;
    if (wire !== undefined) take("api", wire);
    else take("npm", npm);
    take("baseURL", baseURL);
    if (typeof apiKey === "string" && /^\{(?:env|file):[^}]+\}$/.test(apiKey)) take("apiKey", apiKey);
    else if (apiKey !== undefined) noteSecret(findings, { ...from, key: `${from.key}.options.apiKey` }, id);
    if (isJsonObject(headers)) takeHeaders(headers, { from, folder, take }, findings);
    if (isJsonObject(models)) takeModels(models, from, take, findings);
    for (const key of Object.keys(rest)) noteUnsupported(findings, { ...from, key: `${from.key}.${key}` });
    for (const key of Object.keys(others)) noteUnsupported(findings, { ...from, key: `${from.key}.options.${key}` });
  }
}

type Take = (key: string, value: unknown) => void;

function takeHeaders(
  headers: Settings,
  { from, folder, take }: { readonly from: Origin; readonly folder: ForeignFolder; readonly take: Take },
  findings: Findings,
): void {
  for (const [name, value] of Object.entries(headers)) {
    const isReference = typeof value === "string" && /\{(?:env|file):[^}]+\}/.test(value);
    const isSecret = /^(?:authorization|.*(?:key|token|secret))$/i.test(name) || holdsSecret(String(value), folder);
    if (isReference || !isSecret) take(`headers.${name}`, value);
    else noteSecret(findings, { ...from, key: `${from.key}.options.headers.${name}` });
  }
}

function takeModels(models: Settings, from: Origin, take: Take, findings: Findings): void {
  const converted = Object.entries(models).map(([id, model]) => {
    const { name, limit, ...rest } = isJsonObject(model) ? model : {};
    const { context, output } = isJsonObject(limit) ? limit : {};
    for (const key of Object.keys(rest)) noteUnsupported(findings, { ...from, key: `${from.key}.models.${id}.${key}` });
    const fields = { name, context, output };
    return [id, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))];
  });
  take("models", Object.fromEntries(converted));
}
