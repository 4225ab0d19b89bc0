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
  if (lists.denied.some((entry) => matches(entry, server, "denies"))) return "blocked by deniedMcpServers";
  if (lists.allowed === undefined || lists.allowed.some((entry) => matches(entry, server, "allows"))) return undefined;
  return "not allowed by allowedMcpServers";
}

function matches(
  entry: ServerEntry,
  { name, transport }: Pick<McpServer, "name" | "transport">,
  sense: Sense,
): boolean {
  if ("serverName" in entry) return entry.serverName === name;
  if ("serverCommand" in entry) {
    if (transport.type !== "stdio") return false;
    const words = [transport.command, ...transport.args];
    return words.length === entry.serverCommand.length && words.every((word, at) => word === entry.serverCommand[at]);
  }
  return "url" in transport && matchesUrl(entry.serverUrl, transport.url, sense);
}

/** Whether the pattern permits or forbids: a doubt about it is held against the server. */
type Sense = "allows" | "denies";

/** A denial holds for every spelling of an address, a permission for the form in which it is asked. */
function matchesUrl(pattern: string, url: string, sense: Sense): boolean {
  const whole = new RegExp(`^${sense === "allows" ? allowedSource(pattern) : anywhere(pattern)}$`, "i");
  const href = URL.parse(url)?.href ?? url;
  const spellings = [href, href.replace(/\/$/, ""), ...(sense === "denies" ? [url, decoded(href)] : [])];
  return spellings.some((each) => whole.test(each));
}

/**
 * A `*` in the host stands for no more than a part of the host: `https://*.corp.test/*` does not allow a server in whose
 * path that name stands.
 */
function allowedSource(pattern: string): string {
  const parts = /^([a-z]+:\/\/)([^/?#]*)(.*)$/is.exec(pattern);
  if (parts === null) return anywhere(pattern);
  const [, start = "", host = "", rest = ""] = parts;
  const path = rest === "" && host.endsWith("*") ? "(?:[/?#].*)?" : anywhere(rest);
  return anywhere(start) + inHost(host) + path;
}

function inHost(pattern: string): string {
  return withWildcards(pattern, "[^/?#@\\\\]*");
}

function anywhere(pattern: string): string {
  return withWildcards(pattern, ".*");
}

function withWildcards(pattern: string, wildcard: string): string {
  return pattern
    .split("*")
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(wildcard);
}

function decoded(href: string): string {
  try {
    return decodeURI(href);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return href;
  }
}
