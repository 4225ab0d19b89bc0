/** Sharing: live rooms, sealed snapshots and the relay. Loaded when somebody first asks for it. */
export { roomSocketWith } from "@kedge/server/relay";
export { type Collab, type Links, openCollab, type Sharing } from "./open-collab.ts";
export { openShares, type Shares } from "./share-snapshot.ts";
export { type RunningRelay, startRelay } from "./start-relay.ts";
