/** Sets text in rows and pages of a shape. */
import type { Typesetter } from "./clean-text.ts";
import type { Glyph } from "./font.ts";
import { inksOf } from "./inks.ts";
import type { Shape } from "./shape.ts";

/** Blank pixels around what is printed. */
export const marginPx = 4;
/** Characters between two columns. */
const gutterCharacters = 3;

export type Cell = { readonly glyph: Glyph; readonly ink: number };

export type Page = {
  /** Rows of the first column, then of the second. */
  readonly rows: readonly (readonly Cell[])[];
};

export type Grid = {
  readonly charactersPerRow: number;
  /** Different rows of one column. */
  readonly rowsPerColumn: number;
  readonly rowsPerPage: number;
  /** What a page holds at most. */
  readonly characters: number;
};

export function gridOf({ widthPx, heightPxMax, advancePx, pitchPx, columns, copies }: Shape): Grid {
  const across = Math.floor((widthPx - 2 * marginPx) / advancePx);
  const charactersPerRow = columns === 1 ? across : Math.floor((across - gutterCharacters) / 2);
  const rowsPerColumn = Math.floor((heightPxMax - 2 * marginPx) / (pitchPx * copies));
  const rowsPerPage = rowsPerColumn * columns;
  return { charactersPerRow, rowsPerColumn, rowsPerPage, characters: charactersPerRow * rowsPerPage };
}

/** The second column begins so many characters from the left. */
export function secondColumnAt({ charactersPerRow }: Grid): number {
  return charactersPerRow + gutterCharacters;
}

export type Paged = {
  readonly pages: readonly Page[];
  /** Where in the text the rest begins that found no place. */
  readonly printedTo: number;
};

/** Takes clean text. At most `pagesMax` pages are set, however long the text is. */
export function setPages(text: string, shape: Shape, typesetter: Typesetter, pagesMax: number): Paged {
  const grid = gridOf(shape);
  const rowsMax = grid.rowsPerPage * pagesMax;
  // A character is at most two units of the text and has at least one cell.
  const fitting = text.slice(0, 2 * grid.characters * pagesMax);
  const inks = inksOf(fitting, shape.ink);
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let at = 0;
  let printedTo = 0;
  for (const word of shape.columns === 1 ? fitting : wordsOf(fitting)) {
    const cells = cellsOf(word, at, inks, typesetter);
    const isWrapped = row.length + cells.length > grid.charactersPerRow && row.length > 0 && shape.columns === 2;
    if (isWrapped && word !== " ") {
      rows.push(row);
      row = [];
    }
    for (const cell of isWrapped && word === " " ? [] : cells) {
      if (row.length === grid.charactersPerRow) {
        rows.push(row);
        row = [];
      }
      row.push(cell);
    }
    if (rows.length >= rowsMax) break;
    at += word.length;
    printedTo = at;
  }
  if (row.length > 0 && rows.length < rowsMax) rows.push(row);
  const pages: Page[] = [];
  for (let first = 0; first < Math.min(rows.length, rowsMax); first += grid.rowsPerPage) {
    pages.push({ rows: rows.slice(first, Math.min(first + grid.rowsPerPage, rowsMax)) });
  }
  return { pages, printedTo };
}

function cellsOf(word: string, at: number, inks: Uint8Array, typesetter: Typesetter): readonly Cell[] {
  const cells: Cell[] = [];
  let offset = at;
  for (const character of word) {
    const ink = inks[offset] ?? 1;
    for (const glyph of typesetter.glyphs(character)) cells.push({ glyph, ink });
    offset += character.length;
  }
  return cells;
}

/** Words, single spaces and line breaks, which together are the text. */
function* wordsOf(text: string): Generator<string> {
  for (const [word] of text.matchAll(/[^ \n]+|[ \n]/g)) yield word;
}
