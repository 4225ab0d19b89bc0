/** Files of other agents that name MCP servers, in the user's folders and in a project's. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { readSettings } from "../configuration/setting-file.ts";
import { type ConfigurationSources, leadsOut, shownPath, whereIs } from "../configuration/setting-layers.ts";
import type { ServerFile } from "./server-file.ts";

type Place = {
  /** The agent whose files can be switched off. */
  readonly source: "claude" | "opencode";
  readonly path: string;
  /** The key under which the servers are; the whole file without it. */
  readonly key?: "mcp";
};

/** Below the root of a project, strongest first. */
const projectServerPlaces: readonly Place[] = [
  { source: "claude", path: ".mcp.json" },
  { source: "claude", path: ".claude/mcp.json" },
  ...["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"].map(
    (path): Place => ({ source: "opencode", path, key: "mcp" }),
  ),
];

/** Below the user's directory. */
const userServerPlaces: readonly Place[] = [
  { source: "claude", path: ".claude/mcp.json" },
  ...[".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"].map(
    (path): Place => ({ source: "opencode", path, key: "mcp" }),
  ),
];

export type PlacedServers = { readonly files: readonly ServerFile[]; readonly warnings: readonly string[] };

/** Those of the user, and those of a trusted project. */
export async function readPlacedServers(
  sources: ConfigurationSources,
  isDisabled: (source: string) => boolean,
): Promise<PlacedServers> {
  const files: ServerFile[] = [];
  const warnings: string[] = [];
  const { projectRoot, userDirectory, isTrusted } = sources;
  const read = async (root: string, { source, path, key }: Place, scope: "project" | "user") => {
    const file = join(root, path);
    if (isDisabled(source) || !existsSync(file)) return;
    const name = shownPath(file, sources);
    const isOut = scope === "project" && whereIs(file, projectRoot) !== "inside";
    const given = isOut ? { ok: false as const, sentence: leadsOut(name) } : await readSettings(file, { name });
    // Rules are read from the files of OpenCode too, and say that one is broken.
    if (!given.ok && source !== "opencode") warnings.push(`${given.sentence}; its MCP servers are not used`);
    const servers = given.ok ? (key === undefined ? given.settings : given.settings[key]) : undefined;
    if (isJsonObject(servers)) files.push({ scope, file: name, path: file, servers });
  };
  if (isTrusted) for (const place of projectServerPlaces) await read(projectRoot, place, "project");
  for (const place of userServerPlaces) await read(userDirectory, place, "user");
  return { files, warnings };
}
