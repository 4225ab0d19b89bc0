/** What an operator works on: the cells or lines that a motion, a text object or a doubled operator covers. */
import { type CellRange, type CellText, firstNonBlank, lineEnd, lineStart } from "./cell-text.ts";
import { go, type Motion, reachOf } from "./motions.ts";
import { rangeOfObject, type TextObject } from "./text-objects.ts";
import { runEnd } from "./words.ts";

export type Operator = "d" | "c" | "y";

export type Target =
  | { readonly kind: "motion"; readonly motion: Motion }
  | { readonly kind: "object"; readonly object: TextObject }
  | { readonly kind: "line" };

/** Nothing where the motion cannot go or no object is there; an empty range where there is just nothing to take. */
export function rangeOf(
  text: CellText,
  index: number,
  { operator, target }: { readonly operator: Operator; readonly target: Target },
): CellRange | undefined {
  switch (target.kind) {
    case "motion":
      return rangeOfMotion(text, index, { operator, motion: target.motion });
    case "object":
      return rangeOfObject(text, index, target.object);
    case "line":
      return linesBetween(text, index, index);
  }
}

function rangeOfMotion(
  text: CellText,
  index: number,
  { operator, motion }: { readonly operator: Operator; readonly motion: Motion },
): CellRange | undefined {
  const wordMotion = motion.kind === "named" && (motion.name === "w" || motion.name === "W") ? motion.name : undefined;
  if (wordMotion !== undefined) {
    const size = wordMotion === "w" ? "word" : "WORD";
    // Changing a word leaves the blanks behind it, and no word reaches into the next line.
    const end = operator === "c" ? runEnd(text, index, size) : (go(text, index, motion) ?? index);
    return { start: index, end: Math.min(end, lineEnd(text, index)), isLinewise: false };
  }
  const goal = go(text, index, motion);
  if (goal === undefined) return undefined;
  const start = Math.min(index, goal);
  const end = Math.max(index, goal);
  switch (reachOf(motion)) {
    case "linewise":
      return linesBetween(text, start, end);
    case "inclusive":
      return { start, end: end < lineEnd(text, end) ? end + 1 : end, isLinewise: false };
    case "exclusive":
      return withoutLastNewline(text, start, end);
  }
}

function linesBetween(text: CellText, first: number, last: number): CellRange {
  return { start: lineStart(text, first), end: lineEnd(text, last), isLinewise: true };
}

/** An exclusive range that ends at a line start leaves the newline before it, so that going back never joins two lines. */
function withoutLastNewline(text: CellText, start: number, end: number): CellRange {
  const endsAtLineStart = end > start && text.cells[end - 1] === "\n";
  if (!endsAtLineStart) return { start, end, isLinewise: false };
  if (start <= firstNonBlank(text, start)) return linesBetween(text, start, end - 1);
  return { start, end: end - 1, isLinewise: false };
}
