/** The server: sessions of this machine over HTTP. An entry of its own, because a plain run needs nothing of it. */

export { addToken, listTokens, parseTokenLifetime, removeToken } from "./gate/token-file.ts";
export type { Place } from "./instance.ts";
export type { OpenedPlace } from "./instances.ts";
export { findRunningServer } from "./run-file.ts";
export { type ServerParts, type StartedServer, startServer } from "./serve.ts";
