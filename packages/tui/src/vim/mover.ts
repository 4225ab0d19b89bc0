/** Moves of the cursor in NORMAL, with the column that `j` and `k` keep on their way. */
import { type CellText, lineEnd, lineStart, offsetOf, toCell } from "./cell-text.ts";
import { go, type Motion } from "./motions.ts";
import type { VimResult } from "./vim-result.ts";

export type Mover = {
  move(text: CellText, index: number, motion: Motion, count?: number): VimResult;
  reset(): void;
};

export function createMover(): Mover {
  /** It holds as long as text and cursor are where the move left them. */
  let desired: { readonly column: number; readonly text: string; readonly cursor: number } | undefined;

  function moveLine(text: CellText, index: number, direction: "up" | "down", count: number): VimResult {
    const cursor = offsetOf(text, index);
    const kept = desired?.text === text.text && desired.cursor === cursor ? desired.column : undefined;
    const column = kept ?? index - lineStart(text, index);
    const start = go(text, index, { kind: "named", name: direction === "down" ? "j" : "k" }, count);
    if (start === undefined) return { consumed: true, edge: direction };
    const goal = offsetOf(text, toCell(text, Math.min(start + column, lineEnd(text, start))));
    desired = { column, text: text.text, cursor: goal };
    return { consumed: true, cursor: goal };
  }

  return {
    move(text, index, motion, count) {
      if (motion.kind === "named" && motion.name === "j") return moveLine(text, index, "down", count ?? 1);
      if (motion.kind === "named" && motion.name === "k") return moveLine(text, index, "up", count ?? 1);
      const goal = go(text, index, motion, count);
      if (goal === undefined) return { consumed: true };
      const cursor = offsetOf(text, toCell(text, goal));
      const staysAtEnd = motion.kind === "named" && motion.name === "$";
      desired = staysAtEnd ? { column: Number.POSITIVE_INFINITY, text: text.text, cursor } : undefined;
      return { consumed: true, cursor };
    },
    reset() {
      desired = undefined;
    },
  };
}
