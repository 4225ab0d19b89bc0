/** The lines of the rows as they were drawn last, drawn again from the first section that changed. */
import { drawRow, isTight, mayGrow, nextRow, type Place, type Row, type RowLook } from "./rows.ts";
import type { Section } from "./section.ts";

export type DrawnRow = Row & { readonly start: number; readonly end: number };

export interface RowDrawing {
  /** Sections before `from` are as they were. */
  draw(sections: readonly Section[], from: number, lookOf: (row: Row) => RowLook): void;
  /** The same array until the next drawing. */
  lines(): readonly string[];
  readonly rows: readonly DrawnRow[];
  rowAt(line: number): DrawnRow | undefined;
}

export function createRowDrawing(): RowDrawing {
  const rows: DrawnRow[] = [];
  let lines: readonly string[] = [];

  /** A row before the stale one may take in what comes now. */
  function keptRows(from: number): number {
    let count = rows.length;
    while (count > 0 && (rows[count - 1]?.next.section ?? 0) >= from) count -= 1;
    let last = rows[count - 1];
    while (last !== undefined && mayGrow(last)) {
      count -= 1;
      last = rows[count - 1];
    }
    return count;
  }

  return {
    rows,
    lines: () => lines,
    draw(sections, from, lookOf) {
      const kept = keptRows(from);
      rows.length = kept;
      let last = rows[kept - 1];
      const drawn = lines.slice(0, last?.end ?? 0);
      let place: Place = last?.next ?? { section: 0, unit: 0 };
      for (let row = nextRow(sections, place); row !== undefined; row = nextRow(sections, place)) {
        place = row.next;
        const rowLines = drawRow(row, lookOf(row));
        if (rowLines.length === 0) continue;
        if (last !== undefined && !(isTight(last) && isTight(row))) drawn.push("");
        const start = drawn.length;
        for (const line of rowLines) drawn.push(line);
        last = { ...row, start, end: drawn.length };
        rows.push(last);
      }
      lines = drawn;
    },
    rowAt(line) {
      let low = 0;
      let high = rows.length - 1;
      while (low <= high) {
        const middle = (low + high) >> 1;
        const row = rows[middle];
        if (row === undefined) return undefined;
        if (line < row.start) high = middle - 1;
        else if (line >= row.end) low = middle + 1;
        else return row;
      }
      return undefined;
    },
  };
}
