/** Reads a set-up of Codex: `.codex` of a user or a project. */

import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { presenceOf } from "../../configuration/setting-file.ts";
import { copyFolder, copyInstructions, markdown } from "../definitions/copy-definitions.ts";
import { writeDefinition } from "../definitions/write-definition.ts";
import type { Findings, Origin } from "../findings.ts";
import { type ForeignFolder, filesBelow, originOf, readObject, readText } from "../foreign-folder.ts";
import { takeHooks } from "../hooks.ts";
import { convertServers } from "../mcp-servers.ts";
import { nameTable } from "../name-table.ts";
import { modelRemedy, noteRest, noteSecret, noteUnsupported, takeSetting } from "../note-settings.ts";
import { convertCodexRules } from "../rules/codex-rules.ts";
import { readTomlFile } from "../toml/read-toml-file.ts";
import type { TomlTable } from "../toml/toml-table.ts";

const taken: ReadonlySet<string> = new Set([
  ...["model", "model_provider", "model_providers", "model_reasoning_effort", "mcp_servers", "hooks"],
]);

const remedies = nameTable({
  approval_policy: "Write rules in permissions, or choose a mode with --permission-mode.",
  sandbox_mode: "Turn on kedge's sandbox with kedge config set sandbox.mode on.",
  sandbox_workspace_write: "See sandbox.writable and sandbox.allowedHosts.",
  projects: "Trust a project with kedge trust add.",
});

const wires = nameTable({ chat: "openai-chat", responses: "openai-responses" });

/** kedge's `max` is the most a model can do. */
const efforts = nameTable({ none: "off", xhigh: "max" });

export async function readCodex(folder: ForeignFolder, findings: Findings): Promise<void> {
  const table = readTomlFile("config.toml", folder, findings);
  if (table !== undefined) readTable(table, { file: folder.shown(join(folder.path, "config.toml")) }, folder, findings);
  for (const { path } of filesBelow("rules", folder).filter(({ name }) => name.endsWith(".rules"))) {
    const source = readText(path, folder, findings);
    if (source !== undefined) convertCodexRules(source, folder.scope, originOf(path, folder), findings);
  }
  copyFolder({ name: "prompts", target: "commands", pattern: markdown }, folder, findings);
  copyFolder({ name: "skills", target: "skills" }, folder, findings);
  for (const { path, name } of filesBelow("agents", folder).filter((file) => file.name.endsWith(".toml"))) {
    writeAgent(name, path, folder, findings);
  }
  const read = await readObject("hooks.json", folder, findings);
  if (read !== undefined) {
    const from = { ...read.from, key: "hooks" };
    takeHooks(read.settings["hooks"] ?? {}, { dialect: "codex", layer: folder.scope, from }, findings);
  }
  if (folder.scope === "project") return;
  copyInstructions("AGENTS.md", "rules/codex.md", folder, findings);
  const signIn = join(folder.path, "auth.json");
  if (presenceOf(signIn) === "there") noteSecret(findings, originOf(signIn, folder), "openai");
}

function readTable(table: TomlTable, { file }: Origin, folder: ForeignFolder, findings: Findings): void {
  const layer = folder.scope;
  const { model, model_provider: provider = "openai", model_reasoning_effort: effort, mcp_servers: servers } = table;
  if (model !== undefined) {
    const from = { file, key: "model" };
    const isNamed = typeof model === "string" && typeof provider === "string";
    if (isNamed) takeSetting(findings, { layer, key: "model", value: `${provider}/${model}`, from });
    else noteUnsupported(findings, from, modelRemedy);
  }
  if (typeof effort === "string") {
    const from = { file, key: "model_reasoning_effort" };
    takeSetting(findings, { layer, key: "thinking.effort", value: efforts.get(effort) ?? effort, from });
  }
  const { model_providers: providers } = table;
  for (const [id, fields] of Object.entries(isJsonObject(providers) ? providers : {})) {
    takeProvider(id, fields, { file, key: `model_providers.${id}` }, folder, findings);
  }
  const from = { file, key: "mcp_servers" };
  if (servers !== undefined) convertServers(servers, { layer, from, folder, remoteType: "http" }, findings);
  const { hooks, features } = table;
  const isSwitched = isJsonObject(features) && [features["hooks"], features["codex_hooks"]].includes(false);
  if (hooks !== undefined)
    takeHooks(hooks, { dialect: "codex", layer, from: { file, key: "hooks" }, isSwitched }, findings);
  noteRest(findings, table, { file, taken, remedies });
}

function takeProvider(id: string, fields: unknown, from: Origin, folder: ForeignFolder, findings: Findings): void {
  if (!isJsonObject(fields) || /[.[\]"]/.test(id)) {
    noteUnsupported(findings, from);
    return;
  }
  const { base_url: baseURL, env_key: variable, wire_api: wire = "chat", name: _, ...rest } = fields;
  const take = (key: string, value: unknown) => {
    if (value !== undefined) {
      takeSetting(findings, { layer: folder.scope, key: `provider.${id}.${key}`, value, from });
    }
  };
  take("api", typeof wire === "string" ? (wires.get(wire) ?? wire) : wire);
  take("baseURL", baseURL);
  take("apiKey", typeof variable === "string" ? `{env:${variable}}` : undefined);
  for (const key of Object.keys(rest)) {
    const origin = { ...from, key: `${from.key}.${key}` };
    if (key.includes("token") || key.includes("header")) noteSecret(findings, origin, id);
    else noteUnsupported(findings, origin);
  }
}

function writeAgent(name: string, path: string, folder: ForeignFolder, findings: Findings): void {
  const table = readTomlFile(join("agents", name), folder, findings);
  if (table === undefined) return;
  const from = originOf(path, folder);
  const { developer_instructions: body = "", ...rest } = table;
  const { name: called = name.slice(0, -".toml".length), description, model, ...others } = rest;
  if (typeof body !== "string" || typeof called !== "string") {
    noteUnsupported(findings, from, undefined, "has no string in developer_instructions");
    return;
  }
  const fields = { name: called, description, model: typeof model === "string" ? `openai/${model}` : undefined };
  writeDefinition({ folder: "agents", name: called, fields, body, from }, folder, findings);
  for (const key of Object.keys(others)) noteUnsupported(findings, { ...from, key });
}
