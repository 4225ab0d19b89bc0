/** Stands between a browser and the server: a relay of bytes that holds them back, breaks connections, or goes silent. */
import { once } from "node:events";
import { connect as connectTo, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export type ByteProxy = {
  readonly port: number;
  target: number;
  /** How long every piece is held back. */
  delayMs: number;
  /** Breaks every connection there is. */
  cut(): void;
  /** Passes nothing on any more and says nothing, as when a cable is pulled. */
  freeze(): void;
  thaw(): void;
  /** The connections that are there say nothing any more, as after a sleep; new ones work. */
  forget(): void;
  close(): Promise<void>;
};

export async function openProxy(): Promise<ByteProxy> {
  const sockets = new Set<Socket>();
  const forgotten = new Set<Socket>();
  let isFrozen = false;
  const isSilent = (socket: Socket) => isFrozen || forgotten.has(socket);
  const relay = createServer((inside) => {
    const outside = connectTo(proxy.target, "127.0.0.1");
    const ways: readonly (readonly [Socket, Socket])[] = [
      [inside, outside],
      [outside, inside],
    ];
    for (const [from, to] of ways) {
      sockets.add(from);
      // One piece after the other: what is held back is never overtaken, as on any real connection.
      let passed: Promise<unknown> = Promise.resolve();
      from.on("data", (bytes: Buffer) => {
        const { delayMs } = proxy;
        if (delayMs > 0) passed = passed.then(() => wait(delayMs));
        passed = passed.then(() => !isSilent(from) && to.writable && to.write(bytes));
      });
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        void passed.then(() => !isSilent(from) && to.destroy());
      });
    }
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const address = relay.address();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy: ByteProxy = {
    port: typeof address === "object" && address !== null ? address.port : 0,
    target: 0,
    delayMs: 0,
    cut,
    freeze() {
      isFrozen = true;
    },
    thaw() {
      isFrozen = false;
      cut();
    },
    forget() {
      for (const socket of sockets) forgotten.add(socket);
    },
    async close() {
      for (const socket of forgotten) socket.destroy();
      cut();
      relay.close();
      await once(relay, "close");
    },
  };
  return proxy;
}
