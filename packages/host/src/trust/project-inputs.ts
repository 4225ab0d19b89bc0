/** What a repository brings that would steer kedge or run: found by name, known by content, never loaded here. */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { withImports } from "@kedge/extend/tools";
import { includedFiles } from "@kedge/memory/instructions";
import { isJsonObject } from "@kedge/protocol";
import { readSettingsText } from "../configuration/read-settings-text.ts";
import { isYaml, parseSettings, settingFormats } from "../configuration/setting-file.ts";
import { gitConfigsOf, gitProgramOf } from "./git-programs.ts";
import { hookScripts } from "./hook-scripts.ts";
import { isTracked } from "./tracked-file.ts";

export type ProjectInput = {
  /** Relative to the root, with forward slashes. */
  readonly name: string;
  /** What it would bring, in a word or two. */
  readonly kind: string;
  /** Of its content, for a link of that of its target too. */
  readonly hash: string;
  /**
   * True for a text that instructs and does nothing else: it needs trust, but the team may change it afterwards. What an
   * agent wrote into it is recorded elsewhere.
   */
  readonly isText?: true;
};

type Place = { readonly path: string; readonly kind: string };

/** Files of a project that the configuration is read from. */
export const projectSettingNames: readonly string[] = ["kedge", ".kedge/config", ".kedge/config.local"].flatMap(
  (stem) => settingFormats.map((format) => `${stem}.${format}`),
);

/** Its entries are servers by name. */
const serversFile = ".lsp.json";

/** Whether a project brings a file of servers that kedge would start after trust. */
export function bringsServers(root: string): boolean {
  return [".mcp.json", ".claude/mcp.json", serversFile].some((path) => existsSync(join(root, path)));
}

/** What instructs the model after trust, as it is at the time. */
const textKind = "instructions";

const files: readonly Place[] = [
  ...projectSettingNames.map((path) => ({ path, kind: "settings" })),
  { path: ".mcp.json", kind: "MCP servers" },
  { path: serversFile, kind: "language servers" },
  { path: ".claude/mcp.json", kind: "MCP servers" },
  { path: "opencode.json", kind: "settings" },
  { path: "opencode.jsonc", kind: "settings" },
  { path: ".opencode/opencode.json", kind: "settings" },
  { path: ".opencode/opencode.jsonc", kind: "settings" },
  { path: ".claude/settings.json", kind: "settings and hooks" },
  { path: ".claude/settings.local.json", kind: "settings and hooks" },
  { path: ".codex/config.toml", kind: "settings" },
  { path: ".codex/hooks.json", kind: "hooks" },
  { path: ".gemini/settings.json", kind: "settings" },
  { path: ".github/copilot/settings.json", kind: "settings and hooks" },
  { path: ".github/copilot/settings.local.json", kind: "settings and hooks" },
  { path: ".vscode/mcp.json", kind: "MCP servers" },
  { path: ".cursor/mcp.json", kind: "MCP servers" },
  { path: ".envrc", kind: "environment" },
  ...[
    ...["AGENTS.md", "CLAUDE.md", "GEMINI.md", "KEDGE.md", "CONTEXT.md"],
    ...[".kedge/KEDGE.md", ".kedge/AGENTS.md", ".kedge/RULES.md", ".claude/CLAUDE.md", ".gemini/GEMINI.md"],
    ...[".agent/AGENTS.md", ".agents/AGENTS.md", ".omp/AGENTS.md", ".omp/RULES.md", ".pi/AGENTS.md"],
    ".github/copilot-instructions.md",
  ].map((path) => ({ path, kind: textKind })),
  ...[".kedge", ".omp"].flatMap((folder) =>
    ["SYSTEM.md", "APPEND_SYSTEM.md", "TITLE_SYSTEM.md"].map((name) => ({
      path: `${folder}/${name}`,
      kind: "system prompt",
    })),
  ),
];

/** One developer's own; what git tracks is the project's. */
const localFiles: readonly string[] = ["AGENTS.local.md", "CLAUDE.local.md", "KEDGE.local.md"];

