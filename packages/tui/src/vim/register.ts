/** The unnamed register, and putting what it holds. */
import { type CellText, lineEnd, lineStart, offsetOf } from "./cell-text.ts";
import { type Edit, replaceCells } from "./edit.ts";

/** Linewise text carries no newline at its ends. */
export type Register = { readonly text: string; readonly isLinewise: boolean };

export function put(
  text: CellText,
  index: number,
  { register, side }: { readonly register: Register | undefined; readonly side: "after" | "before" },
): Edit | undefined {
  if (register === undefined) return undefined;
  if (register.isLinewise) {
    const at = side === "after" ? lineEnd(text, index) : lineStart(text, index);
    const lines = side === "after" ? `\n${register.text}` : `${register.text}\n`;
    const firstLine = offsetOf(text, at) + (side === "after" ? 1 : 0);
    return { text: replaceCells(text, at, at, lines), cursor: firstLine, stand: "first non-blank" };
  }
  const at = side === "after" ? Math.min(index + 1, lineEnd(text, index)) : index;
  const lastPut = offsetOf(text, at) + register.text.length - 1;
  return { text: replaceCells(text, at, at, register.text), cursor: lastPut, stand: "cell" };
}
