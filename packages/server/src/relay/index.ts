/** Live sharing over a relay: the relay itself, and connections to one. */
export { createRelay, type PageFile } from "./relay.ts";
export { createAllowance } from "./relay-limits.ts";
export { roomSocketWith } from "./room-socket.ts";
export { snapshotBytesMax } from "./snapshots.ts";
