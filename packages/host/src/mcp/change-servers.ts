/** Adds servers to a file of settings and takes them out again: the user's own, the user's of this project, or `.mcp.json`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { disabledReason, readServers, serversIn } from "@kedge/extend/mcp-servers";
import { type Failure, isJsonObject, type Json, type JsonObject } from "@kedge/protocol";
import { type ChangeParts, changeSetting } from "../configuration/change-setting.ts";
import { readSettings, type SettingsRead } from "../configuration/setting-file.ts";
import { replaceFile } from "../machine/replace-file.ts";
import { openApprovals } from "./approvals.ts";
import { readServerFile } from "./read-server-file.ts";

export type ServerPlace = "user" | "local" | "project";

export type ServersChanged =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly failure: Failure };

const namePattern = /^[\w-]{1,64}$/;

/** Whoever adds a server to a project has approved it. */
export async function addServer(
  place: ServerPlace,
  { name, fields }: { readonly name: string; readonly fields: JsonObject },
  parts: ChangeParts,
): Promise<ServersChanged> {
  if (!namePattern.test(name))
    return refuse(`Cannot add ${quoted(name)}: a name consists of up to 64 letters, digits, underscores and hyphens.`);
  const read = readServers({ [name]: fields }, { scope: "user", file: "", variable: () => "x", readFile: () => "x" });
  const [problem] = read.unused;
  if (problem !== undefined && problem.reason !== disabledReason)
    return refuse(`Cannot add the server ${name}: ${problem.reason}.`);
  const { sources, home } = parts;
  const changed =
    place === "project"
      ? await changeProjectFile(name, fields, parts)
      : await changeSetting({ layer: place, key: `mcp.${name}`, value: fields }, parts);
  const [server] = read.servers;
  if (changed.ok && place !== "user" && server !== undefined)
    openApprovals(home.directory, sources.projectRoot).approve(name, server.signature);
  return changed;
}

export async function removeServer(place: ServerPlace, name: string, parts: ChangeParts): Promise<ServersChanged> {
  openApprovals(parts.home.directory, parts.sources.projectRoot).forget(name);
  if (place === "project") return changeProjectFile(name, undefined, parts);
  const changed = await changeSetting({ layer: place, key: `mcp.${name}` }, parts);
  return changed.ok && !changed.changed ? refuse(`No server named ${name} in ${changed.file}.`) : changed;
}

async function changeProjectFile(
  name: string,
  fields: JsonObject | undefined,
  { sources }: ChangeParts,
): Promise<ServersChanged> {
  const file = ".mcp.json";
  const path = join(sources.projectRoot, file);
  const none: SettingsRead = { ok: true, settings: {}, warnings: [] };
  const read = existsSync(path) ? await readSettings(path, { name: file }) : none;
  if (!read.ok) return refuse(`${read.sentence}.`);
  const before = serversIn(read.settings);
  if (fields === undefined && !Object.hasOwn(before, name)) return refuse(`No server named ${name} in ${file}.`);
  const { [name]: _, ...others } = before;
  const servers = fields === undefined ? others : { ...others, [name]: fields };
  const rest = isJsonObject(read.settings["mcpServers"]) ? read.settings : {};
  replaceFile(path, `${JSON.stringify({ ...rest, mcpServers: servers }, undefined, 2)}\n`, { mode: 0o644 });
  return { ok: true, file };
}

/** Servers of any file that names some, in the spelling of that file. */
export async function serversOfFile(
  path: string,
  projectRoot: string,
): Promise<
  | { readonly ok: true; readonly servers: readonly { readonly name: string; readonly fields: JsonObject }[] }
  | { readonly ok: false; readonly failure: Failure }
> {
  const read = await readServerFile(path, projectRoot);
  if (!read.ok) return refuse(`${read.sentence}.`);
  const servers = Object.entries(read.servers).flatMap(([name, fields]) =>
    // Read from JSON, YAML or TOML, which hold nothing else.
    isJsonObject(fields) ? [{ name, fields: fields as { readonly [key: string]: Json } }] : [],
  );
  return { ok: true, servers };
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, nameCharactersShown));
}

const nameCharactersShown = 100;

function refuse(message: string): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { code: "configuration", message, retryable: false } };
}
