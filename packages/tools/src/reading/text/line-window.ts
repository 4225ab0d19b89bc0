/** Collects the numbered lines of one window out of a text that arrives whole or line by line, and counts all lines. */

/** Both included; the last may be infinite. */
export type LineRange = { readonly first: number; readonly last: number };

export type LineWindowOptions = {
  /** The lines as they are: no numbers, carriage returns kept, cut only where one alone would fill the window. */
  readonly isRaw?: boolean;
  /** Says between two ranges which lines are missing there. */
  readonly numbersGaps?: boolean;
};

export type LineWindow = {
  /** Longer lines are shown cut. */
  readonly lineCharactersMax: number;
  addText(text: string): void;
  /** One line without its ending. */
  addLine(line: string): void;
  /** Counts lines whose text will not be shown. */
  skipLines(count: number): void;
  /** Whether the next line could still be shown. */
  wantsNext(): boolean;
  /** Whether nothing that follows could be shown. */
  isComplete(): boolean;
  /** All lines so far, shown or not. */
  lineCount(): number;
  result(): WindowResult;
};

export type WindowResult = {
  readonly rows: string;
  readonly first: number;
  /** Less than the first when nothing could be shown. */
  readonly last: number;
  readonly total: number;
  /** What was shown, such as `3-4` or `3-4, 9-12`. */
  readonly shown: string;
};

export const windowLinesMax = 2_000;
const numberedLineCharactersMax = 2_000;
/** Even of the widest characters that many fit. */
const rawLineCharactersMax = 12_000;
export const windowBytesMax = 50 * 1_024;
const plainGapRow = "…\n";
const byteOrderMarkCode = 0xfeff;
const carriageReturnCode = 13;

/** The ranges are sorted, apart from each other, and at least one. */
export function createLineWindow(
  ranges: readonly LineRange[],
  { isRaw = false, numbersGaps = false }: LineWindowOptions = {},
): LineWindow {
  const lineCharactersMax = isRaw ? rawLineCharactersMax : numberedLineCharactersMax;
  const windowFirst = ranges[0]?.first ?? 1;
  let rows = "";
  let bytes = 0;
  let first = windowFirst;
  let linesLeft = windowLinesMax;
  let end = Math.min(ranges[0]?.last ?? 0, first + linesLeft - 1);
  let rangeIndex = 0;
  let gapRow = "";
  let earlier = "";
  let last = first - 1;
  let total = 0;
  let full = false;

  const wantsNext = () => !full && total + 1 >= first && total + 1 <= end;

  const show = (line: string, lineBytes: number): void => {
    const isLong = line.length > lineCharactersMax;
    const shown = isLong
      ? `${line.slice(0, lineCharactersMax).toWellFormed()}… (line cut at ${lineCharactersMax} characters)`
      : line;
    const number = String(total + 1);
    bytes += number.length + 2 + (isLong ? Buffer.byteLength(shown) : lineBytes);
    total += 1;
    full = bytes > windowBytesMax;
    if (full) return;
    rows += isRaw ? `${shown}\n` : `${number}|${shown}\n`;
    last = total;
    if (total === end) beginNextRange();
  };

  function beginNextRange(): void {
    rangeIndex += 1;
    const next = ranges[rangeIndex];
    linesLeft -= end - first + 1;
    if (next === undefined || linesLeft === 0) return;
    earlier += `${first}-${last}, `;
    gapRow = numbersGaps ? describeGap({ first: last + 1, last: next.first - 1 }) : plainGapRow;
    first = next.first;
    end = Math.min(next.last, first + linesLeft - 1);
    rows += gapRow;
  }

  const plain = (line: string) => (!isRaw && line.endsWith("\r") ? line.slice(0, -1) : line);

  return {
    lineCharactersMax,
    wantsNext,
    isComplete: () => full || total >= end,
    lineCount: () => total,
    addLine(line) {
      if (wantsNext()) {
        const shown = plain(line);
        show(shown, Buffer.byteLength(shown));
      } else total += 1;
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
        const lineEnd = found === -1 ? text.length : found;
        // As `wantsNext` says; not called, because a file has hundreds of lines.
        if (!full && total + 1 >= first && total + 1 <= end) {
          const endsInReturn = !isRaw && text.charCodeAt(lineEnd - 1) === carriageReturnCode && lineEnd > start;
          const line = text.slice(start, endsInReturn ? lineEnd - 1 : lineEnd);
          show(line, isAscii ? line.length : Buffer.byteLength(line));
        } else total += 1;
        start = lineEnd + 1;
      }
    },
    result() {
      const isRangeEmpty = last < first;
      const hasLooseGap = isRangeEmpty && rangeIndex > 0;
      return {
        rows: hasLooseGap ? rows.slice(0, -gapRow.length) : rows,
        first: windowFirst,
        last,
        total,
        shown: isRangeEmpty ? earlier.slice(0, -", ".length) : `${earlier}${first}-${last}`,
      };
    },
  };
}

export function describeGap({ first, last }: LineRange): string {
  return `… ${first}-${last}\n`;
}
