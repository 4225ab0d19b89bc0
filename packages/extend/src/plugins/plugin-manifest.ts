/** What a plugin says of itself, in the form of kedge, Claude Code, Codex, Gemini CLI or GitHub Copilot. */
import type { JsonObject } from "@kedge/protocol";
import type { DialectId } from "../hooks/dialects/dialect.ts";

/** The folder that holds the manifest, the strongest first, and whose names its hooks use. */
export const manifestFolders = [
  { folder: ".kedge-plugin", dialect: "kedge" },
  { folder: ".claude-plugin", dialect: "claude" },
  { folder: ".codex-plugin", dialect: "codex" },
  { folder: ".plugin", dialect: "copilot" },
  { folder: ".github/plugin", dialect: "copilot" },
] as const satisfies readonly { readonly folder: string; readonly dialect: DialectId }[];

/** Those that lie beside what the plugin brings. */
export const rootManifests = [
  { file: "gemini-extension.json", dialect: "gemini" },
  { file: "plugin.json", dialect: "codex" },
] as const satisfies readonly { readonly file: string; readonly dialect: DialectId }[];

export type ManifestDialect = (typeof manifestFolders | typeof rootManifests)[number]["dialect"];

/** What code of a plugin may do, in words for a person: only what it declares. */
export const codeRights: { readonly [capability: string]: string } = {
  tools: "add tools",
  events: "see what happens in sessions",
  calls: "see and change tool calls",
  prompts: "see and change prompts",
  requests: "change requests to models",
  environment: "set variables of commands",
  recall: "replace what memory recalls",
  permissions: "ask about tool calls and deny them",
  "system-prompt": "change the system prompt",
  credentials: "see all variables of your environment, secrets included",
};

/** What a plugin may declare to bring or to do. */
export const capabilityNames: readonly string[] = [
  ...["skills", "commands", "agents", "output-styles", "hooks", "mcp", "lsp", "programs"],
  ...Object.keys(codeRights),
];

/** A value that the user is to give. */
export type PluginOption = {
  readonly key: string;
  readonly title: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly otherwise?: string;
};

export type PluginDependency = { readonly name: string; readonly version?: string; readonly marketplace?: string };

export type PluginManifest = {
  readonly dialect: ManifestDialect;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  /** The versions of kedge that it is for. */
  readonly kedge?: string;
  /** Undefined where it declares none: then whatever it brings counts, except for code. */
  readonly capabilities?: readonly string[];
  readonly isEnabledAtFirst: boolean;
  /** Beside the usual folder. */
  readonly skills: readonly string[];
  /** In the place of the usual folder. */
  readonly commands?: readonly string[];
  readonly agents?: readonly string[];
  readonly styles?: readonly string[];
  /** Files or the values themselves, beside the usual file. */
  readonly hooks: readonly (string | JsonObject)[];
  readonly mcpServers: readonly (string | JsonObject)[];
  readonly lspServers: readonly (string | JsonObject)[];
  /** Files of code, beside the usual folders. */
  readonly code: readonly string[];
  readonly options: readonly PluginOption[];
  readonly dependencies: readonly PluginDependency[];
};

/** Of a plugin that has none: everything lies in its usual place. */
export function manifestOf(name: string): PluginManifest {
  return {
    dialect: "claude",
    name,
    isEnabledAtFirst: true,
    skills: [],
    hooks: [],
    mcpServers: [],
    lspServers: [],
    code: [],
    options: [],
    dependencies: [],
  };
}
