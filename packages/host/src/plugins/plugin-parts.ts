/** What enabled plugins bring for other parts of kedge: servers, agents, code and programs, as data. */
import { join } from "node:path";
import type { SearchedFolder } from "@kedge/extend/definitions";
import { type PluginParts, pluginFolders } from "@kedge/extend/plugins";
import type { JsonObject } from "@kedge/protocol";
import type { EnabledPlugin, PluginSnapshot } from "./plugin-snapshot.ts";
import { pluginEnvironment, withVariables } from "./plugin-variables.ts";

export type PluginServer = {
  /** `plugin:<plugin>:<server>`. */
  readonly name: string;
  readonly plugin: string;
  readonly server: string;
  /** As it was written, with the plugin's variables filled in. */
  readonly config: JsonObject;
  /** The directory of the plugin. */
  readonly root: string;
  /** To be added to the environment of what is started. */
  readonly environment: { readonly [name: string]: string };
};

/** Code that runs in processes of its own, and what it may do there. */
export type PluginCode = {
  /** Absolute. */
  readonly files: readonly string[];
  readonly owner: { readonly kind: "plugin"; readonly name: string; readonly root: string; readonly data: string };
  /** The hash of the plugin. */
  readonly version: string;
  /** What it declared, and the user agreed to. */
  readonly capabilities: readonly string[];
};

export type HandedParts = {
  readonly mcpServers: readonly PluginServer[];
  readonly lspServers: readonly PluginServer[];
  /** Folders of agent definitions, under the names of their plugins. */
  readonly agents: readonly SearchedFolder[];
  readonly code: readonly PluginCode[];
  /** Folders of programs. */
  readonly programs: readonly { readonly plugin: string; readonly folder: string }[];
};

/** Frozen with the snapshot: asked again, it says the same. */
export function pluginParts({ plugins }: PluginSnapshot): HandedParts {
  return {
    mcpServers: plugins.flatMap((plugin) => serversOf(plugin, plugin.parts.mcpServers)),
    lspServers: plugins.flatMap((plugin) => serversOf(plugin, plugin.parts.lspServers)),
    agents: plugins.flatMap((plugin) => pluginFolders(plugin, plugin.parts).agent),
    code: plugins.filter(({ parts }) => parts.code.length > 0).map(codeOf),
    programs: plugins
      .filter(({ parts }) => parts.programs.length > 0)
      .map(({ name, root }) => ({ plugin: name, folder: join(root, "bin") })),
  };
}

function serversOf(plugin: EnabledPlugin, servers: PluginParts["mcpServers"]): readonly PluginServer[] {
  const { name, root } = plugin;
  return Object.entries(servers).map(([server, config]) => ({
    name: `plugin:${name}:${server}`,
    plugin: name,
    server,
    config: withVariables(config, plugin),
    root,
    environment: pluginEnvironment(plugin),
  }));
}

function codeOf({ name, root, data, hash, parts, rights }: EnabledPlugin): PluginCode {
  return {
    files: parts.code.map((path) => join(root, path)),
    owner: { kind: "plugin", name, root, data },
    version: hash,
    capabilities: rights,
  };
}
