/** Splits bytes into lines without ever holding more than a limit; both ends of the channel to foreign code use it. */

export type LineReader = {
  /** Calls `onLine` for every line that is complete by now. */
  add(piece: Uint8Array): void;
};

const newline = 0x0a;

export function createLineReader(options: {
  readonly bytesMax: number;
  readonly onLine: (line: string) => void;
  /** Called once; nothing is read any more. */
  readonly onTooLong: () => void;
}): LineReader {
  const { bytesMax, onLine, onTooLong } = options;
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  let isOver = false;
  return {
    add(piece) {
      let from = 0;
      while (!isOver) {
        const end = piece.indexOf(newline, from);
        const part = piece.subarray(from, end === -1 ? piece.length : end);
        bytes += part.length;
        if (bytes > bytesMax) {
          isOver = true;
          pieces = [];
          onTooLong();
          return;
        }
        if (part.length > 0) pieces.push(part);
        if (end === -1) return;
        const line = Buffer.concat(pieces).toString("utf8");
        pieces = [];
        bytes = 0;
        from = end + 1;
        onLine(line);
      }
    },
  };
}
