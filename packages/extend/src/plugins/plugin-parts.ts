/** What a plugin brings, found once in its directory: plain data that says everything a session needs to load it. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import { isHookEvent } from "../hooks/hook-events.ts";
import { namesIn } from "../names-in.ts";
import { readJsonFile } from "./json-file.ts";
import { codeRights, type PluginManifest } from "./plugin-manifest.ts";
import { readServers, type ServerKind, type Servers } from "./server-files.ts";

/** Paths are below the directory of the plugin. */
export type PluginParts = {
  /** Folders of skills, or of one skill. */
  readonly skills: readonly string[];
  /** Folders or files. */
  readonly commands: readonly string[];
  readonly agents: readonly string[];
  readonly styles: readonly string[];
  /** `file` says where they stand. */
  readonly hooks: readonly { readonly file: string; readonly hooks: JsonObject }[];
  readonly mcpServers: Servers;
  readonly lspServers: Servers;
  /** Files of JavaScript or TypeScript that kedge would run. */
  readonly code: readonly string[];
  /** Names of what lies in `bin/`. */
  readonly programs: readonly string[];
};

/** A sentence without a full stop, about a file of the plugin. */
export type PartProblem = { readonly file: string; readonly line: number; readonly why: string };

export type FoundParts = { readonly parts: PluginParts; readonly problems: readonly PartProblem[] };

/** Nothing outside of `root` is read. What a manifest declares not to bring is not taken. */
export async function findParts(root: string, manifest: PluginManifest): Promise<FoundParts> {
  const problems: PartProblem[] = [];
  const manifestName = "plugin.json";
  const existing = (paths: readonly string[]) =>
    [...new Set(paths)].filter((path) => {
      const isThere = kindOf(join(root, path)) !== "none";
      if (!isThere) problems.push({ file: manifestName, line: 1, why: `it refers to ${path}, which does not exist` });
      return isThere;
    });
  const usual = (folder: string) => (kindOf(join(root, folder)) === "directory" ? [folder] : []);
  // Plugins of Codex and Copilot may also have the names without folder and dot.
  const isPortable = manifest.dialect === "codex" || manifest.dialect === "copilot";
  const portable = (...files: readonly string[]) =>
    isPortable ? files.filter((file) => kindOf(join(root, file)) === "file") : [];
  const alone = kindOf(join(root, "SKILL.md")) === "file" && usual("skills").length === 0 ? ["."] : [];
  const servers = (kind: ServerKind, file: string, given: readonly (string | JsonObject)[]) =>
    findServers(root, { kind, file, given, problems });
  const { capabilities } = manifest;
  // Code does what nobody can see from outside, so it needs a word about it.
  const isDeclared = (name: string) =>
    name === "code"
      ? capabilities?.some((each) => Object.hasOwn(codeRights, each)) === true
      : capabilities?.includes(name) !== false;
  const take = <Value>(name: string, found: Value, none: Value): Value => {
    if (isDeclared(name) || JSON.stringify(found) === JSON.stringify(none)) return found;
    problems.push({
      file: manifestName,
      line: 1,
      why: `it contains ${name} without declaring it; not loaded`,
    });
    return none;
  };
  const parts: PluginParts = {
    skills: take("skills", [...new Set([...usual("skills"), ...alone, ...existing(manifest.skills)])], []),
    commands: take("commands", manifest.commands === undefined ? usual("commands") : existing(manifest.commands), []),
    agents: take("agents", manifest.agents === undefined ? usual("agents") : existing(manifest.agents), []),
    styles: take(
      "output-styles",
      manifest.styles === undefined ? usual("output-styles") : existing(manifest.styles),
      [],
    ),
    hooks: take(
      "hooks",
      await findHooks(root, [...new Set([...portable("hooks.json"), ...manifest.hooks])], problems),
      [],
    ),
    mcpServers: take(
      "mcp",
      await servers("mcp", ".mcp.json", [...portable("mcp.json", ".github/mcp.json"), ...manifest.mcpServers]),
      {},
    ),
    lspServers: take(
      "lsp",
      await servers("lsp", ".lsp.json", [...portable("lsp.json", ".github/lsp.json"), ...manifest.lspServers]),
      {},
    ),
    code: take("code", findCode(root, manifest, existing), []),
    programs: take("programs", namesIn(join(root, "bin")), []),
  };
  return { parts, problems };
}

