/** One socket that carries requests one after the other, and tells its owner of the moment what happens to it. */
import { Buffer } from "node:buffer";
import type { OnReadOpts } from "node:net";
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
  let sendPlanned = () => {};
  let slab = Buffer.allocUnsafeSlow(slabBytes);
  let slabUsed = 0;

  const onread: OnReadOpts = {
    buffer: () => {
      if (slab.length - slabUsed < readBytesMin) {
        slab = Buffer.allocUnsafeSlow(slabBytes);
        slabUsed = 0;
      }
      return slab.subarray(slabUsed);
    },
    callback(count, bytes) {
      slabUsed += count;
      // Node hands back the very buffer that it was given above; through a tunnel, one of its own.
      return owner?.received((bytes as Buffer).subarray(0, count)) ?? true;
    },
  };
  const socket = open(onread, { ready, closed: lose });

  function ready(): void {
    isReady = true;
    const send = sendPlanned;
    // What was sent must not be kept in memory as long as the connection.
    sendPlanned = () => {};
    send();
  }

  function lose(error: NodeJS.ErrnoException | undefined): void {
    const loser = owner;
    owner = undefined;
    socket().destroy();
    loser?.closed(error);
  }

  function write(head: string, body: Buffer): void {
    const to = socket();
    to.cork();
    to.write(head, "latin1");
    to.write(body);
    to.uncork();
  }

  return {
    passTo(next) {
      owner = next;
    },
    send(head, body) {
      // A key is shown to nobody whose certificate was not checked.
      if (isReady) write(head, body);
      else sendPlanned = () => write(head, body);
    },
    hasUnsent: () => socket().writableLength > 0,
    resume: () => socket().resume(),
    setWaitedFor: (isWaitedFor) => (isWaitedFor ? socket().ref() : socket().unref()),
    close() {
      owner = undefined;
      socket().destroy();
    },
  };
}
