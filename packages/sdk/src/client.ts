/** The published client alone: kedge over HTTP, for browsers and whatever else has `fetch` and no Node. */
export type * from "@kedge/protocol";
export { FailureError, protocolVersion } from "@kedge/protocol";
export { type ClientOptions, createClient } from "./http/create-client.ts";
export { query } from "./query/query.ts";
export type { QueryOptions, RequestOptions, ToolAnswer } from "./query/query-options.ts";
export type { QueryMessage } from "./query/run-messages.ts";