/** `{"hooks": {…}}`, or the events alone. */
export function hooksIn(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { hooks } = value;
  // Parsed from JSON, so it holds nothing else.
  if (isJsonObject(hooks)) return hooks as JsonObject;
  return Object.keys(value).some(isHookEvent) ? (value as JsonObject) : undefined;
}

async function findHooks(root: string, given: PluginManifest["hooks"], problems: PartProblem[]) {
  const usual = "hooks/hooks.json";
  const found: { readonly file: string; readonly hooks: JsonObject }[] = [];
  // A manifest that names the usual file once more must not make its hooks run twice.
  const files = new Set([...(kindOf(join(root, usual)) === "file" ? [usual] : []), ...given.filter(isPath)]);
  for (const file of files) {
    const read = await readJsonFile(join(root, file), root);
    const hooks = read.ok ? hooksIn(read.value) : undefined;
    if (hooks !== undefined) found.push({ file, hooks });
    else problems.push(problemIn(file, read, "it has no hooks"));
  }
  for (const value of given) {
    const hooks = isPath(value) ? undefined : hooksIn(value);
    if (hooks !== undefined) found.push({ file: "plugin.json", hooks });
  }
  return found;
}

type ServerSearch = {
  readonly kind: ServerKind;
  readonly file: string;
  readonly given: readonly (string | JsonObject)[];
  readonly problems: PartProblem[];
};

/** The first of a name wins. */
async function findServers(root: string, { kind, file, given, problems }: ServerSearch): Promise<Servers> {
  const values: (readonly [file: string, value: unknown])[] = [];
  const files = new Set([...(kindOf(join(root, file)) === "file" ? [file] : []), ...given.filter(isPath)]);
  for (const path of files) {
    const read = await readJsonFile(join(root, path), root);
    if (read.ok) values.push([path, read.value]);
    else problems.push(problemIn(path, read, ""));
  }
  for (const value of given) if (!isPath(value)) values.push(["plugin.json", value]);
  const found: Record<string, JsonObject> = {};
  for (const [where, value] of values) {
    const read = readServers(value, kind);
    for (const { why } of read.problems) problems.push({ file: where, line: 1, why });
    for (const [name, server] of Object.entries(read.servers)) found[name] ??= server;
  }
  return found;
}

function problemIn(file: string, read: Awaited<ReturnType<typeof readJsonFile>>, otherwise: string): PartProblem {
  if (read.ok) return { file, line: 1, why: otherwise };
  return read.isMissing ? { file, line: 1, why: "it does not exist" } : { file, line: read.line, why: read.why };
}

const codeName = /\.[cm]?[jt]s$/;

/** Folders of other agents' plugins may be called the same and hold something else. */
function findCode(
  root: string,
  { dialect, code }: PluginManifest,
  existing: (paths: readonly string[]) => readonly string[],
) {
  const usual = dialect === "kedge" ? ["tools", "code"].filter((name) => kindOf(join(root, name)) === "directory") : [];
  const files = [...usual, ...existing(code)].flatMap((path) => {
    if (kindOf(join(root, path)) === "file") return [path];
    return namesIn(join(root, path)).map((name) => `${path}/${name}`);
  });
  return [...new Set(files)].filter((path) => codeName.test(path) && !path.endsWith(".d.ts"));
}

function isPath(value: string | JsonObject): value is string {
  return typeof value === "string";
}

function kindOf(path: string): "file" | "directory" | "none" {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return "none";
    return stats.isDirectory() ? "directory" : "file";
  } catch {
    // What cannot be looked at holds nothing for us.
    return "none";
  }
}
