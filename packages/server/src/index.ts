/** The server: sessions of this machine over HTTP. */

export { addToken, listTokens, parseTokenLifetime, removeToken } from "./admission/token-file.ts";
export {
  type PushSubscription,
  reachFolder,
  readDeviceFile,
  renameDevice,
  revokeDevice,
  type StoredDevice,
} from "./devices/device-file.ts";
export type { PushMessage, PushOutcome, PushSender } from "./devices/push-notices.ts";
export type { HostAccess } from "./host-access.ts";
export type { Place } from "./places/place.ts";
export { findRunningServer } from "./run-file.ts";
export { type StartedServer, startServer } from "./serve.ts";
export { type FetchServer, type ServeFetchParts, serveFetch } from "./serve-fetch.ts";
export type { ReachOptions } from "./serve-reach.ts";
