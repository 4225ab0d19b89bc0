/** Finds the servers in a configuration: under `mcpServers`, `servers` or `mcp`, or right in the object. */
import { isJsonObject } from "@kedge/protocol";
import type { McpServer, UnusedServer } from "../server.ts";
import { readServer, type ServerOrigin } from "./read-server.ts";

export type ReadServers = { readonly servers: readonly McpServer[]; readonly unused: readonly UnusedServer[] };

type Fields = { readonly [name: string]: unknown };

const serversMax = 200;

/** `value` is a whole file such as `.mcp.json`, or the value of a key such as `mcp`. One that is wrong costs itself. */
export function readServers(value: unknown, origin: ServerOrigin): ReadServers {
  const { scope, file } = origin;
  const servers: McpServer[] = [];
  const unused: UnusedServer[] = [];
  for (const [name, fields] of Object.entries(serversIn(value)).slice(0, serversMax)) {
    // In a stronger file it takes away the server of a weaker one.
    if (fields === null) continue;
    const read = readServer(name, fields, origin);
    if (read.ok) servers.push(read.server);
    else unused.push({ name, scope, file, reason: read.reason });
  }
  return { servers, unused };
}

/** Where other programs have their servers, beside kedge's own `mcp`. */
const serverKeys = ["mcpServers", "servers", "mcp", "mcp_servers", "context_servers", "amp.mcpServers", "extensions"];

/** A server may be called `servers` itself: what looks like a server is one. */
export function serversIn(value: unknown): Fields {
  if (!isJsonObject(value)) return {};
  for (const key of serverKeys) {
    const inner = value[key];
    if (Array.isArray(inner)) return byName(inner);
    if (isJsonObject(inner) && !looksLikeServer(inner)) return serversIn(inner);
  }
  return value;
}

/** Those of a file that holds much else, too: without servers it has none. */
export function serversAmong(value: Fields): Fields {
  const found = serversIn(value);
  if (found !== value) return found;
  return Object.fromEntries(Object.entries(value).filter(([, each]) => isJsonObject(each) && looksLikeServer(each)));
}

/** Continue has a list in which each server says its name. */
function byName(list: readonly unknown[]): Fields {
  const named = list.flatMap((each): readonly (readonly [string, unknown])[] => {
    if (!isJsonObject(each)) return [];
    const { name, ...fields } = each;
    return [[String(name ?? ""), fields]];
  });
  return Object.fromEntries(named);
}

export function looksLikeServer(value: Fields): boolean {
  const keys = ["command", "cmd", "url", "uri", "httpUrl", "serverUrl"];
  return keys.some((key) => typeof value[key] === "string" || Array.isArray(value[key]));
}
