/** Takes the MCP servers that are configured for this process from all files, once. */
import type { McpScope, ServerEntry, ServerLists } from "@kedge/extend/mcp-servers";
import { isJsonObject } from "@kedge/protocol";
import type { Settings } from "../configuration/setting-file.ts";
import type { ConfigurationSources, Layer } from "../configuration/setting-layers.ts";
import type { PluginServer } from "../plugins/plugin-parts.ts";
import { pluginParts } from "../plugins/plugin-parts.ts";
import type { PluginSnapshot } from "../plugins/plugin-snapshot.ts";
import type { ServerFile } from "./server-file.ts";
import { readPlacedServers } from "./server-places.ts";

export type CapturedServers = {
  /** Strongest first within a scope. What is in them is read where servers are used. */
  readonly files: readonly ServerFile[];
  readonly lists: ServerLists;
  readonly warnings: readonly string[];
};

export type ServerLayers = {
  readonly readings: readonly { readonly layer: Layer; readonly accepted: Settings }[];
  readonly settings: Settings;
  readonly isDisabled: (source: string) => boolean;
  readonly plugins: PluginSnapshot;
};

export async function captureServers(
  { readings, settings, isDisabled, plugins }: ServerLayers,
  sources: ConfigurationSources,
): Promise<CapturedServers> {
  const own = readings.flatMap(({ layer, accepted }): readonly ServerFile[] => {
    const { mcp } = accepted;
    // Checked when its file was read.
    if (mcp === undefined || mcp === null) return [];
    return [{ scope: scopeOf(layer.source), file: layer.name, path: layer.path, servers: mcp as Settings }];
  });
  const placed = await readPlacedServers(sources, isDisabled);
  const { allowedMcpServers: allowed, deniedMcpServers: denied } = settings;
  return {
    // The strongest layer comes last among settings, and kedge's own come before those of other agents.
    files: [...own.toReversed(), ...placed.files, ...(await pluginFiles(plugins))],
    lists: {
      ...(Array.isArray(allowed) && { allowed: allowed as readonly ServerEntry[] }),
      denied: Array.isArray(denied) ? (denied as readonly ServerEntry[]) : [],
    },
    warnings: placed.warnings,
  };
}

/** A file that was named for this start is the user's word for this start. */
function scopeOf(source: Layer["source"]): McpScope {
  switch (source) {
    case "policy":
      return "enterprise";
    case "project":
    case "local":
      return source;
    case "flag":
    case "command-line":
      return "dynamic";
    default:
      return "user";
  }
}

async function pluginFiles(snapshot: PluginSnapshot): Promise<readonly ServerFile[]> {
  if (snapshot.plugins.length === 0) return [];
  return pluginParts(snapshot).mcpServers.map((server) => {
    const { name, plugin, root } = server;
    return { scope: "plugin", file: `the plugin ${plugin}`, path: root, servers: { [name]: withEnvironment(server) } };
  });
}

/** What is started for a plugin knows where the plugin lies. */
function withEnvironment({ config, environment }: PluginServer): Settings {
  const { command, env } = config;
  return command === undefined ? config : { ...config, env: { ...environment, ...(isJsonObject(env) ? env : {}) } };
}
