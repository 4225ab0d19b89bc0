/** MCP: servers that bring tools, resources and prompts. */
export { chooseServers } from "./configuration/choose-servers.ts";
export { type ReadServers, readServers } from "./configuration/read-servers.ts";
export type { ServerEntry, ServerLists } from "./configuration/server-lists.ts";
export type { Authorize, ConnectParts, Elicit } from "./connection/connect-parts.ts";
export { type Connected, connectServer, type McpConnection } from "./connection/connect-server.ts";
export { createServerLog, type ServerLog } from "./connection/server-log.ts";
export * from "./server.ts";
