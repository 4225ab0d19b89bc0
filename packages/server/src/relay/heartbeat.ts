/** Whether connections are still there: each is asked with every beat, and ended if it did not answer the last one. */
import type { WebSocket } from "ws";

export type Heartbeat = { readonly watch: (socket: WebSocket) => void; readonly beat: (socket: WebSocket) => void };

export function createHeartbeat(): Heartbeat {
  // Weak, because most that were ever here are gone without a beat.
  const alive = new WeakSet<WebSocket>();
  return {
    watch(socket) {
      alive.add(socket);
      socket.on("pong", () => alive.add(socket));
      // Every error of a connection is followed by its end, which is what counts.
      socket.on("error", () => socket.terminate());
    },
    beat(socket) {
      // Whoever did not answer since the last beat is gone, with or without a word.
      if (!alive.delete(socket)) socket.terminate();
      else socket.ping();
    },
  };
}
