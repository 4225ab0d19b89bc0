/** The published SDK: kedge for programs, in process and over HTTP. */
export type * from "@kedge/protocol";
export { FailureError, protocolVersion } from "@kedge/protocol";
export {
  type ClientOptions,
  createClient,
  type QueryMessage,
  type QueryOptions,
  type RequestOptions,
  type ToolAnswer,
} from "@kedge/sdk";
export { createLocal, type LocalKedge, type LocalOptions } from "./create-local.ts";
export type { ProgramServers } from "./program-servers.ts";
export type { ProgramTool } from "./program-tool.ts";
export { type LocalQueryOptions, query } from "./query.ts";
