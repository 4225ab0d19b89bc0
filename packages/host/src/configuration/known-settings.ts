/** Every setting kedge knows. Checking, explaining, the schema for editors and the table of the manual all start here. */
import { acpSettings } from "../acp-agents/acp-settings.ts";
import { agentSettings } from "../agents/agent-settings.ts";
import { codeSettings } from "../code/code-settings.ts";
import { collabSettings } from "../collab/collab-settings.ts";
import { extensionSettings } from "../extensions/extension-settings.ts";
import { formatterSettings } from "../formatters/formatter-settings.ts";
import { hookSettings } from "../hooks/hook-settings.ts";
import { instructionSettings } from "../instructions/instruction-settings.ts";
import { lspSettings } from "../lsp/lsp-settings.ts";
import { mcpSettings } from "../mcp/mcp-settings.ts";
import { memorySettings } from "../memory/memory-settings.ts";
import { retentionSettings } from "../retention/retention-settings.ts";
import { signInSettings } from "../sign-in/sign-in-settings.ts";
import { spendingSettings } from "../spending/spending-settings.ts";
import { storageSettings } from "../storage/storage-settings.ts";
import { teamSettings } from "../teams/team-settings.ts";
import { telemetrySettings } from "../telemetry/telemetry-settings.ts";
import { transcriptSettings } from "../transcripts/transcript-settings.ts";
import { worktreeSettings } from "../worktrees/worktree-settings.ts";
import { said, text } from "./checks.ts";
import { conversationSettings } from "./conversation-settings.ts";
import { envSettings } from "./env-settings.ts";
import { limitSettings } from "./limit-settings.ts";
import { modelSettings } from "./model-settings.ts";
import { networkSettings } from "./network-settings.ts";
import { permissionSettings } from "./permission-settings.ts";
import { redactionSettings } from "./redaction-settings.ts";
import { sandboxSettings } from "./sandbox-settings.ts";
import { serverSettings } from "./server-settings.ts";
import { allowed, type SettingDeclarations } from "./setting-declaration.ts";
import { sourceSettings } from "./source-settings.ts";
import { toolSearchSettings } from "./tool-search-settings.ts";
import { toolSettings } from "./tool-settings.ts";

export const knownSettings: SettingDeclarations = {
  $schema: {
    check: said("JSON Schema for editors.", text),
    project: allowed,
    counts: "at once",
  },
  ...modelSettings,
  ...networkSettings,
  ...signInSettings,
  ...permissionSettings,
  ...redactionSettings,
  ...sandboxSettings,
  ...envSettings,
  ...hookSettings,
  ...mcpSettings,
  ...toolSettings,
  ...lspSettings,
  ...formatterSettings,
  ...toolSearchSettings,
  ...worktreeSettings,
  ...collabSettings,
  ...conversationSettings,
  ...memorySettings,
  ...retentionSettings,
  ...storageSettings,
  ...transcriptSettings,
  ...limitSettings,
  ...spendingSettings,
  ...serverSettings,
  ...telemetrySettings,
  ...sourceSettings,
  ...instructionSettings,
  ...extensionSettings,
  ...codeSettings,
  ...agentSettings,
  ...teamSettings,
  ...acpSettings,
};

/** Names of settings whose lists are put together. */
export const unitedSettings: ReadonlySet<string> = new Set(
  Object.keys(knownSettings).filter((name) => knownSettings[name]?.arrays === "united"),
);
