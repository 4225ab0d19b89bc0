/** The unnamed register, and putting what it holds. */
import { type CellText, lineEnd, lineStart, offsetOf } from "./cell-text.ts";
import { type Edit, replaceCells } from "./edit.ts";

const lettersMax = 1_000_000;

/** Linewise text carries no newline at its ends. */
export type Register = { readonly text: string; readonly isLinewise: boolean };

export function put(
  text: CellText,
  index: number,
  {
    register,
    side,
    count,
  }: { readonly register: Register | undefined; readonly side: "after" | "before"; readonly count: number },
): Edit | undefined {
  if (register === undefined) return undefined;
  if (register.isLinewise) {
    const at = side === "after" ? lineEnd(text, index) : lineStart(text, index);
    const lines = repeated(side === "after" ? `\n${register.text}` : `${register.text}\n`, count);
    const firstLine = offsetOf(text, at) + (side === "after" ? 1 : 0);
    return { text: replaceCells(text, at, at, lines), cursor: firstLine, stand: "first non-blank" };
  }
  const at = side === "after" ? Math.min(index + 1, lineEnd(text, index)) : index;
  const given = repeated(register.text, count);
  const lastPut = offsetOf(text, at) + given.length - 1;
  return { text: replaceCells(text, at, at, given), cursor: lastPut, stand: "cell" };
}

/** A count is typed more easily than a prompt of many megabytes is sent. */
export function repeated(text: string, count: number): string {
  return text.repeat(Math.max(1, Math.min(count, Math.floor(lettersMax / Math.max(1, text.length)))));
}
