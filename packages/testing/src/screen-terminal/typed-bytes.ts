/** Bytes on their way into a terminal whose program may be slow to read them. */
import { writeSync } from "node:fs";

type TypedBytes = {
  write(text: string): void;
  /** Resolves when everything written before was taken. */
  taken(): Promise<void>;
  close(): void;
};

type TypedBytesParts = { readonly fileDescriptor: number; readonly isOpen: () => boolean };

/** The kernel keeps a page for a program that does not read. */
const pieceBytesMax = 2_048;
const retryMs = 1;

/** Writes to the file itself: the library's own way goes round in circles when more than 12 KB stay unread. */
export function createTypedBytes({ fileDescriptor, isOpen }: TypedBytesParts): TypedBytes {
  let waiting: Buffer = Buffer.alloc(0);
  let retry: NodeJS.Timeout | undefined;
  let listeners: (() => void)[] = [];

  function flush(): void {
    retry = undefined;
    while (waiting.length > 0 && isOpen()) {
      const taken = writePiece(fileDescriptor, waiting.subarray(0, pieceBytesMax));
      if (taken === 0) {
        retry = setTimeout(flush, retryMs);
        return;
      }
      waiting = waiting.subarray(taken);
    }
    waiting = Buffer.alloc(0);
    const told = listeners;
    listeners = [];
    for (const listener of told) listener();
  }

  return {
    write(text) {
      const bytes = Buffer.from(text);
      waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
      if (retry === undefined) flush();
    },
    taken: () =>
      new Promise((resolve) => {
        if (waiting.length === 0) resolve();
        else listeners.push(resolve);
      }),
    close() {
      clearTimeout(retry);
      waiting = Buffer.alloc(0);
      flush();
    },
  };
}

/** How many bytes were taken: none when the program reads nothing. */
function writePiece(fileDescriptor: number, bytes: Buffer): number {
  try {
    return writeSync(fileDescriptor, bytes);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EAGAIN") return 0;
    // The program is gone, and what it did not read is nobody's any more.
    if (code === "EIO" || code === "EBADF") return bytes.length;
    throw error;
  }
}
