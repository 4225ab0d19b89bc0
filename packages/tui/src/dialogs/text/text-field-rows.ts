/** How typed text is shown: in which rows, with the cursor in sight. */
import { judgedText } from "../../screen/clean-text.ts";
import { cursorMark, visibleWidth } from "../../screen/text-width.ts";
import type { Theme } from "../../theme/theme.ts";

export type TypedText = { readonly cells: readonly string[]; readonly cursor: number; readonly isSecret: boolean };

/** Where a visual row begins in the characters, and where the next one begins. */
export type Row = { readonly from: number; readonly to: number };

type Place = { readonly width: number; readonly theme: Theme };

/** The part of the one line around the cursor that has room. */
export function fieldLine(typed: TypedText, { width, theme }: Place): string {
  const { cells, cursor, isSecret } = typed;
  const columns = cells.map((cell) => columnsOf(cell, isSecret));
  let from = cursor;
  let used = columns[cursor] ?? 1;
  while (from > 0 && used + (columns[from - 1] ?? 0) <= width) used += columns[--from] ?? 0;
  let to = Math.min(cursor + 1, cells.length);
  while (to < cells.length && used + (columns[to] ?? 0) <= width) used += columns[to++] ?? 0;
  return drawn(typed, { from, to }, theme);
}

/** As many rows as the text has, at most `rowsMax` around the cursor. */
export function fieldRows(
  typed: TypedText,
  { width, theme, rowsMax }: Place & { readonly rowsMax: number },
): readonly string[] {
  const rows = rowsOf(typed, width);
  const first = Math.max(0, Math.min(rowOf(rows, typed.cursor) - Math.floor(rowsMax / 2), rows.length - rowsMax));
  return rows.slice(first, first + rowsMax).map(({ from, to }) => {
    const end = to > from && typed.cells[to - 1] === "\n" ? to - 1 : to;
    return drawn(typed, { from, to: end }, theme);
  });
}

function drawn({ cells, cursor, isSecret }: TypedText, { from, to }: Row, theme: Theme): string {
  const shown = (text: string) => (isSecret ? theme.symbols.bullet : judgedText(text));
  if (cursor < from || cursor > to || (cursor === to && to < cells.length && cells[to] !== "\n")) {
    return cells.slice(from, to).map(shown).join("");
  }
  const under = cells[cursor];
  const atCursor = cursor >= to || under === undefined || under === "\n" ? " " : shown(under);
  const before = cells.slice(from, cursor).map(shown).join("");
  const after = cells
    .slice(cursor + 1, to)
    .map(shown)
    .join("");
  return before + cursorMark + theme.inverse(atCursor) + after;
}

function columnsOf(cell: string, isSecret: boolean): number {
  return isSecret ? 1 : visibleWidth(judgedText(cell));
}

/** A line end is part of the row it ends. The last row has a column left for the cursor. */
export function rowsOf({ cells, isSecret }: TypedText, width: number): readonly Row[] {
  const rows: Row[] = [];
  let from = 0;
  let used = 0;
  for (const [at, cell] of cells.entries()) {
    const columns = cell === "\n" ? 0 : columnsOf(cell, isSecret);
    // One column stays free, for the cursor behind the last character of a row.
    if (used + columns > Math.max(2, width - 1) && at > from) {
      rows.push({ from, to: at });
      from = at;
      used = 0;
    }
    used += columns;
    if (cell !== "\n") continue;
    rows.push({ from, to: at + 1 });
    from = at + 1;
    used = 0;
  }
  rows.push({ from, to: cells.length });
  return rows;
}

export function rowOf(rows: readonly Row[], cursor: number): number {
  const found = rows.findIndex(({ to }) => cursor < to);
  return found < 0 ? rows.length - 1 : found;
}
