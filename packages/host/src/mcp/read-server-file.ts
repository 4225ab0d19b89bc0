/** Reads a file that names MCP servers, of whatever program it is: JSON, YAML, or TOML as Codex writes it. */
import { looksLikeServer, serversAmong } from "@kedge/extend/mcp-servers";
import { isJsonObject } from "@kedge/protocol";
import { readSettingsText } from "../configuration/read-settings-text.ts";
import { readSettings, type Settings } from "../configuration/setting-file.ts";
import { readToml } from "../import/toml/read-toml.ts";

export type ServerFileRead =
  | { readonly ok: true; readonly servers: Settings }
  /** Without a full stop. */
  | { readonly ok: false; readonly sentence: string };

/** `projectRoot` is whose servers count where a file has those of many projects, as `~/.claude.json` does. */
export async function readServerFile(path: string, projectRoot: string): Promise<ServerFileRead> {
  const read = path.endsWith(".toml") ? readTomlSettings(path) : await readSettings(path, { name: path });
  if (!read.ok) return read;
  const { settings } = read;
  if (looksLikeServer(settings))
    return { ok: false, sentence: `${path} describes a server without a name. Use kedge mcp add-json <name> <json>` };
  const { projects, ...others } = settings;
  const here = isJsonObject(projects) ? projects[projectRoot] : undefined;
  const ofProject = isJsonObject(here) && isJsonObject(here["mcpServers"]) ? here["mcpServers"] : {};
  return { ok: true, servers: { ...serversAmong(others), ...ofProject } };
}

function readTomlSettings(path: string): { ok: true; settings: Settings } | { ok: false; sentence: string } {
  const text = readSettingsText(path);
  if (!text.ok) return { ok: false, sentence: `${path} ${text.why}` };
  const read = readToml(text.text.replace(/^\uFEFF/, ""));
  if (!read.ok) return { ok: false, sentence: `${path} is not valid TOML at line ${read.line}: ${read.why}` };
  return { ok: true, settings: read.table };
}
