/**
 * Tries everything below a folder that kedge could load: definitions, hooks, manifests, catalogues and servers. Each
 * loads, loads with a note, or is refused with the line and a remedy; nothing is run, and none stops the others.
 */
import { type Dirent, readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { DefinitionKind } from "../definitions/definition.ts";
import { makeDefinition } from "../definitions/make-definition.ts";
import { readDefinitionFile } from "../definitions/read-definition-file.ts";
import { type Checked, checkJson, type JsonKind } from "./validate-json.ts";

export type ValidatedKind = DefinitionKind | JsonKind;

export type ValidatedFile = {
  readonly kind: ValidatedKind;
  /** Below the folder. */
  readonly file: string;
  readonly name: string;
  readonly status: "loaded" | "noted" | "refused";
  readonly line?: number;
  /** With a remedy, where it is refused. */
  readonly why?: string;
};

export type Validated = {
  readonly files: readonly ValidatedFile[];
  /** There was more than anybody checks at once. */
  readonly isCut: boolean;
};

/** More is not something that a person put together. */
const entriesMax = 50_000;
const depthMax = 16;
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", ".git"]);

const definitionFolders: { readonly [folder: string]: DefinitionKind } = {
  agents: "agent",
  agent: "agent",
  commands: "command",
  command: "command",
  "output-styles": "style",
};

type Found = { readonly kind: ValidatedKind; readonly path: string; readonly name: string };

/** `folder` is absolute, with links followed. */
export async function validateFolder(folder: string): Promise<Validated> {
  const found: Found[] = [];
  const budget = { left: entriesMax };
  search({ directory: folder, root: folder, depth: 0 }, found, budget);
  const files: ValidatedFile[] = [];
  for (const each of found) files.push(await check(each, folder));
  return { files, isCut: budget.left <= 0 };
}

type Place = {
  readonly directory: string;
  readonly root: string;
  readonly depth: number;
  /** Below a folder of this kind, and the names of the folders in between. */
  readonly inside?: { readonly kind: DefinitionKind; readonly spaces: readonly string[] };
};

function search(place: Place, found: Found[], budget: { left: number }): void {
  const { directory, depth, inside } = place;
  if (depth > depthMax) return;
  const entries = entriesOf(directory);
  const skill = entries.find((entry) => !entry.isDirectory() && /^skill\.md$/i.test(entry.name));
  if (skill !== undefined) found.push({ kind: "skill", path: join(directory, skill.name), name: basename(directory) });
  // What lies beside a skill is its own business, unless it is the root of a plugin as well.
  if (skill !== undefined && depth > 0 && !entries.some(isManifestFolder)) return;
  for (const entry of entries) {
    budget.left -= 1;
    if (budget.left <= 0) return;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name)) search(below(place, entry.name, path), found, budget);
      continue;
    }
    const kind = jsonKindOf(path) ?? (isSettings(path) ? "hooks" : undefined);
    if (kind !== undefined) found.push({ kind, path, name: basename(dirname(path)) });
    else if (inside !== undefined && isDefinition(entry)) {
      const name = entry.name.replace(/(?:\.prompt|\.agent|\.chatmode)?\.md$/i, "");
      found.push({ kind: inside.kind, path, name: [...inside.spaces, name].join(":") });
    }
  }
}

function below({ root, depth, inside }: Place, name: string, directory: string): Place {
  const next = { directory, root, depth: depth + 1 };
  // A folder of prompts is one of commands only where it belongs to an agent.
  const kind = name === "prompts" && basename(dirname(directory)).startsWith(".") ? "command" : definitionFolders[name];
  if (inside !== undefined) return { ...next, inside: { ...inside, spaces: [...inside.spaces, name] } };
  return kind === undefined ? next : { ...next, inside: { kind, spaces: [] } };
}

function isDefinition(entry: Dirent): boolean {
  return /\.md$/i.test(entry.name) && !/^(?:readme|license|contributing|changelog|skill)\.md$/i.test(entry.name);
}

function isManifestFolder(entry: Dirent): boolean {
  return entry.isDirectory() && /^\.(?:(?:kedge|claude|codex)-plugin|plugin|github)$/.test(entry.name);
}

/** Settings of an agent that have hooks. */
function isSettings(path: string): boolean {
  if (!/\/\.(?:claude|gemini)\/settings(?:\.local)?\.json$/.test(path)) return false;
  const read = readDefinitionFile(path);
  return read.ok && read.text.includes('"hooks"');
}

function isManifestPlace(path: string): boolean {
  return /\/\.(?:(?:kedge|claude|codex)-plugin|plugin|github\/plugin)\/[^/]+$/.test(path);
}

/** By the name of the file and of the folder it lies in. */
function jsonKindOf(path: string): JsonKind | undefined {
  const name = basename(path);
  const folder = basename(dirname(path));
  switch (name) {
    case "plugin.json":
      return isManifestPlace(path) ? "plugin" : undefined;
    case "gemini-extension.json":
      return "plugin";
    case "marketplace.json":
      return isManifestPlace(path) || path.endsWith("/.agents/plugins/marketplace.json") ? "marketplace" : undefined;
    case ".mcp.json":
      return "mcp";
    case ".lsp.json":
      return "lsp";
    case "hooks.json":
      return "hooks";
    default:
      return folder === "hooks" && name.endsWith(".json") ? "hooks" : undefined;
  }
}

async function check({ kind, path, name }: Found, root: string): Promise<ValidatedFile> {
  const file = relative(root, path);
  const checked = isJsonKind(kind)
    ? await checkJson(kind, path, { root, name })
    : checkDefinition(kind, path, { root, name });
  const { name: own, notes, problem } = checked;
  if (problem !== undefined)
    return { kind, file, name: own, status: "refused", line: problem.line, why: `${problem.why}. ${problem.remedy}` };
  const [first] = notes;
  if (first === undefined) return { kind, file, name: own, status: "loaded" };
  return { kind, file, name: own, status: "noted", line: first.line, why: notes.map(({ text }) => text).join("; ") };
}

function isJsonKind(kind: ValidatedKind): kind is JsonKind {
  return kind !== "skill" && kind !== "command" && kind !== "agent" && kind !== "style";
}

type Where = { readonly root: string; readonly name: string };

function checkDefinition(kind: DefinitionKind, path: string, { root, name }: Where): Checked {
  const read = readDefinitionFile(path, root);
  if (!read.ok) {
    const { why, remedy } = read.isMissing
      ? { why: "a broken link", remedy: "Remove it, or restore its target." }
      : read;
    return { name, notes: [], problem: { line: 1, why, remedy } };
  }
  const made = makeDefinition({
    kind,
    place: { source: "folder", tier: "user", folder: dirname(path) },
    file: path,
    directory: dirname(path),
    text: read.text,
    nameOfFile: name,
    ...(read.note !== undefined && { note: read.note }),
  });
  if (!made.ok) return { name, notes: [], problem: { line: made.line ?? 1, why: made.why, remedy: made.remedy } };
  return { name: made.definition.name, notes: made.definition.notes };
}

/** In a fixed order. A folder that cannot be read holds nothing. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}
