/** Servers that a command line names for one start: files of any spelling, or JSON. */
import { type McpServer, readServers } from "@kedge/extend/mcp-servers";
import { type Failure, isJsonObject } from "@kedge/protocol";
import { placeVariables } from "./chosen-servers.ts";
import { readServerFile } from "./read-server-file.ts";

export type NamedServers =
  | { readonly ok: true; readonly servers: readonly McpServer[] }
  | { readonly ok: false; readonly failure: Failure };

/** Whoever typed it is there to correct it, so that nothing starts with one server less. */
export async function namedServers(
  texts: readonly string[],
  environment: { readonly [name: string]: string | undefined },
  places: { readonly projectRoot: string; readonly userDirectory: string },
): Promise<NamedServers> {
  const named = placeVariables(places);
  const variable = (name: string) => environment[name] ?? named[name];
  const byName = new Map<string, McpServer>();
  for (const text of texts) {
    const given = text.trimStart().startsWith("{") ? parsed(text) : await readServerFile(text, places.projectRoot);
    if (!given.ok) return refuse(`--mcp-config: ${given.sentence}.`);
    const file = "--mcp-config";
    const read = readServers(given.servers, { scope: "dynamic", file, variable });
    const [problem] = read.unused;
    if (problem !== undefined)
      return refuse(`--mcp-config: the server ${problem.name} cannot be used: ${problem.reason}.`);
    if (read.servers.length === 0) return refuse(`--mcp-config: ${text.slice(0, 100)} contains no MCP servers.`);
    for (const server of read.servers) byName.set(server.name, server);
  }
  return { ok: true, servers: [...byName.values()] };
}

function parsed(text: string): { ok: true; servers: unknown } | { ok: false; sentence: string } {
  try {
    const servers: unknown = JSON.parse(text);
    if (isJsonObject(servers)) return { ok: true, servers };
  } catch {
    // Said below.
  }
  return { ok: false, sentence: "the text is not a JSON object" };
}

function refuse(message: string): NamedServers {
  return { ok: false, failure: { code: "configuration", message, retryable: false } };
}
