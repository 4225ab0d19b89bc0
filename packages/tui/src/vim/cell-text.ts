/** A text as the row of cells a NORMAL cursor can stand on: one grapheme cluster each, every newline its own. */

/** Lines end in `\n`. Places are indices into `cells`; the place after the last cell is `cells.length`. */
export type CellText = {
  readonly text: string;
  readonly cells: readonly string[];
  /** The UTF-16 offset of every cell, and behind them the length of the text. */
  readonly offsets: readonly number[];
};

/** `end` is behind the last cell. A linewise range begins at a line start and ends before a newline or the text's end. */
export type CellRange = { readonly start: number; readonly end: number; readonly isLinewise: boolean };

/** Remembers the last text, because most keys move through a text that did not change. */
export function createCellReader(): (text: string) => CellText {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let last = splitCells("", segmenter);
  return (text) => {
    if (text !== last.text) last = splitCells(text, segmenter);
    return last;
  };
}

/** Clusters never reach over a newline, except the pair `\r\n`, which would hide one. */
function splitCells(text: string, segmenter: Intl.Segmenter): CellText {
  const cells = text.split("\n").flatMap((line, number) => {
    const ofLine = isAscii(line) ? [...line] : Array.from(segmenter.segment(line), ({ segment }) => segment);
    return number === 0 ? ofLine : ["\n", ...ofLine];
  });
  const offsets = [0];
  let offset = 0;
  for (const cell of cells) {
    offset += cell.length;
    offsets.push(offset);
  }
  return { text, cells, offsets };
}

/** The segmenter is slow, and every ASCII character is a cluster of its own. */
function isAscii(line: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(line);
}

export function offsetOf({ text, offsets }: CellText, index: number): number {
  return offsets[index] ?? text.length;
}

/** The cell that holds the offset, or the place after the last cell. */
export function indexOf({ cells, offsets }: CellText, offset: number): number {
  let low = 0;
  let high = cells.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function sliceCells({ text, offsets }: CellText, start: number, end: number): string {
  return text.slice(offsets[start], offsets[end]);
}

export function lineStart({ cells }: CellText, index: number): number {
  let start = index;
  while (start > 0 && cells[start - 1] !== "\n") start--;
  return start;
}

/** The place of the newline that ends the line, or the place after the last cell. */
export function lineEnd({ cells }: CellText, index: number): number {
  let end = index;
  while (end < cells.length && cells[end] !== "\n") end++;
  return end;
}

export function isEmptyLine(text: CellText, index: number): boolean {
  return index === lineEnd(text, index) && index === lineStart(text, index);
}

/** On a line of blanks only its last cell, as a NORMAL cursor has to stand somewhere. */
export function firstNonBlank(text: CellText, index: number): number {
  const end = lineEnd(text, index);
  return toCell(text, skipBlanks(text, lineStart(text, index), end));
}

export function skipBlanks({ cells }: CellText, start: number, end: number): number {
  let index = start;
  while (index < end && isLineBlank(cells[index])) index++;
  return index;
}

/** A blank inside a line: newlines are blank to words, but not to indentation. */
export function isLineBlank(cell: string | undefined): boolean {
  return cell === " " || cell === "\t";
}

/** Where a NORMAL cursor may stand: never behind the last cell of a line, unless the line is empty. */
export function toCell(text: CellText, index: number): number {
  const atLineEnd = index >= lineEnd(text, index);
  return atLineEnd && index > lineStart(text, index) ? index - 1 : index;
}
