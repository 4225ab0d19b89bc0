/** What an operator works on: the cells or lines that a motion, a text object or a doubled operator covers. */
import {
  type CellRange,
  type CellText,
  firstNonBlank,
  isEmptyLine,
  lineEnd,
  lineStart,
  skipBlanks,
} from "./cell-text.ts";
import { go, linesFurther, type Motion, reachOf } from "./motions.ts";
import { rangeOfObject, type TextObject } from "./text-objects.ts";
import { runEnd } from "./words.ts";

export type Operator = "d" | "c" | "y";

export type Target =
  | { readonly kind: "motion"; readonly motion: Motion; readonly count?: number }
  | { readonly kind: "object"; readonly object: TextObject }
  | { readonly kind: "line"; readonly count?: number };

/** Nothing where the motion cannot go or no object is there; an empty range where there is just nothing to take. */
export function rangeOf(
  text: CellText,
  index: number,
  { operator, target }: { readonly operator: Operator; readonly target: Target },
): CellRange | undefined {
  const range = coveredRange(text, index, { operator, target });
  return range !== undefined && operator === "d" && isWholeLines(text, range)
    ? linesBetween(text, range.start, range.end)
    : range;
}

/** A deletion over several lines that leaves nothing but blanks around it takes the lines as a whole. */
function isWholeLines(text: CellText, { start, end, isLinewise }: CellRange): boolean {
  if (isLinewise || lineEnd(text, start) >= end) return false;
  const limit = lineEnd(text, end);
  return start <= firstNonBlank(text, start) && skipBlanks(text, end, limit) === limit;
}

function coveredRange(
  text: CellText,
  index: number,
  { operator, target }: { readonly operator: Operator; readonly target: Target },
): CellRange | undefined {
  switch (target.kind) {
    case "motion":
      return rangeOfMotion(text, index, { operator, ...target });
    case "object":
      return rangeOfObject(text, index, target.object);
    case "line":
      return linesBetween(text, index, linesFurther(text, index, (target.count ?? 1) - 1));
  }
}

function rangeOfMotion(
  text: CellText,
  index: number,
  { operator, motion, count }: { readonly operator: Operator; readonly motion: Motion; readonly count?: number },
): CellRange | undefined {
  if (motion.kind === "named" && (motion.name === "w" || motion.name === "W")) {
    return rangeOfWords(text, index, { operator, motion, count: count ?? 1 });
  }
  const goal = go(text, index, motion, count);
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

/** Changing words leaves the blanks behind them, and the last word does not reach into the next line. */
function rangeOfWords(
  text: CellText,
  index: number,
  { operator, motion, count }: { readonly operator: Operator; readonly motion: Motion; readonly count: number },
): CellRange | undefined {
  const last = count > 1 ? (go(text, index, motion, count - 1) ?? index) : index;
  const limit = lineEnd(text, last);
  if (operator === "c") {
    const size = motion.kind === "named" && motion.name === "W" ? "WORD" : "word";
    return { start: index, end: Math.min(runEnd(text, last, size), limit), isLinewise: false };
  }
  // An empty line is a word of its own: it goes as a line where nothing stands before it.
  if (isEmptyLine(text, last)) {
    if (last === index && limit === text.cells.length) return undefined;
    if (index <= firstNonBlank(text, index)) return linesBetween(text, index, last);
  }
  return { start: index, end: Math.min(go(text, last, motion) ?? last, limit), isLinewise: false };
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
