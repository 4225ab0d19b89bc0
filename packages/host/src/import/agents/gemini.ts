/** Reads a set-up of Gemini CLI: `.gemini` of a user or a project. */

import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { presenceOf, type Settings } from "../../configuration/setting-file.ts";
import { copyFolder, copyInstructions, markdown } from "../definitions/copy-definitions.ts";
import { writeGeminiCommands } from "../definitions/gemini-command.ts";
import type { Findings, Origin } from "../findings.ts";
import { type ForeignFolder, filesBelow, originOf, readObject } from "../foreign-folder.ts";
import { takeHooks } from "../hooks.ts";
import { convertServers } from "../mcp-servers.ts";
import { nameTable } from "../name-table.ts";
import { modelRemedy, noteRest, noteSecret, noteUnsupported, takeSetting } from "../note-settings.ts";
import { convertPolicies, convertToolList, policiesOf } from "../rules/gemini-rules.ts";
import { readTomlFile } from "../toml/read-toml-file.ts";

const taken: ReadonlySet<string> = new Set([
  ...["tools.allowed", "tools.exclude", "allowedTools", "excludeTools", "model", "model.name"],
  ...["general.defaultApprovalMode", "mcpServers", "hooks", "hooksConfig"],
]);

const remedies = nameTable({
  "tools.core": "Start kedge with --tools.",
  context: "Start kedge with --add-dir for directories; kedge reads GEMINI.md and AGENTS.md automatically.",
  security: "Sign in with kedge auth login google.",
  "tools.sandbox": "Turn on kedge's sandbox with kedge config set sandbox.mode on.",
});

const modes = nameTable({ default: "default", auto_edit: "accept-edits", plan: "plan" });

export async function readGemini(folder: ForeignFolder, findings: Findings): Promise<void> {
  const read = await readObject("settings.json", folder, findings, { holdsRules: true });
  if (read !== undefined) readSettingsOf(read.settings, read.from, folder, findings);
  const policies = filesBelow("policies", folder)
    .filter(({ name }) => name.endsWith(".toml"))
    .flatMap(({ path, name }) => {
      const table = readTomlFile(`policies/${name}`, folder, findings);
      if (table === undefined) findings.lostRules.push({ layer: folder.scope, permission: "*", head: "" });
      return policiesOf(table, originOf(path, folder));
    });
  convertPolicies(policies, folder.scope, findings);
  writeGeminiCommands(folder, findings);
  copyFolder({ name: "skills", target: "skills" }, folder, findings);
  copyFolder({ name: "agents", target: "agents", pattern: markdown }, folder, findings);
  copyInstructions("GEMINI.md", "rules/gemini.md", folder, findings);
  const extensions = join(folder.path, "extensions");
  if (presenceOf(extensions) === "there") noteUnsupported(findings, originOf(extensions, folder));
  for (const name of [".env", "oauth_creds.json"]) {
    const path = join(folder.path, name);
    if (presenceOf(path) === "there") noteSecret(findings, originOf(path, folder), "google");
  }
}

function readSettingsOf(settings: Settings, { file }: Origin, folder: ForeignFolder, findings: Findings): void {
  const layer = folder.scope;
  const tools = isJsonObject(settings["tools"]) ? settings["tools"] : {};
  for (const [key, list, action] of [
    ["tools.allowed", tools["allowed"], "allow"],
    ["tools.exclude", tools["exclude"], "deny"],
    ["allowedTools", settings["allowedTools"], "allow"],
    ["excludeTools", settings["excludeTools"], "deny"],
  ] as const) {
    if (list !== undefined) convertToolList(list, action, { layer, from: { file, key } }, findings);
  }
  takeModel(settings["model"], { file, key: "model" }, folder, findings);
  takeMode(settings["general"], { file, key: "general.defaultApprovalMode" }, folder, findings);
  const { mcpServers, hooks } = settings;
  const from = { file, key: "mcpServers" };
  if (mcpServers !== undefined) convertServers(mcpServers, { layer, from, folder, remoteType: "sse" }, findings);
  if (hooks !== undefined) {
    const isSwitched = settings["hooksConfig"] !== undefined;
    takeHooks(hooks, { dialect: "gemini", layer, from: { file, key: "hooks" }, isSwitched }, findings);
  }
  noteRest(findings, settings, { file, taken, remedies });
}

/** A plain text in older versions. */
function takeModel(model: unknown, from: Origin, { scope }: ForeignFolder, findings: Findings): void {
  const name = isJsonObject(model) ? model["name"] : model;
  if (name === undefined) return;
  const isId = typeof name === "string" && /^gemini-[\w.-]+$/.test(name);
  if (isId) takeSetting(findings, { layer: scope, key: "model", value: `google/${name}`, from });
  else noteUnsupported(findings, from, modelRemedy, "is not the id of one model");
}

function takeMode(general: unknown, from: Origin, { scope }: ForeignFolder, findings: Findings): void {
  const mode = isJsonObject(general) ? general["defaultApprovalMode"] : undefined;
  if (mode === undefined) return;
  const ours = typeof mode === "string" ? modes.get(mode) : undefined;
  if (ours !== undefined) takeSetting(findings, { layer: scope, key: "permissionMode", value: ours, from });
  else noteUnsupported(findings, from, "Choose a mode for one run with --permission-mode.");
}
