/** What host and guest of a room need of a WebSocket, in Node and in browsers. */
import type { Bytes } from "./bytes.ts";

export type RoomSocket = {
  send(data: string | Bytes): void;
  close(): void;
};

export type SocketEvents = {
  readonly onWord: (text: string) => void;
  readonly onFrame: (frame: Bytes) => void;
  /** Once, also where the connection was never made. */
  readonly onClose: (end: { readonly code: number; readonly reason: string }) => void;
};

export type OpenRoomSocket = (url: string, events: SocketEvents) => RoomSocket;
