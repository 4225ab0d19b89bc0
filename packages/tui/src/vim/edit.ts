/** The outcome of a change: the new text, and where the cursor comes to stand in it. */
import {
  type CellRange,
  type CellText,
  firstNonBlank,
  indexOf,
  lineStart,
  offsetOf,
  sliceCells,
  toCell,
} from "./cell-text.ts";

export type Edit = {
  readonly text: string;
  /** A UTF-16 offset in the new text, to which `stand` refers. */
  readonly cursor: number;
  /** `cell before` stays in its line; `insert` leaves the cursor between cells, for text to be typed there. */
  readonly stand: "cell" | "cell before" | "first non-blank" | "insert";
};

/** The offset of the cursor once NORMAL mode holds, in the new text read as cells. */
export function standingCursor(text: CellText, { cursor, stand }: Edit): number {
  switch (stand) {
    case "insert":
      return cursor;
    case "cell":
      return offsetOf(text, toCell(text, indexOf(text, cursor)));
    case "first non-blank":
      return offsetOf(text, firstNonBlank(text, indexOf(text, cursor)));
    case "cell before":
      return offsetOf(text, cellBefore(text, cursor));
  }
}

/** Typed text may have grown together with its neighbours; then the cell that holds the cursor is the one before it. */
function cellBefore(text: CellText, cursor: number): number {
  const index = indexOf(text, cursor);
  const isInside = offsetOf(text, index) < cursor;
  const before = isInside || index === lineStart(text, index) ? index : index - 1;
  return toCell(text, before);
}

/** Removes cells, or lines together with one newline, and the newline before them when they are the last. */
export function removeRange(text: CellText, { start, end, isLinewise }: CellRange): Edit {
  if (!isLinewise) {
    return { text: replaceCells(text, start, end), cursor: offsetOf(text, start), stand: "cell" };
  }
  const isLast = end === text.cells.length;
  const removedStart = isLast ? Math.max(0, start - 1) : start;
  return {
    text: replaceCells(text, removedStart, isLast ? end : end + 1),
    cursor: offsetOf(text, removedStart),
    stand: "first non-blank",
  };
}

export function replaceCells(text: CellText, start: number, end: number, replacement = ""): string {
  return sliceCells(text, 0, start) + replacement + sliceCells(text, end, text.cells.length);
}
