/** The commands on whole lines: open, indent, dedent, join. */
import {
  type CellText,
  createCellReader,
  indexOf,
  isEmptyLine,
  isLineBlank,
  lineEnd,
  lineStart,
  offsetOf,
  skipBlanks,
  sliceCells,
} from "./cell-text.ts";
import { type Edit, replaceCells } from "./edit.ts";
import { linesFurther } from "./motions.ts";

export function openLine(text: CellText, index: number, side: "below" | "above"): Edit {
  const at = side === "below" ? lineEnd(text, index) : lineStart(text, index);
  const cursor = offsetOf(text, at) + (side === "below" ? 1 : 0);
  return { text: replaceCells(text, at, at, "\n"), cursor, stand: "insert" };
}

export function indentLines(text: CellText, index: number, shiftWidth: number, count = 1): Edit | undefined {
  const indent = " ".repeat(shiftWidth);
  return shiftLines(text, index, count, (line) => (line === "" ? "" : indent + line));
}

export function dedentLines(text: CellText, index: number, shiftWidth: number, count = 1): Edit | undefined {
  return shiftLines(text, index, count, (line) => line.slice(dedentOf(line, shiftWidth)));
}

/** A tab is a whole step, as it was typed to be one. */
function dedentOf(line: string, shiftWidth: number): number {
  let end = 0;
  while (end < shiftWidth && isLineBlank(line[end])) {
    end++;
    if (line[end - 1] === "\t") break;
  }
  return end;
}

function shiftLines(text: CellText, index: number, count: number, shift: (line: string) => string): Edit | undefined {
  const start = lineStart(text, index);
  const end = lineEnd(text, linesFurther(text, index, count - 1));
  const lines = sliceCells(text, start, end).split("\n");
  if (lines.every((line) => line === "")) return undefined;
  const shifted = replaceCells(text, start, end, lines.map(shift).join("\n"));
  return { text: shifted, cursor: offsetOf(text, start), stand: "first non-blank" };
}

/** `count` is the number of lines that become one; there are always at least two. */
export function joinLines(text: CellText, index: number, count = 2): Edit | undefined {
  const readCells = createCellReader();
  let edit = joinLine(text, index);
  for (let joined = 2; edit !== undefined && joined < count; joined++) {
    const cells = readCells(edit.text);
    const next = joinLine(cells, indexOf(cells, edit.cursor));
    if (next === undefined) break;
    edit = next;
  }
  return edit;
}

function joinLine(text: CellText, index: number): Edit | undefined {
  const end = lineEnd(text, index);
  if (end === text.cells.length) return undefined;
  const next = skipBlanks(text, end + 1, lineEnd(text, end + 1));
  const nextIsEmpty = next === lineEnd(text, end + 1);
  const isSpaced = isEmptyLine(text, index) || isLineBlank(text.cells[end - 1]);
  const space = nextIsEmpty || text.cells[next] === ")" || isSpaced ? "" : " ";
  return { text: replaceCells(text, end, next, space), cursor: offsetOf(text, end), stand: "cell" };
}
