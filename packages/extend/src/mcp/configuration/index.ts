/** Which MCP servers are configured and used. Loads nothing of the protocol, so that a start can afford it. */
export { describeTransport, isRemote, type McpScope, type McpServer, type UnusedServer } from "../server.ts";
export { chooseServers } from "./choose-servers.ts";
export type { VariableParts } from "./fill-variables.ts";
export { disabledReason } from "./read-server.ts";
export { looksLikeServer, type ReadServers, readServers, serversAmong, serversIn } from "./read-servers.ts";
export type { ServerEntry, ServerLists } from "./server-lists.ts";
