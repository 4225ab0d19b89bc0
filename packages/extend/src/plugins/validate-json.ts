/** Checks one file of hooks, servers, a manifest or a catalogue. */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DialectId } from "../hooks/dialects/dialect.ts";
import { dialectOfEvents } from "../hooks/dialects/dialects.ts";
import { readHooks } from "../hooks/read-hooks.ts";
import { type FileNote, type FileProblem, type JsonFile, readJsonFile } from "./json-file.ts";
import { catalogueFiles, readMarketplace } from "./marketplace.ts";
import { manifestFolders, rootManifests } from "./plugin-manifest.ts";
import { findParts, hooksIn } from "./plugin-parts.ts";
import { readManifest } from "./read-manifest.ts";
import { readServers } from "./server-files.ts";

export type JsonKind = "hooks" | "plugin" | "marketplace" | "mcp" | "lsp";

export type Checked = {
  readonly name: string;
  readonly notes: readonly FileNote[];
  /** Why nothing of it can be used. */
  readonly problem?: FileProblem;
};

/** `name` is what it is called where it says nothing itself. */
export async function checkJson(
  kind: JsonKind,
  path: string,
  { root, name }: { readonly root: string; readonly name: string },
): Promise<Checked> {
  const read = await readJsonFile(path, root);
  if (!read.ok) {
    if (!read.isMissing) return { name, notes: [], problem: read };
    const problem = { line: 1, why: "a broken link", remedy: "Remove it, or restore its target." };
    return { name, notes: [], problem };
  }
  switch (kind) {
    case "hooks":
      return checkHooks(read, path);
    case "mcp":
    case "lsp":
      return checkServers(read, kind, name);
    case "plugin":
      return checkManifest(read, path);
    case "marketplace":
      return checkMarketplace(read, { path, name });
  }
}

/** In the words of the agent whose folder it lies in. */
function checkHooks({ value, notes, lineOf }: JsonFile, path: string): Checked {
  const name = basename(path);
  const hooks = hooksIn(value);
  if (hooks === undefined) {
    const remedy = 'Write {"hooks": {"PreToolUse": […]}}.';
    return { name, notes, problem: { line: 1, why: "it has no hooks", remedy } };
  }
  const file = "";
  const read = readHooks([{ dialect: dialectOfEvents(hooks, dialectOf(path)), scope: "user", file, hooks }]);
  const found = [
    ...notes,
    ...read.problems.map(({ sentence }) => ({ ...lineIn(sentence, lineOf), text: sentence.slice(2) })),
  ];
  if (read.hooks.length > 0 || read.problems.length === 0) return { name, notes: found };
  const [first] = found;
  const why = found.map(({ text }) => text.replace(/\.$/, "")).join("; ");
  return { name, notes: [], problem: { line: first?.line ?? 1, why, remedy: "Fix or remove these hooks." } };
}

function dialectOf(path: string): DialectId {
  if (/\/\.(?:github|copilot)\/hooks\//.test(path)) return "copilot";
  const extension = join(dirname(dirname(path)), "gemini-extension.json");
  if (/\/\.gemini\//.test(path) || existsSync(extension)) return "gemini";
  return /\/\.codex\//.test(path) ? "codex" : "claude";
}

/** `PreToolUse[0].hooks[1] …` names the place. */
function lineIn(sentence: string, lineOf: JsonFile["lineOf"]): { readonly line: number } {
  const [, event = "", group, hook] =
    /(\w+)(?:\[(\d+)\](?:\.hooks\[(\d+)\])?)?/.exec(sentence.replace(/hooks\./, "")) ?? [];
  const path = [
    event,
    ...(group === undefined ? [] : [Number(group)]),
    ...(hook === undefined ? [] : ["hooks", Number(hook)]),
  ];
  const inner = lineOf("hooks", ...path);
  return { line: inner > 1 ? inner : lineOf(...path) };
}

function checkServers({ value, notes, lineOf }: JsonFile, kind: "mcp" | "lsp", folder: string): Checked {
  const { servers, problems } = readServers(value, kind);
  const names = Object.keys(servers);
  const found = problems.map(({ path, why }) => ({ line: lineOf(...path), text: why }));
  const [first] = problems;
  const name = names.join(", ") || folder;
  if (names.length > 0 || first === undefined) return { name, notes: [...notes, ...found] };
  const { path, why, remedy } = first;
  return { name, notes: [], problem: { line: lineOf(...path), why, remedy } };
}

async function checkManifest(json: JsonFile, path: string): Promise<Checked> {
  const folder = basename(dirname(path));
  const inFolder = manifestFolders.find((each) => dirname(path).endsWith(`/${each.folder}`));
  const beside =
    inFolder === undefined
      ? rootManifests.find(({ file }) => file === basename(path) && !folder.startsWith("."))
      : undefined;
  const root = beside === undefined ? above(dirname(path), inFolder?.folder ?? folder) : dirname(path);
  const { dialect = "claude" } = beside ?? inFolder ?? {};
  const read = readManifest(json, { dialect });
  if (!read.ok) return { name: basename(root), notes: [], problem: read };
  const { problems } = await findParts(root, read.manifest);
  // Problems of other files are told with those.
  const own = problems.filter(({ file }) => file === "plugin.json" || !existsSync(join(root, file)));
  const missing = own.map(({ file, why }) => ({ line: 1, text: file === "plugin.json" ? why : `${file}: ${why}` }));
  return { name: read.manifest.name, notes: [...read.notes, ...missing] };
}

/** The directory that holds the path `below`, one level up or several. */
function above(path: string, below: string): string {
  return path.slice(0, -(below.length + 1));
}

function checkMarketplace(json: JsonFile, { path, name }: { readonly path: string; readonly name: string }): Checked {
  const read = readMarketplace(json);
  if (!read.ok) return { name, notes: [], problem: read };
  const { marketplace } = read;
  const file = catalogueFiles.find((each) => path.endsWith(`/${each}`));
  const root = file === undefined ? dirname(dirname(path)) : above(path, file);
  const missing = marketplace.entries.flatMap(({ name: plugin, source }, index) => {
    if (source.kind !== "inside" || existsSync(join(root, source.path))) return [];
    return [
      {
        line: json.lineOf("plugins", index, "source"),
        text: `${plugin} refers to ${source.path}, which does not exist`,
      },
    ];
  });
  return { name: marketplace.name, notes: [...read.notes, ...missing] };
}
