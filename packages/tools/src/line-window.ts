/** Collects the numbered lines of one window out of a text that arrives whole or line by line, and counts all lines. */

export type LineWindow = {
  addText(text: string): void;
  /** One line without its ending. */
  addLine(line: string): void;
  /** Counts lines whose text will not be shown. */
  skipLines(count: number): void;
  /** Whether the next line could still be shown. */
  wantsNext(): boolean;
  result(): { readonly rows: string; readonly first: number; readonly last: number; readonly total: number };
};

export const lineCharactersMax = 2_000;
const windowBytesMax = 50 * 1_024;
const cutMark = `… (line cut at ${lineCharactersMax} characters)`;
const byteOrderMarkCode = 0xfeff;
const carriageReturnCode = 13;

export function createLineWindow(first: number, count: number): LineWindow {
  let rows = "";
  let bytes = 0;
  let last = first - 1;
  let total = 0;
  let full = false;

  const wantsNext = () => !full && total + 1 >= first && total + 1 < first + count;

  const show = (line: string, lineBytes: number): void => {
    const isLong = line.length > lineCharactersMax;
    const shown = isLong ? `${line.slice(0, lineCharactersMax).toWellFormed()}${cutMark}` : line;
    const number = String(total + 1);
    bytes += number.length + 2 + (isLong ? Buffer.byteLength(shown) : lineBytes);
    total += 1;
    full = bytes > windowBytesMax;
    if (full) return;
    rows += `${number}|${shown}\n`;
    last = total;
  };

  return {
    wantsNext,
    addLine(line) {
      const plain = line.endsWith("\r") ? line.slice(0, -1) : line;
      if (wantsNext()) show(plain, Buffer.byteLength(plain));
      else total += 1;
    },
    skipLines(skipped) {
      total += skipped;
    },
    addText(text) {
      // Measuring every line of plain ASCII would take longer than all the rest.
      const isAscii = Buffer.byteLength(text) === text.length;
      // A byte order mark is not a character of the first line.
      let start = text.charCodeAt(0) === byteOrderMarkCode ? 1 : 0;
      while (start < text.length) {
        const found = text.indexOf("\n", start);
        const end = found === -1 ? text.length : found;
        if (wantsNext()) {
          const line = text.slice(
            start,
            text.charCodeAt(end - 1) === carriageReturnCode && end > start ? end - 1 : end,
          );
          show(line, isAscii ? line.length : Buffer.byteLength(line));
        } else total += 1;
        start = end + 1;
      }
    },
    result: () => ({ rows, first, last, total }),
  };
}
