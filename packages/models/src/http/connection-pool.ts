/** The connections to one host that no exchange uses: the newest is taken first, the rest is closed after a while. */
import { type ConnectionOwner, type HttpConnection, openConnection } from "./http-connection.ts";
import type { OpenSocket } from "./open-socket.ts";
import { createHeadReader, type ReadHead } from "./response-head.ts";

export type ConnectionPool = {
  readonly readHead: ReadHead;
  /** An idle connection, or a new one. */
  readonly take: (owner: ConnectionOwner) => HttpConnection;
  /** `keepAliveMs` is how long the server promised to keep it. */
  readonly put: (connection: HttpConnection, keepAliveMs: number) => void;
  /** From now on every request gets a new connection. */
  readonly stopKeeping: () => void;
};

const idleConnectionsMax = 4;
const idleMsMax = 60_000;

/** A request must not be on its way while the server gives up waiting for one. */
const keepAliveMarginMs = 1_000;

type Idle = { readonly connection: HttpConnection; readonly timer: NodeJS.Timeout };

export function createConnectionPool(open: OpenSocket): ConnectionPool {
  const idle: Idle[] = [];
  let keeps = true;

  function remove(connection: HttpConnection): void {
    const index = idle.findIndex((entry) => entry.connection === connection);
    if (index === -1) return;
    clearTimeout(idle[index]?.timer);
    idle.splice(index, 1);
  }

  function drop(connection: HttpConnection): void {
    remove(connection);
    connection.close();
  }

  return {
    readHead: createHeadReader(),
    take(owner) {
      const newest = idle.pop();
      if (newest === undefined) return openConnection(open, owner);
      clearTimeout(newest.timer);
      newest.connection.setWaitedFor(true);
      newest.connection.passTo(owner);
      return newest.connection;
    },
    put(connection, keepAliveMs) {
      const idleMs = Math.min(idleMsMax, keepAliveMs - keepAliveMarginMs);
      if (idleMs <= 0 || !keeps) {
        connection.close();
        return;
      }
      connection.passTo({
        received: () => {
          // Nobody asked for these bytes: an answer read from here would not be the next request's.
          drop(connection);
          return true;
        },
        // Its error matters to nobody: no request was on its way.
        closed: () => remove(connection),
      });
      connection.setWaitedFor(false);
      idle.push({ connection, timer: setTimeout(drop, idleMs, connection).unref() });
      const oldest = idle.length > idleConnectionsMax ? idle[0] : undefined;
      if (oldest !== undefined) drop(oldest.connection);
    },
    stopKeeping() {
      keeps = false;
      for (const { connection } of [...idle]) drop(connection);
    },
  };
}
