/** Tells addresses from paths, and says which there are. An unknown scheme is an error, never a path. */
import { fileURLToPath } from "node:url";
import type { Need, ToolContext } from "@kedge/protocol";

export type Address = { readonly scheme: string; readonly name: string };

const pattern = /^([a-z][a-z0-9+.-]+):\/\/(.*)$/is;

/** Those that the tools serve themselves. */
const ownSchemes = [
  { name: "artifact", holds: "long results of this session, by number" },
  { name: "conflict", holds: "regions of an unfinished merge, by number" },
  { name: "https", holds: "web pages" },
] as const;

export function parseAddress(text: string): Address | undefined {
  // Most paths have no such sign, and then nothing else needs to be tried.
  if (!text.includes("://")) return undefined;
  const [, scheme, name = ""] = pattern.exec(text.trim()) ?? [];
  return scheme === undefined ? undefined : { scheme: scheme.toLowerCase(), name };
}

/** A file by its URL is meant as a path. One that is no path of this machine stays as it is. */
export function withoutFileScheme(target: string): string {
  if (!/^file:\/\//i.test(target)) return target;
  try {
    return fileURLToPath(target);
  } catch {
    return target;
  }
}

export function describeUnknown({ scheme }: Address, { addresses }: Pick<ToolContext, "addresses">): string {
  const rows = [...ownSchemes, ...addresses.schemes].map(({ name, holds }) => `\n${name}:// (${holds})`);
  return `${scheme}:// is not known. There are:${rows.join("")}`;
}

/** An address lies nowhere: a rule knows it by what it says. To read what an MCP server offers, the server is asked. */
export function needAddress(permission: string, address: string): Need {
  const server = /^mcp:\/\/([^/?]+)\/./.exec(address)?.[1];
  if (server === undefined) return { permission, patterns: [address], always: [address], access: "read" };
  const asked = `mcp__${server.replaceAll(/[^\w-]/g, "_")}__resources`;
  return { permission: asked, patterns: [address], always: [`mcp://${server}/*`], access: "network" };
}
