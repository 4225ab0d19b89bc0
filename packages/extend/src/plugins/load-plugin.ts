/** Reads a directory as a plugin: its manifest, what it brings, and what a person should know before it is installed. */
import { globSync } from "node:fs";
import { join, relative } from "node:path";
import type { JsonObject } from "@kedge/protocol";
import { findDefinitions } from "../definitions/find-definitions.ts";
import { readJsonFile } from "./json-file.ts";
import type { MarketplaceEntry } from "./marketplace.ts";
import { packageManifest } from "./package-manifest.ts";
import { type Brought, type Capability, capabilitiesOf, type FoundKinds, rightsOf } from "./plugin-capabilities.ts";
import { pluginFolders } from "./plugin-folders.ts";
import { manifestFolders, manifestOf, type PluginManifest, rootManifests } from "./plugin-manifest.ts";
import { findParts, type PluginParts } from "./plugin-parts.ts";
import { plainPluginName, readManifest } from "./read-manifest.ts";
import { type IndexedSkill, indexSkills } from "./skill-index.ts";

export type LoadedPlugin = {
  readonly manifest: PluginManifest;
  readonly parts: PluginParts;
  readonly capabilities: readonly Capability[];
  /** What its code may do, by the names of capabilities. */
  readonly rights: readonly string[];
  readonly index: readonly IndexedSkill[];
  /** Sentences without a full stop. */
  readonly notes: readonly string[];
};

export type PluginLoading =
  | ({ readonly ok: true } & LoadedPlugin)
  /** A sentence without a full stop. */
  | { readonly ok: false; readonly why: string };

export type LoadOptions = {
  /** The name of a plugin that gives itself none. */
  readonly name: string;
  /** What a catalogue says of it. */
  readonly entry?: MarketplaceEntry;
};

/** Runs nothing, and reads nothing outside of `root`. */
export async function loadPlugin(root: string, options: LoadOptions): Promise<PluginLoading> {
  const notes: string[] = [];
  const read = await findManifest(root, options, notes);
  if (!read.ok) return read;
  const { manifest } = read;
  const { parts, problems } = await findParts(root, manifest);
  notes.push(...problems.map(({ file, line, why }) => `${file}:${line} ${why}`));
  const found = findAll(root, { manifest, parts }, notes);
  const capabilities = capabilitiesOf({ manifest, parts }, found);
  if (capabilities.length === 0) return { ok: false, why: [`it contains nothing kedge can load`, ...notes].join("; ") };
  const index = indexSkills(root, found.skill);
  return { ok: true, manifest, parts, capabilities, rights: rightsOf({ manifest, parts }), index, notes };
}

/** A definition that cannot be used is told; the others count. */
function findAll(root: string, { manifest, parts }: Brought, notes: string[]): FoundKinds {
  const folders = pluginFolders({ name: manifest.name, root, data: "" }, parts);
  const found = {
    skill: findDefinitions(folders.skill),
    command: findDefinitions(folders.command),
    agent: findDefinitions(folders.agent),
    style: findDefinitions(folders.style),
  };
  for (const { refused } of Object.values(found))
    notes.push(...refused.map(({ file, line, why }) => `${relative(root, file)}:${line} ${why}`));
  if (manifest.dialect === "gemini" && globSync("commands/**/*.toml", { cwd: root }).length > 0)
    notes.push("its commands are TOML and are not loaded; copy them to .gemini/commands");
  return found;
}

type FoundManifest =
  | { readonly ok: true; readonly manifest: PluginManifest }
  | { readonly ok: false; readonly why: string };

async function findManifest(root: string, { name, entry }: LoadOptions, notes: string[]): Promise<FoundManifest> {
  const own = await ownManifest(root, notes);
  if (own !== undefined && !own.ok) return own;
  const listed = entry === undefined ? undefined : entryManifest(entry, own?.manifest.dialect ?? "claude", notes);
  if (listed !== undefined && !listed.ok) return listed;
  if (own === undefined || entry?.isStrict === false) {
    if (own !== undefined) notes.push("the catalog entry overrides its plugin.json");
    return listed ?? { ok: true, manifest: manifestOf(plainPluginName(name) || "plugin") };
  }
  return listed === undefined ? own : { ok: true, manifest: joined(own.manifest, listed.manifest) };
}

async function ownManifest(root: string, notes: string[]): Promise<FoundManifest | undefined> {
  for (const { folder, dialect } of manifestFolders) {
    const file = `${folder}/plugin.json`;
    const json = await readJsonFile(join(root, file), root);
    if (!json.ok && json.isMissing) continue;
    const read = json.ok ? readManifest(json, { dialect }) : json;
    if (!read.ok) return { ok: false, why: `${file}:${read.line} ${read.why}` };
    notes.push(...read.notes.map(({ line, text }) => `${file}:${line} ${text}`));
    return { ok: true, manifest: read.manifest };
  }
  for (const { file, dialect } of rootManifests) {
    const json = await readJsonFile(join(root, file), root);
    const read = json.ok ? readManifest(json, { dialect }) : undefined;
    // Other programs have a plugin.json as well.
    if (read?.ok !== true) continue;
    notes.push(...read.notes.map(({ line, text }) => `${file}:${line} ${text}`));
    return { ok: true, manifest: read.manifest };
  }
  const json = await readJsonFile(join(root, "package.json"), root);
  const manifest = json.ok ? packageManifest(json.value) : undefined;
  return manifest === undefined ? undefined : { ok: true, manifest };
}

/** Fields that say where the entry leads, and nothing about the plugin. */
const placeFields: ReadonlySet<string> = new Set(["source", "strict", "policy", "tags", "category"]);

function entryManifest(entry: MarketplaceEntry, dialect: PluginManifest["dialect"], notes: string[]): FoundManifest {
  const value: JsonObject = Object.fromEntries(
    Object.entries(entry.fields).filter(([field]) => !placeFields.has(field)),
  );
  const read = readManifest({ value, notes: [], lineOf: () => 1 }, { dialect, where: ["plugins"] });
  if (!read.ok) return { ok: false, why: `its catalog entry: ${read.why}` };
  notes.push(...read.notes.map(({ text }) => `its catalog entry: ${text}`));
  return { ok: true, manifest: read.manifest };
}

/** The plugin speaks for itself; a catalogue adds to what it brings, and calls it by the name that users type. */
function joined(own: PluginManifest, listed: PluginManifest): PluginManifest {
  const both = <Value>(one: readonly Value[] | undefined, other: readonly Value[] | undefined) =>
    one === undefined && other === undefined ? undefined : [...new Set([...(one ?? []), ...(other ?? [])])];
  const [commands, agents, styles] = [
    both(own.commands, listed.commands),
    both(own.agents, listed.agents),
    both(own.styles, listed.styles),
  ];
  return {
    ...listed,
    ...own,
    name: listed.name,
    skills: [...own.skills, ...listed.skills],
    ...(commands !== undefined && { commands }),
    ...(agents !== undefined && { agents }),
    ...(styles !== undefined && { styles }),
    hooks: [...own.hooks, ...listed.hooks],
    mcpServers: [...own.mcpServers, ...listed.mcpServers],
    lspServers: [...own.lspServers, ...listed.lspServers],
    options: own.options.length > 0 ? own.options : listed.options,
    dependencies: own.dependencies.length > 0 ? own.dependencies : listed.dependencies,
    isEnabledAtFirst: own.isEnabledAtFirst && listed.isEnabledAtFirst,
  };
}