/** Code that runs after trust: what lies in folders for it, and what that imports. */
const codeKinds = {
  tools: "custom tools",
  plugins: "plugins",
  workflows: "workflows",
  imported: "code import",
} as const;
export const codeInputKinds: ReadonlySet<string> = new Set(Object.values(codeKinds));

const kindsOfFolder: { readonly [folder: string]: string } = {
  hooks: "hooks",
  agents: "agents",
  agent: "agents",
  commands: "commands",
  command: "commands",
  skills: "skills",
  skill: "skills",
  prompts: "commands",
  "output-styles": "output styles",
  tools: codeKinds.tools,
  tool: codeKinds.tools,
  rules: textKind,
  "team-memory": "team memory",
  plugins: codeKinds.plugins,
  plugin: codeKinds.plugins,
  workflows: codeKinds.workflows,
};

const agentFolders: readonly string[] = [
  ...[".kedge", ".claude", ".opencode", ".codex", ".gemini", ".omp", ".pi", ".agents", ".agent"],
];
/** Those of omp hold code in two more places. */
const ompFolders: ReadonlySet<string> = new Set([".omp", ".pi"]);
const codeFile = /\.[cm]?[jt]s$/;
/** Of a folder that holds much else. */
const githubFolders: readonly (readonly [path: string, kind: string])[] = [
  [".github/instructions", textKind],
  [".github/hooks", "hooks"],
  [".github/skills", "skills"],
  [".github/agents", "agents"],
  [".github/prompts", "commands"],
];

/** A repository with more is not one that a person could look through. */
const filesMax = 1_000;
const depthMax = 6;
const bytesMax = 4 * 1024 * 1024;

