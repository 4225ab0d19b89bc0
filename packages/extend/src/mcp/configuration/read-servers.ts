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

/** A server may be called `servers` itself: what looks like a server is one. */
export function serversIn(value: unknown): Fields {
  if (!isJsonObject(value)) return {};
  for (const key of ["mcpServers", "servers", "mcp"]) {
    const inner = value[key];
    if (isJsonObject(inner) && !looksLikeServer(inner)) return serversIn(inner);
  }
  return value;
}

function looksLikeServer(value: Fields): boolean {
  return ["command", "url", "httpUrl"].some((key) => typeof value[key] === "string" || Array.isArray(value[key]));
}
