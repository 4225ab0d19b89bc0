/** Joining a shared session. An entry of its own, because most clients have no room. Runs in browsers. */
export { openBrowserSocket } from "./browser-socket.ts";
export type { GuestState } from "./guest-connection.ts";
export { type JoinedRoom, joinRoom } from "./join-room.ts";
