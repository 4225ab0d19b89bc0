/** One socket that carries requests one after the other, and tells its owner of the moment what happens to it. */
import { Buffer } from "node:buffer";
import type { OpenSocket } from "./open-socket.ts";

/** Who has the connection: an exchange, or the pool while it is idle. */
export type ConnectionOwner = {
  /** The bytes are never overwritten, so parts of them may be kept. False stops the reading until `resume`. */
  readonly received: (bytes: Buffer) => boolean;
  /** Called at most once, and last. Without an error the other side ended the connection in order. */
  readonly closed: (error: NodeJS.ErrnoException | undefined) => void;
};

export type HttpConnection = {
  readonly passTo: (owner: ConnectionOwner) => void;
  /** `body` is not copied: it must not change until the answer to it is complete. */
  readonly send: (head: string, body: Buffer) => void;
  readonly hasUnsent: () => boolean;
  readonly resume: () => void;
  /** Whether the process waits for it. */
  readonly setWaitedFor: (isWaitedFor: boolean) => void;
  /** The owner is not told. */
  readonly close: () => void;
};

/** One allocation serves the reads of many small answers; a read never gets less room than the minimum. */
const slabBytes = 128 * 1024;
const readBytesMin = 64 * 1024;

export function openConnection(open: OpenSocket, firstOwner: ConnectionOwner): HttpConnection {
  let owner: ConnectionOwner | undefined = firstOwner;
  let isReady = false;
  let slab = Buffer.allocUnsafeSlow(slabBytes);
  let slabUsed = 0;

  const { socket, readyEvent } = open({
    buffer: () => {
      if (slab.length - slabUsed < readBytesMin) {
        slab = Buffer.allocUnsafeSlow(slabBytes);
        slabUsed = 0;
      }
      return slab.subarray(slabUsed);
    },
    callback(count, bytes) {
      slabUsed += count;
      // Node hands back the very buffer that it was given above.
      return owner?.received((bytes as Buffer).subarray(0, count)) ?? true;
    },
  });

  function lose(error: NodeJS.ErrnoException | undefined): void {
    const loser = owner;
    owner = undefined;
    socket.destroy();
    loser?.closed(error);
  }

  socket.once(readyEvent, () => {
    isReady = true;
  });
  socket.on("error", lose);
  socket.on("end", () => lose(undefined));
  socket.on("close", () => lose(undefined));

  function write(head: string, body: Buffer): void {
    socket.cork();
    socket.write(head, "latin1");
    socket.write(body);
    socket.uncork();
  }

  return {
    passTo(next) {
      owner = next;
    },
    send(head, body) {
      if (isReady) write(head, body);
      // A key is shown to nobody whose certificate was not checked.
      else socket.once(readyEvent, () => write(head, body));
    },
    hasUnsent: () => socket.writableLength > 0,
    resume: () => socket.resume(),
    setWaitedFor: (isWaitedFor) => (isWaitedFor ? socket.ref() : socket.unref()),
    close() {
      owner = undefined;
      socket.destroy();
    },
  };
}
