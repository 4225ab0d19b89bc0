/**
 * Joins the chunks of a long line once. The last events of this wire repeat the whole answer in one line each; handing
 * on every chunk of them would copy what came before again and again.
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

export function joinLongLines(handOn: (bytes: Buffer) => void): LongLines {
  let held: Buffer[] = [];
  let heldBytes = 0;

  function flush(): void {
    const bytes = held;
    held = [];
    heldBytes = 0;
    if (bytes.length > 0) handOn(Buffer.concat(bytes));
  }

  return {
    push(chunk) {
      const isOpenEnded = chunk.indexOf(lineFeed) === -1;
      if (!isOpenEnded && held.length === 0) {
        handOn(chunk);
        return;
      }
      held.push(chunk);
      heldBytes += chunk.length;
      if (!isOpenEnded || heldBytes > heldBytesMax) flush();
    },
    flush,
  };
}
