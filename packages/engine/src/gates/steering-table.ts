/** The names by which agents find text that instructs them, all in lower case. */

/** In any folder. */
export const steeringNames: ReadonlySet<string> = new Set([
  "kedge.md",
  "kedge.local.md",
  "agents.md",
  "agents.local.md",
  "agents.override.md",
  "claude.md",
  "claude.local.md",
  "gemini.md",
  "system.md",
  "append_system.md",
  "title_system.md",
  "rules.md",
  "skill.md",
  ".cursorrules",
  ".windsurfrules",
  ".clinerules",
  ".roorules",
]);

/** In any folder, but only as written here: in lower case it is the name of many an ordinary document. */
export const steeringNamesAsWritten: ReadonlySet<string> = new Set(["CONTEXT.md"]);

/** Names of ordinary documents, which count only in a folder of the next table. */
export const namesOfOwnFolders: ReadonlySet<string> = new Set([
  "system.md",
  "append_system.md",
  "title_system.md",
  "rules.md",
  "skill.md",
]);

const ownKinds = [
  "agents",
  "agent",
  "commands",
  "command",
  "skills",
  "rules",
  "tools",
  "tool",
  "hooks",
  "prompts",
  "instructions",
  "output-styles",
  "modes",
  "extensions",
  "plugins",
  "plugin",
  "workflows",
];

const settingsNames = ["settings.json", "settings.local.json", "config.toml", "config.json", "mcp.json"];

const ownSettingsNames = ["config", "config.local", "kedge"].flatMap((name) =>
  ["json", "jsonc", "yml", "yaml"].map((kind) => `${name}.${kind}`),
);

/** Folders of agents, at any depth and in the home, with the entries whose content steers; a folder with all below it. */
export const steeringFolders: ReadonlyMap<string, ReadonlySet<string>> = new Map<string, ReadonlySet<string>>([
  [".kedge", new Set([...ownKinds, ...settingsNames, ...ownSettingsNames])],
  [".claude", new Set([...ownKinds, ...settingsNames])],
  [".codex", new Set([...ownKinds, ...settingsNames])],
  [".gemini", new Set([...ownKinds, ...settingsNames, "system.toml"])],
  [".opencode", new Set([...ownKinds, ...settingsNames, "opencode.json", "opencode.jsonc"])],
  [".omp", new Set([...ownKinds, ...settingsNames, "config.yml"])],
  [".pi", new Set([...ownKinds, ...settingsNames, "config.yml"])],
  [".agent", new Set(ownKinds)],
  [".agents", new Set(ownKinds)],
  [".cursor", new Set(["rules", "commands", "agents", "hooks.json", "mcp.json"])],
  [".windsurf", new Set(["rules", "workflows"])],
  [".clinerules", new Set(["*"])],
  [".roo", new Set(["rules", "commands"])],
  [".github", new Set(["copilot-instructions.md", "instructions", "prompts", "agents", "chatmodes", "skills"])],
]);

/** Below `.config` of the home, the same folders without the dot. */
export const configFolders: ReadonlySet<string> = new Set(["kedge", "opencode", "claude", "codex", "gemini"]);
