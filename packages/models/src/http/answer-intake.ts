/** The bytes of one answer: taken from Node all at once, held until somebody reads, and left with Node while nobody does. */
import type { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";

export type AnswerIntake = {
  /** From now on `arrived` is called whenever bytes have come. */
  readonly open: (from: IncomingMessage, arrived: () => void) => void;
  /** From now on all bytes go to `sink`, those that came before first. */
  readonly readInto: (sink: (bytes: Buffer) => void) => void;
  /** True when bytes came since the last time. The reader has caught up, so the sender need not wait any more. */
  readonly takeNews: () => boolean;
  readonly isPaused: () => boolean;
  /** Takes what Node still holds. */
  readonly drain: () => void;
  /** Nobody reads any more; what still comes is thrown away. */
  readonly close: () => void;
};

/** A consumer that lags so far behind makes the sender wait. */
const unreadBytesMax = 1024 * 1024;

export function createAnswerIntake(): AnswerIntake {
  let response: IncomingMessage | undefined;
  let sink: ((bytes: Buffer) => void) | undefined;
  let early: Buffer[] = [];
  let unreadBytes = 0;
  let hasNews = false;
  let isPaused = false;

  /** One call for all chunks that came in one read of the socket, of which there may be hundreds. */
  function drain(): void {
    const bytes: Buffer | null | undefined = response?.read();
    if (bytes != null) {
      hasNews = true;
      unreadBytes += bytes.length;
      if (sink === undefined) early.push(bytes);
      else sink(bytes);
    }
    isPaused = unreadBytes > unreadBytesMax;
  }

  return {
    open(from, arrived) {
      response = from;
      from.on("readable", () => {
        if (isPaused) return;
        drain();
        arrived();
      });
    },
    readInto(to) {
      sink = to;
      for (const bytes of early) to(bytes);
      early = [];
    },
    takeNews() {
      unreadBytes = 0;
      if (isPaused) drain();
      const had = hasNews;
      hasNews = false;
      return had;
    },
    isPaused: () => isPaused,
    drain,
    close() {
      sink = () => {};
      early = [];
      unreadBytes = 0;
      if (isPaused) drain();
    },
  };
}
