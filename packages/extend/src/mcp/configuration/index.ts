/** Which MCP servers are configured and used. Loads nothing of the protocol, so that a start can afford it. */
export type { McpScope, McpServer, UnusedServer } from "../server.ts";
export { chooseServers } from "./choose-servers.ts";
export { disabledReason } from "./read-server.ts";
export { looksLikeServer, type ReadServers, readServers, serversAmong, serversIn } from "./read-servers.ts";
export type { ServerEntry, ServerLists } from "./server-lists.ts";
