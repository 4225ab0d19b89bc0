/** MCP: servers that bring tools, resources and prompts. Loaded only where servers are configured. */
export type { Authorize, ConnectParts } from "./connection/connect-parts.ts";
export { connectServer, type McpConnection } from "./connection/connect-server.ts";
export type { LiveServer } from "./connection/live-server.ts";
export { createServerLog } from "./connection/server-log.ts";
export type { ServerChange } from "./connection/told-state.ts";
export type { HookedRequest, QuestionHooks } from "./offers/elicitation-desk.ts";
export { readMcpUrl } from "./offers/read-resource.ts";
export type { ServerPrompt } from "./offers/server-prompts.ts";
export * from "./server.ts";
export { createServerHub, type HubServer, type ServerHub, type ServerHubParts } from "./server-hub.ts";
