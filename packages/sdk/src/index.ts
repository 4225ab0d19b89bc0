/** The Client, in process and over HTTP: every screen and script talks to the engine through this. */
export { type ClientOptions, createClient } from "./http/create-client.ts";
export { connectInProcess } from "./in-process.ts";
export { type QueryOptions, query, type RequestOptions, type ToolAnswer } from "./query/query.ts";
export type { QueryMessage } from "./query/run-messages.ts";
