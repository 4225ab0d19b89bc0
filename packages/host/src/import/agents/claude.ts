/** Reads a set-up of Claude Code: `.claude` of a user or a project, and the MCP servers beside it. */

import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { presenceOf, type Settings } from "../../configuration/setting-file.ts";
import { copyFolder, copyInstructions, markdown } from "../definitions/copy-definitions.ts";
import type { Findings, ImportLayer, Origin } from "../findings.ts";
import { type ForeignFolder, readObject } from "../foreign-folder.ts";
import { takeHooks } from "../hooks.ts";
import { convertServers } from "../mcp-servers.ts";
import { nameTable } from "../name-table.ts";
import { modelRemedy, noteRest, noteSecret, noteUnsupported, noteVariables, takeSetting } from "../note-settings.ts";
import { convertClaudeRules } from "../rules/claude-rules.ts";

const modes = nameTable({
  default: "default",
  acceptEdits: "accept-edits",
  plan: "plan",
  auto: "auto",
});

const taken: ReadonlySet<string> = new Set([
  ...["permissions.allow", "permissions.ask", "permissions.deny", "permissions.defaultMode"],
  ...["model", "env", "hooks", "effortLevel", "outputStyle", "apiKeyHelper", "disableAllHooks"],
]);

const remedies = nameTable({
  "permissions.additionalDirectories": "Start kedge with --add-dir.",
  sandbox: "Turn on kedge's sandbox with kedge config set sandbox.mode on.",
});

const logins = nameTable({ ANTHROPIC: "anthropic", CLAUDE: "anthropic", OPENAI: "openai", GEMINI: "google" });

export async function readClaude(folder: ForeignFolder, findings: Findings): Promise<void> {
  const isUser = folder.scope === "user";
  await readFile("settings.json", isUser ? "user" : "project", folder, findings);
  if (!isUser) await readFile("settings.local.json", "local", folder, findings);
  copyFolder({ name: "commands", target: "commands", pattern: markdown }, folder, findings);
  copyFolder({ name: "skills", target: "skills" }, folder, findings);
  copyFolder({ name: "agents", target: "agents", pattern: markdown }, folder, findings);
  copyFolder({ name: "output-styles", target: "output-styles", pattern: markdown }, folder, findings);
  copyFolder({ name: "rules", target: "rules", pattern: markdown }, folder, findings);
  copyInstructions("CLAUDE.md", "rules/claude.md", folder, findings);
  keepOwnStyle(findings);
  if (isUser) await readUserServers(folder, findings);
  else await readServers(join("..", ".mcp.json"), folder, findings);
}

async function readFile(name: string, layer: ImportLayer, folder: ForeignFolder, findings: Findings): Promise<void> {
  const read = await readObject(name, folder, findings, { holdsRules: true });
  if (read === undefined) return;
  const { settings, from } = read;
  const { file } = from;
  const { permissions, hooks, effortLevel, outputStyle, disableAllHooks } = settings;
  if (permissions !== undefined) {
    convertClaudeRules(permissions, layer, from, findings);
    if (isJsonObject(permissions)) takeMode(permissions["defaultMode"], layer, from, findings);
  }
  takeModel(settings, layer, from, findings);
  if (effortLevel !== undefined) {
    const origin = { file, key: "effortLevel" };
    takeSetting(findings, { layer, key: "thinking.effort", value: effortLevel, from: origin });
  }
  if (outputStyle !== undefined) {
    takeSetting(findings, { layer, key: "outputStyle", value: outputStyle, from: { file, key: "outputStyle" } });
  }
  if (disableAllHooks !== undefined) {
    takeSetting(findings, {
      layer,
      key: "disableAllHooks",
      value: disableAllHooks,
      from: { file, key: "disableAllHooks" },
    });
  }
  if (hooks !== undefined) takeHooks(hooks, { dialect: "claude", layer, from: { file, key: "hooks" } }, findings);
  if (settings["apiKeyHelper"] !== undefined) noteSecret(findings, { file, key: "apiKeyHelper" }, "anthropic");
  noteVariables(findings, settings["env"], { file, key: "env", logins });
  noteRest(findings, settings, { file, taken, remedies });
}

/** A style that comes along; those that are built in there are not. */
function keepOwnStyle({ settings, files, notes }: Findings): void {
  const at = settings.findIndex(({ path: [key] }) => key === "outputStyle");
  const style = settings[at];
  if (style === undefined || files.some(({ target }) => target === `output-styles/${style.value}.md`)) return;
  settings.splice(at, 1);
  notes.push({ ...style.from, kind: "unsupported", why: "refers to a style that was not found" });
}

function takeMode(mode: unknown, layer: ImportLayer, { file }: Origin, findings: Findings): void {
  if (mode === undefined) return;
  const from = { file, key: "permissions.defaultMode" };
  const ours = typeof mode === "string" ? modes.get(mode) : undefined;
  if (ours !== undefined) takeSetting(findings, { layer, key: "permissionMode", value: ours, from });
  else noteUnsupported(findings, from, "Choose a mode for one run with --permission-mode.");
}

/** The ids of Anthropic's own service; a short name means another model with every release. */
function takeModel({ model }: Settings, layer: ImportLayer, { file }: Origin, findings: Findings): void {
  if (model === undefined) return;
  const from = { file, key: "model" };
  const isId = typeof model === "string" && /^claude-[\w.-]+$/.test(model);
  if (isId) takeSetting(findings, { layer, key: "model", value: `anthropic/${model}`, from });
  else noteUnsupported(findings, from, modelRemedy, "is not the id of one model");
}

async function readServers(name: string, folder: ForeignFolder, findings: Findings): Promise<void> {
  const read = await readObject(name, folder, findings);
  if (read === undefined) return;
  const layer = folder.scope;
  const from = { ...read.from, key: "mcpServers" };
  convertServers(read.settings["mcpServers"] ?? {}, { layer, from, folder, remoteType: "http" }, findings);
}

/** `~/.claude.json` holds a sign-in and much else; only its servers are looked at. */
async function readUserServers(folder: ForeignFolder, findings: Findings): Promise<void> {
  const name = join("..", ".claude.json");
  if (presenceOf(join(folder.path, name)) === "there") await readServers(name, folder, findings);
}
