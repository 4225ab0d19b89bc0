/** Splits a stream of bytes into lines, and says so when one of them does not end in time. */

export type LineReaderParts = {
  readonly lineBytesMax: number;
  readonly onLine: (line: string) => void;
  /** Once; nothing is read after it. */
  readonly onTooLong: () => void;
};

/** Pieces of a long line are kept apart until it ends, so that its cost grows with its length alone. */
export function createLineReader({ lineBytesMax, onLine, onTooLong }: LineReaderParts) {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  const take = (last: Buffer) => {
    const line = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    pieces = [];
    bytes = 0;
    onLine(line.toString("utf8"));
  };
  return {
    add(chunk: Buffer): void {
      let start = 0;
      while (!isOver) {
        const end = chunk.indexOf(0x0a, start);
        if (end === -1) break;
        take(chunk.subarray(start, end));
        start = end + 1;
      }
      if (isOver || start === chunk.length) return;
      const rest = chunk.subarray(start);
      bytes += rest.length;
      if (bytes <= lineBytesMax) {
        pieces.push(rest);
        return;
      }
      isOver = true;
      pieces = [];
      onTooLong();
    },
  };
}
