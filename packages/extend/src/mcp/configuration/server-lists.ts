/** Lists of servers that may and may not be used, by name, exact command, or pattern of URLs. A denial always wins. */
import type { McpServer } from "../server.ts";

export type ServerEntry =
  | { readonly serverName: string }
  | { readonly serverCommand: readonly string[] }
  /** With `*` for any text. */
  | { readonly serverUrl: string };

export type ServerLists = {
  /** All servers without it, none when it is empty. */
  readonly allowed?: readonly ServerEntry[];
  readonly denied: readonly ServerEntry[];
};

/** Why a server may not be used, as a sentence part; undefined when it may. */
export function refuseServer(server: Pick<McpServer, "name" | "transport">, lists: ServerLists): string | undefined {
  if (lists.denied.some((entry) => matches(entry, server))) return "blocked by deniedMcpServers";
  if (lists.allowed === undefined || lists.allowed.some((entry) => matches(entry, server))) return undefined;
  return "not allowed by allowedMcpServers";
}

function matches(entry: ServerEntry, { name, transport }: Pick<McpServer, "name" | "transport">): boolean {
  if ("serverName" in entry) return entry.serverName === name;
  if ("serverCommand" in entry) {
    if (transport.type !== "stdio") return false;
    const words = [transport.command, ...transport.args];
    return words.length === entry.serverCommand.length && words.every((word, at) => word === entry.serverCommand[at]);
  }
  return "url" in transport && matchesUrl(entry.serverUrl, transport.url);
}

/** Compared as an address is asked, so that another spelling of a host is the same host. */
function matchesUrl(pattern: string, url: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const whole = new RegExp(`^${parts.join(".*")}$`, "i");
  const href = URL.parse(url)?.href ?? url;
  return whole.test(url) || whole.test(href) || whole.test(href.replace(/\/$/, ""));
}
