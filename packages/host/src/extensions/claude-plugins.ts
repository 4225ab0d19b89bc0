/** Plugins that Claude Code installed, read where it keeps them: their texts count, and nothing of them is started. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join, sep } from "node:path";
import type { DefinitionKind, SearchedFolder } from "@kedge/extend/definitions";
import { isJsonObject } from "@kedge/protocol";

/** The id of the source, for `disabledProviders`. */
export const claudeMarketplace = "claude-marketplace";

export type ClaudePluginPlaces = {
  readonly userDirectory: string;
  readonly root: string;
  readonly disabled: readonly string[];
  /** Names of kedge's own plugins, which win. */
  readonly taken: readonly string[];
};

type Folders = { readonly [Kind in DefinitionKind]: readonly SearchedFolder[] };

const none: Folders = { skill: [], command: [], agent: [], style: [] };

const kinds: readonly {
  readonly kind: DefinitionKind;
  readonly folder: string;
  readonly field: string;
  /** Whether what a manifest names is searched beside the usual folder, not in its place. */
  readonly adds?: true;
}[] = [
  { kind: "skill", folder: "skills", field: "skills", adds: true },
  { kind: "command", folder: "commands", field: "commands" },
  { kind: "agent", folder: "agents", field: "agents" },
  { kind: "style", folder: "output-styles", field: "outputStyles" },
];

/** Costs one look where Claude Code has no plugins. */
export function claudePluginFolders(places: ClaudePluginPlaces): Folders {
  if (places.disabled.includes(claudeMarketplace) || places.disabled.includes("claude")) return none;
  const base = join(places.userDirectory, ".claude");
  const installed = readObject(join(base, "plugins/installed_plugins.json"))?.["plugins"];
  if (!isJsonObject(installed)) return none;
  const enabled = readObject(join(base, "settings.json"))?.["enabledPlugins"];
  const found: { -readonly [Kind in DefinitionKind]: SearchedFolder[] } = {
    skill: [],
    command: [],
    agent: [],
    style: [],
  };
  for (const [id, entries] of Object.entries(installed).sort(([left], [right]) => (left < right ? -1 : 1))) {
    const name = id.split("@")[0] ?? "";
    if (!/^[\w.-]+$/.test(name) || places.taken.includes(name)) continue;
    if (!isJsonObject(enabled) || enabled[id] !== true) continue;
    const path = installPath(entries, places.root);
    if (path === undefined) continue;
    for (const { kind, paths } of foldersIn(path))
      for (const folder of paths)
        found[kind].push({
          kind,
          place: {
            ...{ source: claudeMarketplace, tier: "plugin", folder },
            plugin: { name, root: path, data: join(base, "plugins/data", basename(path)) },
          },
          root: path,
        });
  }
  return found;
}

/** Installed for this user everywhere, or for this project. */
function installPath(entries: unknown, root: string): string | undefined {
  const counting = (Array.isArray(entries) ? entries : [entries]).find(
    (entry) => isJsonObject(entry) && (entry["projectPath"] === undefined || entry["projectPath"] === root),
  );
  const path = isJsonObject(counting) ? counting["installPath"] : undefined;
  if (typeof path !== "string" || !isAbsolute(path)) return undefined;
  try {
    return realpathSync.native(path);
  } catch {
    // Its cache was cleared.
    return undefined;
  }
}

function foldersIn(path: string): readonly { readonly kind: DefinitionKind; readonly paths: readonly string[] }[] {
  const manifest = readObject(join(path, ".claude-plugin/plugin.json"));
  return kinds.map(({ kind, folder, field, adds }) => {
    const named = manifest?.[field];
    const given = (Array.isArray(named) ? named : [named]).filter((each) => typeof each === "string");
    const searched = given.length === 0 || adds === true ? [folder, ...given] : given;
    const whole = searched
      .map((each) => join(path, each))
      .filter((each) => each.startsWith(path + sep) && exists(each));
    return { kind, paths: [...new Set(whole)] };
  });
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** What is not there or is no JSON of ours says nothing. */
function readObject(path: string): { readonly [name: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
