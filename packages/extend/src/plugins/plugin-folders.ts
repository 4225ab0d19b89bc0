/** The folders of definitions of one plugin, as they are searched: under its name, with its variables. */
import { join } from "node:path";
import type { DefinitionKind } from "../definitions/definition.ts";
import type { SearchedFolder } from "../definitions/find-definitions.ts";
import type { PluginParts } from "./plugin-parts.ts";

export type PlacedPlugin = {
  readonly name: string;
  /** Its directory. */
  readonly root: string;
  /** Where it may keep what it needs. */
  readonly data: string;
};

export type PluginFolders = { readonly [Kind in DefinitionKind]: readonly SearchedFolder[] };

/** Links in them lead nowhere else: what is installed holds none. */
export function pluginFolders(plugin: PlacedPlugin, parts: PluginParts): PluginFolders {
  const folders = (kind: DefinitionKind, paths: readonly string[]) =>
    paths.map(
      (path): SearchedFolder => ({
        kind,
        place: {
          source: plugin.name,
          tier: "plugin",
          folder: path === "." ? plugin.root : join(plugin.root, path),
          plugin,
        },
        root: plugin.root,
      }),
    );
  return {
    skill: folders("skill", parts.skills),
    command: folders("command", parts.commands),
    agent: folders("agent", parts.agents),
    style: folders("style", parts.styles),
  };
}
