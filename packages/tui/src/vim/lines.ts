/** The commands on whole lines: open, indent, dedent, join. */
import { type CellText, isEmptyLine, isLineBlank, lineEnd, lineStart, offsetOf, skipBlanks } from "./cell-text.ts";
import { type Edit, replaceCells } from "./edit.ts";

export function openLine(text: CellText, index: number, side: "below" | "above"): Edit {
  const at = side === "below" ? lineEnd(text, index) : lineStart(text, index);
  const cursor = offsetOf(text, at) + (side === "below" ? 1 : 0);
  return { text: replaceCells(text, at, at, "\n"), cursor, stand: "insert" };
}

export function indentLine(text: CellText, index: number, shiftWidth: number): Edit | undefined {
  if (isEmptyLine(text, index)) return undefined;
  const start = lineStart(text, index);
  const indented = replaceCells(text, start, start, " ".repeat(shiftWidth));
  return { text: indented, cursor: offsetOf(text, start), stand: "first non-blank" };
}

/** A tab is a whole step, as it was typed to be one. */
export function dedentLine(text: CellText, index: number, shiftWidth: number): Edit | undefined {
  if (isEmptyLine(text, index)) return undefined;
  const start = lineStart(text, index);
  let end = start;
  while (end < start + shiftWidth && isLineBlank(text.cells[end])) {
    end++;
    if (text.cells[end - 1] === "\t") break;
  }
  return { text: replaceCells(text, start, end), cursor: offsetOf(text, start), stand: "first non-blank" };
}

export function joinLine(text: CellText, index: number): Edit | undefined {
  const end = lineEnd(text, index);
  if (end === text.cells.length) return undefined;
  const next = skipBlanks(text, end + 1, lineEnd(text, end + 1));
  const nextIsEmpty = next === lineEnd(text, end + 1);
  const isSpaced = isEmptyLine(text, index) || isLineBlank(text.cells[end - 1]);
  const space = nextIsEmpty || text.cells[next] === ")" || isSpaced ? "" : " ";
  return { text: replaceCells(text, end, next, space), cursor: offsetOf(text, end), stand: "cell" };
}
