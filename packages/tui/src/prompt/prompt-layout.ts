/**
 * The rows in which a text is shown at a width, found around a place: a long text costs no more than the rows looked at.
 * Lines are cut into pieces of bounded length, so that one endless line is no exception.
 */
import { boundaryAtOrBefore } from "./graphemes.ts";
import type { RowMap } from "./text-buffer.ts";
import { type Cell, type Draw, type WrappedRow, wrapLine } from "./wrap-line.ts";

/** A row of the text from `start` up to `end`; the last one of its line ends before the line break. */
export type Row = {
  readonly start: number;
  readonly end: number;
  readonly isLineEnd: boolean;
  readonly cells: readonly Cell[];
};

export type PromptLayout = RowMap & {
  rowAt(offset: number): Row;
  rowAbove(row: Row): Row | undefined;
  rowBelow(row: Row): Row | undefined;
  /** The offset of the grapheme at a column, or the last place of the row right of it. */
  offsetInRow(row: Row, column: number): number;
  /** At most `rowsMax` rows around the cursor, beginning where the last view began if the cursor is in it. */
  view(options: { readonly cursor: number; readonly firstBefore: number; readonly rowsMax: number }): {
    readonly rows: readonly Row[];
    readonly isMoreAbove: boolean;
    readonly isMoreBelow: boolean;
  };
};

/** A longer line is shown in pieces, each of which begins a row; farther than this nothing is looked for. */
const pieceMax = 2_000;

type Piece = { readonly start: number; readonly end: number; readonly isLineEnd: boolean };

export function createPromptLayout(text: string, width: number, draw: Draw): PromptLayout {
  const wrapped = new Map<number, readonly Row[]>();

  function rowsOf(piece: Piece): readonly Row[] {
    const known = wrapped.get(piece.start);
    if (known !== undefined) return known;
    const shift = ({ start, end, cells }: WrappedRow, index: number, all: readonly WrappedRow[]): Row => ({
      start: piece.start + start,
      end: piece.start + end,
      isLineEnd: piece.isLineEnd && index === all.length - 1,
      cells: cells.map((cell) => ({ ...cell, offset: piece.start + cell.offset })),
    });
    const rows = wrapLine(text.slice(piece.start, piece.end), width, draw).map(shift);
    wrapped.set(piece.start, rows);
    return rows;
  }

  function rowAt(offset: number): Row {
    const rows = rowsOf(pieceAt(text, offset));
    const row = rows.findLast(({ start }) => start <= offset) ?? rows[0];
    if (row === undefined) throw new Error("A piece of a line has at least one row.");
    return row;
  }

  const rowAbove = (row: Row) => (row.start === 0 ? undefined : rowAt(row.start - 1));

  function rowBelow(row: Row): Row | undefined {
    if (!row.isLineEnd) return rowAt(row.end);
    return row.end >= text.length ? undefined : rowAt(row.end + 1);
  }

  function offsetInRow(row: Row, column: number): number {
    let end = 0;
    for (const cell of row.cells) {
      end += cell.width;
      if (column < end) return cell.offset;
    }
    // The end of a wrapped row is the beginning of the next one.
    return row.isLineEnd ? row.end : (row.cells.at(-1)?.offset ?? row.start);
  }

  return {
    rowAt,
    rowAbove,
    rowBelow,
    offsetInRow,
    columnOf(offset) {
      const before = rowAt(offset).cells.filter((cell) => cell.offset < offset);
      return before.reduce((columns, cell) => columns + cell.width, 0);
    },
    offsetBeside(offset, direction, column) {
      const from = rowAt(offset);
      const row = direction === -1 ? rowAbove(from) : rowBelow(from);
      return row === undefined ? undefined : offsetInRow(row, column);
    },
    view({ cursor, firstBefore, rowsMax }) {
      const rows: Row[] = [rowAt(cursor)];
      const grow = (row: Row | undefined, side: "above" | "below") => {
        if (row === undefined) return false;
        if (side === "above") rows.unshift(row);
        else rows.push(row);
        return rows.length <= rowsMax;
      };
      const first = () => rows[0] ?? rowAt(cursor);
      const last = () => rows.at(-1) ?? rowAt(cursor);
      while (rows.length < rowsMax && first().start > firstBefore && grow(rowAbove(first()), "above"));
      while (rows.length < rowsMax && grow(rowBelow(last()), "below"));
      while (rows.length < rowsMax && grow(rowAbove(first()), "above"));
      return { rows, isMoreAbove: first().start > 0, isMoreBelow: rowBelow(last()) !== undefined };
    },
  };
}

/**
 * The line at the offset, without its break. Of one that is too long the piece between two multiples of the length, counted
 * from the beginning of the text, because the beginning of the line may be far away.
 */
function pieceAt(text: string, offset: number): Piece {
  const start = lineStart(text, offset, Math.max(0, offset - pieceMax));
  const end = lineEnd(text, offset, Math.min(text.length, offset + pieceMax));
  if (start !== undefined && end !== undefined && end - start <= pieceMax) return { start, end, isLineEnd: true };
  // The end of a line that is a multiple belongs to what is before it.
  const isEnd = offset === text.length || text[offset] === "\n";
  const inside = isEnd && start !== offset ? offset - 1 : offset;
  const multiple = Math.floor(inside / pieceMax) * pieceMax;
  const edge = (at: number) => boundaryAtOrBefore(text, at);
  // An edge lies a little before its multiple where that is inside of a grapheme.
  const from = edge(multiple + pieceMax) <= inside ? multiple + pieceMax : multiple;
  const lowest = edge(from);
  const highest = edge(Math.min(text.length, from + pieceMax));
  const found = lineEnd(text, inside, highest);
  return { start: lineStart(text, inside, lowest) ?? lowest, end: found ?? highest, isLineEnd: found !== undefined };
}

/** Undefined when the line begins before `lowest`. */
function lineStart(text: string, offset: number, lowest: number): number | undefined {
  const found = text.slice(lowest, offset).lastIndexOf("\n");
  if (found === -1) return lowest === 0 ? 0 : undefined;
  return lowest + found + 1;
}

/** Undefined when the line goes on at `highest`. */
function lineEnd(text: string, offset: number, highest: number): number | undefined {
  const found = text.slice(offset, highest).indexOf("\n");
  if (found !== -1) return offset + found;
  return highest === text.length || text[highest] === "\n" ? highest : undefined;
}
