/** The server: sessions of this machine over HTTP. An entry of its own, because a plain run needs nothing of it. */

export type { Place } from "./instance.ts";
export type { OpenedPlace } from "./instances.ts";
export { type ServerParts, type StartedServer, startServer } from "./serve.ts";
