/** Servers that a program brings which uses kedge as a library. */
import { type McpServer, readServers } from "@kedge/extend/mcp-servers";
import { FailureError, type JsonObject } from "@kedge/protocol";

/** The client's end of a transport of the MCP library, for a server in this process. */
export type ProgramTransport = { readonly type: "sdk"; readonly open: () => Promise<unknown> };

export type ProgramServers = { readonly [name: string]: JsonObject | ProgramTransport };

/** Throws where one is none: the program's author is there to correct it. */
export function programServers(given: ProgramServers): readonly McpServer[] {
  const origin = { scope: "dynamic", file: "the program that uses kedge" } as const;
  return Object.entries(given).map(([name, fields]): McpServer => {
    if (isTransport(fields)) {
      // The library checks at the first message that it is one.
      const open = fields.open as Extract<McpServer["transport"], { type: "sdk" }>["open"];
      return { ...origin, name, transport: { type: "sdk", open }, signature: `sdk ${name}` };
    }
    const { servers, unused } = readServers({ [name]: fields }, { ...origin, variable: () => undefined });
    const [server] = servers;
    if (server !== undefined) return server;
    const message = `MCP server ${name} cannot be used: ${unused[0]?.reason ?? "it is not a server"}.`;
    throw new FailureError({ code: "configuration", message, retryable: false });
  });
}

function isTransport(fields: JsonObject | ProgramTransport): fields is ProgramTransport {
  return typeof fields["open"] === "function";
}
