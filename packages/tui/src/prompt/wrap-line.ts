/** Breaks one short piece of a line into rows of a width: between words where that is possible, never inside of a grapheme. */
import { cutText } from "../screen/cut-text.ts";
import { visibleWidth } from "../screen/text-width.ts";
import { graphemesOf } from "./graphemes.ts";

/** A grapheme of the piece as it is drawn. */
export type Cell = { readonly offset: number; readonly drawn: string; readonly width: number };
/** `cells` up to `end`, which is the offset of the row below it. A blank at its end may hang over the width. */
export type WrappedRow = { readonly start: number; readonly end: number; readonly cells: readonly Cell[] };

export type Draw = (grapheme: string) => string;

export function wrapLine(text: string, width: number, draw: Draw): readonly WrappedRow[] {
  const cells = cellsOf(text, width, draw);
  const rows: WrappedRow[] = [];
  let first = 0;
  let column = 0;
  /** The cell before which the row may end; at or before `first` when there is none. */
  let breakAt = 0;
  const endRow = (before: number) => {
    const start = cells[first]?.offset ?? text.length;
    rows.push({ start, end: cells[before]?.offset ?? text.length, cells: cells.slice(first, before) });
    first = before;
    column = 0;
  };

  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index];
    if (cell === undefined) break;
    const isBlank = cell.drawn === " ";
    if (column + cell.width > width && index > first) {
      if (isBlank) {
        endRow(index + 1);
        continue;
      }
      const before = breakAt > first ? breakAt : index;
      endRow(before);
      for (let kept = before; kept < index; kept += 1) column += cells[kept]?.width ?? 0;
      // What is left of the word may fill the next row as well.
      if (column + cell.width > width && index > first) endRow(index);
    }
    column += cell.width;
    // Wide signs are written without blanks between words, so a row may end behind each.
    if (isBlank || cell.drawn.startsWith("    ") || (cell.width === 2 && cell.drawn.length <= 2)) breakAt = index + 1;
  }
  endRow(cells.length);
  return rows;
}

const plainText = /^[\x20-\x7e]*$/;

function cellsOf(text: string, width: number, draw: Draw): readonly Cell[] {
  if (plainText.test(text)) return Array.from(text, (drawn, offset) => ({ offset, drawn, width: 1 }));
  return Array.from(graphemesOf(text), ({ segment, index }) => {
    const whole = draw(segment);
    const columns = visibleWidth(whole);
    if (columns <= width) return { offset: index, drawn: whole, width: columns };
    const drawn = cutText(whole, width);
    return { offset: index, drawn, width: visibleWidth(drawn) };
  });
}
