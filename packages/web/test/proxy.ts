/** Stands between a browser and the server: a relay of bytes that holds them back, breaks connections, or goes silent. */
import { once } from "node:events";
import { connect as connectTo, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export type ByteProxy = {
  readonly port: number;
  target: number;
  /** How long every piece is held back. */
  delayMs: number;
  /** Passes everything on in pieces of this size, wherever that cuts a word or a character. */
  pieceBytes: number;
  /** Keeps event streams until they end, as a proxy that wants to have an answer as a whole; all else passes. */
  holdsStreams: boolean;
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
    inside.setNoDelay(true);
    let isStream = false;
    const ways: readonly (readonly [Socket, Socket])[] = [
      [inside, outside],
      [outside, inside],
    ];
    for (const [from, to] of ways) {
      sockets.add(from);
      // One piece after the other: what is held back is never overtaken, as on any real connection.
      let passed: Promise<unknown> = Promise.resolve();
      from.on("data", (bytes: Buffer) => {
        const { delayMs, pieceBytes } = proxy;
        // Whoever sends faster than this waits, as on a slow line.
        if (delayMs > 0) from.pause();
        if (from === inside) isStream = isEventStream(bytes);
        for (const piece of piecesOf(bytes, pieceBytes)) {
          if (delayMs > 0) passed = passed.then(() => wait(delayMs));
          passed = passed.then(() => {
            const isHeld = proxy.holdsStreams && isStream && from === outside;
            return !isSilent(from) && !isHeld && to.writable && to.write(piece);
          });
        }
        if (delayMs > 0) void passed.then(() => from.resume());
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
    pieceBytes: Number.POSITIVE_INFINITY,
    holdsStreams: false,
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

/** A browser asks one thing after the other on a connection, and each request begins a piece. */
function isEventStream(bytes: Buffer): boolean {
  return /^accept: text\/event-stream\r$/im.test(bytes.toString("latin1"));
}

function piecesOf(bytes: Buffer, pieceBytes: number): readonly Buffer[] {
  if (bytes.length <= pieceBytes) return [bytes];
  const count = Math.ceil(bytes.length / pieceBytes);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes));
}
