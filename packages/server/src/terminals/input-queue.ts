/** Keys on their way to a program that may not be reading them. */
import { writeSync } from "node:fs";

interface InputQueue {
  /** False when so much waits that whoever types should stop until `onDrain`. */
  write(bytes: Uint8Array): boolean;
  close(): void;
}

export type InputQueueParts = {
  readonly fileDescriptor: number;
  readonly isOpen: () => boolean;
  readonly onDrain: () => void;
};

const inputBytesMax = 256 * 1024;
const pieceBytesMax = 4096;
const retryMs = 10;

/**
 * Writes to the terminal itself: the library's own way to write goes round in circles, and the whole process with it,
 * once the program has left more unread than the system keeps.
 */
export function createInputQueue({ fileDescriptor, isOpen, onDrain }: InputQueueParts): InputQueue {
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let retry: NodeJS.Timeout | undefined;
  let isFull = false;

  function flush(): void {
    retry = undefined;
    for (let piece = waiting[0]; piece !== undefined; piece = waiting[0]) {
      const taken = isOpen() ? writePiece(fileDescriptor, piece) : "closed";
      if (taken === "closed") {
        drop();
        return;
      }
      if (taken === 0) {
        retry = setTimeout(flush, retryMs);
        return;
      }
      waitingBytes -= taken;
      if (taken === piece.length) waiting.shift();
      else waiting[0] = piece.subarray(taken);
    }
    if (!isFull) return;
    isFull = false;
    onDrain();
  }

  function drop(): void {
    clearTimeout(retry);
    waiting.length = 0;
    waitingBytes = 0;
  }

  return {
    write(bytes) {
      if (bytes.length === 0 || !isOpen()) return !isFull;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (retry === undefined) flush();
      isFull = waitingBytes > inputBytesMax;
      return !isFull;
    },
    close: drop,
  };
}

/** How many bytes were taken: none when the program reads nothing. */
function writePiece(fileDescriptor: number, bytes: Uint8Array): number | "closed" {
  try {
    return writeSync(fileDescriptor, bytes, 0, Math.min(bytes.length, pieceBytesMax));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EAGAIN") return 0;
    // Nobody holds the other end any more.
    if (code === "EIO" || code === "EBADF") return "closed";
    throw error;
  }
}
