/** The server: sessions of this machine over HTTP. */

export { addToken, listTokens, parseTokenLifetime, removeToken } from "./admission/token-file.ts";
export type { HostAccess } from "./host-access.ts";
export type { OpenedPlace } from "./places/instances.ts";
export type { Place } from "./places/place.ts";
export { findRunningServer } from "./run-file.ts";
export { type ServerParts, type StartedServer, startServer } from "./serve.ts";
export { type FetchServer, type ServeFetchParts, serveFetch } from "./serve-fetch.ts";
