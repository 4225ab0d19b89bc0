/** Takes in the chunks of an answer: held until somebody reads, counted until the reader has caught up. */
import type { Buffer } from "node:buffer";

export type ChunkIntake = {
  readonly take: (chunk: Buffer) => void;
  /** From now on every chunk goes to `sink`, those that came before first. */
  readonly readInto: (sink: (chunk: Buffer) => void) => void;
  readonly hasUnread: () => boolean;
  /** So much is unread that the sender has to wait. */
  readonly isFull: () => boolean;
  /** The reader has come back for more. */
  readonly countAnew: () => void;
  readonly markRead: () => void;
  /** Nobody reads any more. */
  readonly close: () => void;
};

/** A consumer that lags so far behind makes the sender wait. */
const unreadBytesMax = 1024 * 1024;

export function createChunkIntake(): ChunkIntake {
  let hasUnread = false;
  let unreadBytes = 0;
  /** What came before anybody read. */
  let held: Buffer[] = [];
  let sink = (chunk: Buffer) => {
    held.push(chunk);
  };
  return {
    take(chunk) {
      sink(chunk);
      hasUnread = true;
      unreadBytes += chunk.length;
    },
    readInto(to) {
      sink = to;
      for (const chunk of held) to(chunk);
      held = [];
    },
    hasUnread: () => hasUnread,
    isFull: () => unreadBytes > unreadBytesMax,
    countAnew() {
      unreadBytes = 0;
    },
    markRead() {
      hasUnread = false;
    },
    close() {
      sink = () => {};
      held = [];
    },
  };
}
