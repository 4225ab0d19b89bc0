/** The MCP servers that a program brings, as its author writes them. */
import type { JsonObject } from "@kedge/protocol";

/** The client's end of a transport of the MCP library, for a server in this process. */
export type ProgramTransport = { readonly type: "sdk"; readonly open: () => Promise<unknown> };

/** By name: fields as in the setting `mcp`, or a server in this process. */
export type ProgramServers = { readonly [name: string]: JsonObject | ProgramTransport };
