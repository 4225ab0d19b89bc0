/** MCP servers for commands that start no session. */
export { addServer, removeServer, serversOfFile } from "./change-servers.ts";
export { openCommandMcp } from "./command-mcp.ts";
export { serverData, serverLines, serverText } from "./list-servers.ts";
export { namedServers } from "./named-servers.ts";
export { programServers } from "./program-servers.ts";
export { readServerLog } from "./server-logs.ts";
export { serverNetwork } from "./server-network.ts";
