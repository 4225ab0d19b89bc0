/** Turns the MCP servers of other agents into one form. Values that are secrets become names of variables. */
import { isJsonObject, type Json } from "@kedge/protocol";
import { isSecretName } from "@kedge/sandbox";
import type { Findings, ImportLayer, ImportNote, Origin } from "./findings.ts";
import { type ForeignFolder, holdsSecret } from "./foreign-folder.ts";
import { noteUnsupported, takeSetting } from "./note-settings.ts";

export type ServerPlace = {
  readonly layer: ImportLayer;
  readonly from: Origin;
  readonly folder: ForeignFolder;
  /** What an address without a type is there. */
  readonly remoteType: "http" | "sse";
};

type Fields = { readonly [name: string]: unknown };

/** Fields without which a server works all the same. */
const dispensable: ReadonlySet<string> = new Set([
  "timeout",
  "startup_timeout_sec",
  "startup_timeout_ms",
  "tool_timeout_sec",
  "description",
  "alwaysLoad",
  "trust",
  "required",
]);

const understood: ReadonlySet<string> = new Set([
  ...["type", "command", "args", "env", "environment", "cwd", "url", "httpUrl", "headers", "http_headers"],
  ...["env_http_headers", "bearer_token_env_var", "enabled", "disabled"],
]);

export function convertServers(servers: unknown, place: ServerPlace, findings: Findings): void {
  const { from, layer } = place;
  if (!isJsonObject(servers)) {
    findings.notes.push({ ...from, kind: "broken", why: "must be an object" });
    return;
  }
  for (const [name, fields] of Object.entries(servers)) {
    const origin = { ...from, key: from.key === undefined ? name : `${from.key}.${name}` };
    const converted = isJsonObject(fields) ? convertServer(fields, origin, place) : "must be an object";
    if (typeof converted === "string") noteUnsupported(findings, origin, undefined, converted);
    else if (/[.[\]"]/.test(name)) noteUnsupported(findings, origin, "Rename it.", "has a dot or bracket in its name");
    else {
      takeSetting(findings, { layer, key: `mcp.${name}`, value: converted.server, from: origin });
      findings.notes.push(...converted.notes);
    }
  }
}

type Converted = { readonly server: Json; readonly notes: readonly ImportNote[] };

/** The text says why it cannot be taken over. */
function convertServer(fields: Fields, from: Origin, place: ServerPlace): Converted | string {
  const strange = Object.keys(fields).find((key) => !understood.has(key) && !dispensable.has(key));
  if (strange !== undefined) return `has ${strange}, which has no equivalent in kedge`;
  const { command, args = [], cwd, url, httpUrl } = fields;
  const words = [command, args].flat();
  const isOff = fields["enabled"] === false || fields["disabled"] === true;
  const off = isOff ? { enabled: false } : {};
  const variables = fill(fields["env"] ?? fields["environment"] ?? {}, from, place);
  const headers = headersOf(fields, from, place);
  if (typeof variables === "string") return variables;
  if (typeof headers === "string") return headers;
  const left = Object.keys(fields).filter((key) => dispensable.has(key));
  const notes: readonly ImportNote[] = [
    ...left.map((key) => ({ ...from, key: `${from.key}.${key}`, kind: "unsupported" as const, why: "is left out" })),
    ...variables.notes,
    ...headers.notes,
  ];
  if (command !== undefined) {
    if (!words.every((word) => typeof word === "string")) return "needs strings for command and args";
    if (words.some((word) => holdsSecret(word, place.folder))) return "has a secret among its arguments";
    const [program = "", ...rest] = words;
    const server = {
      type: "stdio",
      command: program,
      ...(rest.length > 0 && { args: rest }),
      ...(Object.keys(variables.values).length > 0 && { env: variables.values }),
      ...(typeof cwd === "string" && { cwd }),
      ...off,
    };
    return { server, notes };
  }
  const address = httpUrl ?? url;
  if (typeof address !== "string") return "has neither a command nor a URL";
  if (holdsSecret(address, place.folder) || URL.parse(address)?.password) return "has a secret in its URL";
  const type = typeOf(fields["type"], httpUrl === undefined ? place.remoteType : "http");
  if (type === undefined) return `has an unknown type`;
  const given = Object.keys(headers.values).length > 0 ? { headers: headers.values } : {};
  return { server: { type, url: address, ...given, ...off }, notes };
}

function typeOf(type: unknown, otherwise: "http" | "sse"): string | undefined {
  if (type === undefined || type === "remote") return otherwise;
  if (type === "streamable-http" || type === "streamableHttp") return "http";
  return type === "http" || type === "sse" || type === "ws" ? type : undefined;
}

type Filled = { readonly values: { readonly [name: string]: string }; readonly notes: Findings["notes"] };

function headersOf(fields: Fields, from: Origin, place: ServerPlace): Filled | string {
  const given = fill(fields["headers"] ?? fields["http_headers"] ?? {}, from, place);
  if (typeof given === "string") return given;
  const { env_http_headers: named = {}, bearer_token_env_var: token } = fields;
  if (!isJsonObject(named)) return "must have an object of names as env_http_headers";
  const fromVariables = Object.entries(named).map(([name, variable]) => [name, `{env:${String(variable)}}`]);
  const bearer = typeof token === "string" ? { Authorization: `Bearer {env:${token}}` } : {};
  return { ...given, values: { ...given.values, ...Object.fromEntries(fromVariables), ...bearer } };
}

/** Names of variables stay names; a value that is a secret becomes the name of the variable to set. */
function fill(values: unknown, from: Origin, { folder }: ServerPlace): Filled | string {
  if (!isJsonObject(values)) return "must have objects of strings as env and headers";
  const filled: Record<string, string> = {};
  const notes: Findings["notes"] = [];
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "string") return "must have objects of strings as env and headers";
    const referring = value.replaceAll(
      /\$\{(?:env:)?(\w+)\}|^\$(\w+)$/g,
      (_, braced, plain) => `{env:${braced ?? plain}}`,
    );
    const isReference = referring.includes("{env:") || /\$\{\w+:-\}/.test(value);
    // Behind `:-` stands a value, which may be a secret like any other.
    const hasDefault = /\$\{\w+:-[^}]/.test(value);
    const isSecret = isSecretName(name) || /^(?:authorization|.*(?:key|token|secret))$/i.test(name);
    if ((isReference && !hasDefault) || !(isSecret || holdsSecret(value, folder))) {
      filled[name] = referring;
      continue;
    }
    const variable = name.toUpperCase().replaceAll(/\W/g, "_");
    filled[name] = `{env:${variable}}`;
    const key = `${from.key}.${name}`;
    notes.push({ ...from, key, kind: "secret", why: "is a secret and was not copied", remedy: `Set ${variable}.` });
  }
  return { values: filled, notes };
}
