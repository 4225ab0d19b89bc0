/** Shared sessions: links, keys, sealed frames and what they say. An entry of its own: a plain run needs none of it. */
export { type Bytes, base64UrlOf, bytesOfBase64Url, joinBytes, randomBytesOf, uint32At } from "./bytes.ts";
export { type HostWord, type RelayWord, readWord, relayCodes, relayReasons } from "./relay-words.ts";
export * from "./room-frames.ts";
export * from "./room-keys.ts";
export { formatRoomLink, type LinkForms, parseRoomLink, type RoomLink } from "./room-link.ts";
export type { OpenRoomSocket, RoomSocket } from "./room-socket.ts";
export * from "./sealed-frames.ts";
