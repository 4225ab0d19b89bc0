/**
 * Joins the chunks of a long line once, or drops them. The last events of this wire repeat the whole answer in one line
 * each; handing on every chunk of them would copy what came before again and again.
 */
import { Buffer } from "node:buffer";

const lineFeed = 0x0a;

/** More is handed on without waiting for the line's end, so that whoever reads can find it too long. */
const heldBytesMax = 4 * 1024 * 1024;

export type LongLines = {
  readonly push: (chunk: Buffer) => void;
  /** Hands on what is held, because nothing follows. */
  readonly flush: () => void;
};

/** `isUnused` tells by a line, its line feed included, that nobody reads the rest of the line after it. */
export function joinLongLines(handOn: (bytes: Buffer) => void, isUnused: (line: Buffer) => boolean): LongLines {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isDropping = false;

  function flush(): void {
    const bytes = held;
    held = [];
    heldBytes = 0;
    if (bytes.length > 0) handOn(Buffer.concat(bytes));
  }

  /** Whether the chunk ends within a line that nobody reads. */
  function endsUnused(chunk: Buffer): boolean {
    const lineStart = chunk.lastIndexOf(lineFeed) + 1;
    if (lineStart <= 1 || lineStart === chunk.length) return false;
    return isUnused(chunk.subarray(chunk.lastIndexOf(lineFeed, lineStart - 2) + 1, lineStart));
  }

  return {
    push(chunk) {
      const end = chunk.indexOf(lineFeed);
      if (isDropping && end === -1) return;
      if (end !== -1 && held.length === 0) {
        const kept = isDropping ? chunk.subarray(end) : chunk;
        handOn(kept);
        isDropping = endsUnused(kept);
        return;
      }
      held.push(chunk);
      heldBytes += chunk.length;
      if (end !== -1 || heldBytes > heldBytesMax) flush();
    },
    flush,
  };
}
