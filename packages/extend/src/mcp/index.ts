/** MCP: servers that bring tools, resources and prompts. Loaded only where servers are configured. */
export type { Authorize, ConnectParts, Elicit } from "./connection/connect-parts.ts";
export { type Connected, connectServer, type McpConnection } from "./connection/connect-server.ts";
export type { LiveServer, ServerChange } from "./connection/live-server.ts";
export { createServerLog, type ServerLog } from "./connection/server-log.ts";
export { describeState, type McpServerState } from "./connection/server-state.ts";
export type { HookedRequest, QuestionHooks } from "./offers/elicitation-desk.ts";
export { mcpPrefix, type ResourceReading, readMcpUrl } from "./offers/read-resource.ts";
export type { ServerPrompt } from "./offers/server-prompts.ts";
export * from "./server.ts";
export { createServerHub, type HubServer, type ServerHub, type ServerHubParts } from "./server-hub.ts";