export function collectProjectInputs(root: string): readonly ProjectInput[] {
  const inputs: ProjectInput[] = [];
  const add = (name: string, kind: string) => {
    const hash = inputs.length < filesMax ? hashOf(join(root, name), root) : undefined;
    if (hash !== undefined) inputs.push({ name, kind, hash, ...(kind === textKind && { isText: true as const }) });
  };
  const mayHave = namesAt(root);
  for (const { path, kind } of files) if (mayHave(path)) add(path, kind);
  for (const path of localFiles)
    if (mayHave(path) && existsSync(join(root, path)) && isTracked(root, path)) add(path, textKind);
  for (const [folder, kind] of githubFolders)
    for (const path of mayHave(folder) ? filesBelow(root, folder, 0) : []) add(path, kind);
  const instructions = inputs.filter(({ isText }) => isText).map(({ name }) => join(root, name));
  for (const path of includedFiles(instructions, { root, home: root })) {
    const name = relative(root, path);
    if (!inputs.some((input) => input.name === name)) add(name, "instruction include");
  }
  const configurations = inputs.filter(({ kind }) => /settings|hooks/.test(kind)).map(({ name }) => name);
  for (const name of hookScripts(root, configurations)) {
    if (!inputs.some((input) => input.name === name)) add(name, "hook script");
  }
  const program = gitProgramOf(root);
  if (program !== undefined) {
    // A linked worktree and a submodule have a file that says where their configuration lies.
    for (const path of [join(root, ".git"), ...gitConfigsOf(root)])
      add(relative(root, path), `git runs programs: ${program}`);
  }
  for (const folder of agentFolders.filter(mayHave)) {
    for (const entry of entriesOf(join(root, folder))) {
      const isOmp = ompFolders.has(folder);
      const kind = isOmp && entry.name === "extensions" ? codeKinds.plugins : kindsOfFolder[entry.name];
      if (kind === undefined) continue;
      const kindOf = (file: string) => (isOmp && kind === "hooks" && codeFile.test(file) ? codeKinds.plugins : kind);
      if (entry.isDirectory())
        for (const file of filesBelow(root, `${folder}/${entry.name}`, 0)) add(file, kindOf(file));
      else add(`${folder}/${entry.name}`, kind);
    }
  }
  const code = inputs.filter(({ kind }) => codeInputKinds.has(kind)).map(({ name }) => join(root, name));
  for (const path of code.length === 0 ? [] : withImports(code, root)) {
    const name = relative(root, path);
    if (!inputs.some((input) => input.name === name)) add(name, codeKinds.imported);
  }
  return inputs;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range begins with control characters
const anyUnusual = /[^\u0000-\u007f]/;

/** Whether a path may lead to something: one look at the root spares a hundred at what is not there. */
function namesAt(root: string): (path: string) => boolean {
  try {
    const listed = readdirSync(root);
    // Some file systems find a plain name by other letters, or by a name with hidden characters in it.
    if (anyUnusual.test(listed.join("/"))) return () => true;
    const names = new Set(listed.map((name) => name.toLowerCase()));
    return (path) => names.has((path.split("/", 1)[0] ?? path).toLowerCase());
  } catch {
    // A directory may be entered and not listed.
    return () => true;
  }
}

/** The servers, hooks and rules that a person should see by name before saying yes. */
export async function describeInput(root: string, { name, kind }: ProjectInput): Promise<string> {
  const named = /\.(?:jsonc?|ya?ml)$/.test(name) ? await namesIn(join(root, name)) : [];
  return named.length === 0 ? kind : `${kind}: ${named.join(", ")}`;
}

const shownKeys: readonly string[] = [
  "mcpServers",
  "servers",
  "mcp",
  "hooks",
  "plugin",
  "plugins",
  "permission",
  "permissions",
  "env",
  "instructions",
];
const namesMax = 12;

/** As the settings are read later, in whatever form they are written. */
async function settingsIn(path: string): Promise<unknown> {
  const read = readSettingsText(path);
  if (!read.ok) return undefined;
  if (isYaml(path)) {
    const parsed = await parseSettings(read.text, path);
    return parsed.ok ? parsed.value : undefined;
  }
  // Patient with mistakes: what is named in a broken file is shown as well.
  return (await import("jsonc-parser")).parse(read.text, [], { allowTrailingComma: true });
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    const value = await settingsIn(path);
    if (!isJsonObject(value)) return [];
    if (basename(path) === serversFile) return Object.keys(value).slice(0, namesMax);
    return shownKeys.flatMap((key) => namesOf(value[key]).map((each) => `${key} ${each}`)).slice(0, namesMax);
  } catch {
    // It is shown by its kind alone; whoever loads it later says what is wrong with it.
    return [];
  }
}

/** The keys of an object, the texts of a list. */
function namesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((each) => typeof each === "string");
  return isJsonObject(value) ? Object.keys(value) : [];
}

function filesBelow(root: string, folder: string, depth: number): readonly string[] {
  if (depth > depthMax) return [];
  return entriesOf(join(root, folder)).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, name, depth + 1) : [name];
  });
}

/** In a fixed order. A folder that cannot be read brings nothing. */
function entriesOf(directory: string) {
  try {
    const entries = lstatSync(directory, { throwIfNoEntry: false })?.isDirectory()
      ? readdirSync(directory, { withFileTypes: true })
      : [];
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Undefined when there is none. What is no plain file, or too large, changes with its size and time. */
function hashOf(path: string, root: string): string | undefined {
  const stats = statsOf(path);
  if (stats === undefined || stats.isDirectory()) return undefined;
  const hash = createHash("sha256");
  try {
    // What is loaded through a link is what lies behind it; outside of the project nothing is loaded.
    if (stats.isSymbolicLink()) {
      const target = realpathSync.native(path);
      hash.update(`link to ${target}\n`);
      return target.startsWith(root + sep) && statSync(target).isFile()
        ? hash.update(readFileSync(target)).digest("hex")
        : hash.digest("hex");
    }
    if (stats.isFile() && stats.size <= bytesMax) return hash.update(readFileSync(path)).digest("hex");
  } catch {
    // Unreadable now; if it can be read later, its hash differs.
  }
  return hash.update(`${stats.mode} ${stats.size} ${stats.mtimeMs}`).digest("hex");
}

/** A file in the place of a directory is none of those that are looked for below it. */
function statsOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
