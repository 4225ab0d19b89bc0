/** Word motions: where words begin and end, across lines. */
import { type CellClass, classOf, type WordSize } from "./cell-class.ts";
import { type CellText, isEmptyLine, lineEnd } from "./cell-text.ts";

export function nextWordStart(text: CellText, index: number, size: WordSize): number {
  let place = index;
  if (classAt(text, place, size) !== "blank") place = runEnd(text, place, size);
  while (classAt(text, place, size) === "blank" && !(place > index && isEmptyLine(text, place))) place++;
  return place;
}

export function previousWordStart(text: CellText, index: number, size: WordSize): number | undefined {
  if (index === 0) return undefined;
  let place = index - 1;
  while (place > 0 && classAt(text, place, size) === "blank" && !isEmptyLine(text, place)) place--;
  return classAt(text, place, size) === "blank" ? place : runStart(text, place, size);
}

/** Always at least one cell further, so that it leaves a word at whose end it stands; behind the text if no word follows. */
export function nextWordEnd(text: CellText, index: number, size: WordSize): number {
  let place = index + 1;
  while (classAt(text, place, size) === "blank") place++;
  return place < text.cells.length ? runEnd(text, place, size) - 1 : text.cells.length;
}

/** The first cell of the run of one class; a run never leaves its line. */
export function runStart(text: CellText, index: number, size: WordSize): number {
  const kind = classAt(text, index, size);
  let start = index;
  while (start > 0 && text.cells[start - 1] !== "\n" && classAt(text, start - 1, size) === kind) start--;
  return start;
}

/** The place behind the run of one class; a run never leaves its line. */
export function runEnd(text: CellText, index: number, size: WordSize): number {
  const kind = classAt(text, index, size);
  const limit = lineEnd(text, index);
  let end = index;
  while (end < limit && classAt(text, end, size) === kind) end++;
  return end;
}

export function classAt({ cells }: CellText, index: number, size: WordSize): CellClass | undefined {
  const cell = cells[index];
  return cell === undefined ? undefined : classOf(cell, size);
}
