/** The Client in process, over a port and over HTTP: every screen and script talks to the engine through this. */
export { type ClientOptions, createClient } from "./http/create-client.ts";
export { connectInProcess } from "./in-process.ts";
export { connectOverPort } from "./port/connect-over-port.ts";
export type { Port } from "./port/port.ts";
export { serveClient } from "./port/serve-client.ts";
export { query } from "./query/query.ts";
export type { QueryOptions, RequestOptions, ToolAnswer } from "./query/query-options.ts";
export type { QueryMessage } from "./query/run-messages.ts";
