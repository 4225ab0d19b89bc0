/** The motions: where each goes, and how much an operator takes along. */
import { type CellText, firstNonBlank, lineEnd, lineStart, toCell } from "./cell-text.ts";
import { type Find, findInLine } from "./find-in-line.ts";
import { nextWordEnd, nextWordStart, previousWordStart } from "./words.ts";

/** Inclusive takes the cell it goes to, exclusive stops before it, linewise takes both lines as a whole. */
type Reach = "exclusive" | "inclusive" | "linewise";

type NamedMotion = {
  readonly reach: Reach;
  /** May give a place behind the line, which an operator reaches and a cursor does not; nothing where it cannot go. */
  readonly go: (text: CellText, index: number) => number | undefined;
};

const namedMotions = {
  h: { reach: "exclusive", go: (text, index) => Math.max(index - 1, lineStart(text, index)) },
  l: { reach: "exclusive", go: (text, index) => Math.min(index + 1, lineEnd(text, index)) },
  j: { reach: "linewise", go: (text, index) => lineBelow(text, index) },
  k: { reach: "linewise", go: (text, index) => lineAbove(text, index) },
  w: { reach: "exclusive", go: (text, index) => nextWordStart(text, index, "word") },
  W: { reach: "exclusive", go: (text, index) => nextWordStart(text, index, "WORD") },
  b: { reach: "exclusive", go: (text, index) => previousWordStart(text, index, "word") },
  B: { reach: "exclusive", go: (text, index) => previousWordStart(text, index, "WORD") },
  e: { reach: "inclusive", go: (text, index) => nextWordEnd(text, index, "word") },
  E: { reach: "inclusive", go: (text, index) => nextWordEnd(text, index, "WORD") },
  "0": { reach: "exclusive", go: (text, index) => lineStart(text, index) },
  "^": { reach: "exclusive", go: (text, index) => firstNonBlank(text, index) },
  $: { reach: "inclusive", go: (text, index) => toCell(text, lineEnd(text, index)) },
  gg: { reach: "linewise", go: (text) => firstNonBlank(text, 0) },
  G: { reach: "linewise", go: (text) => firstNonBlank(text, text.cells.length) },
} as const satisfies Record<string, NamedMotion>;

type MotionName = keyof typeof namedMotions;

export type Motion =
  | { readonly kind: "named"; readonly name: MotionName }
  | { readonly kind: "find"; readonly find: Find; readonly isRepeat: boolean };

export function isMotionName(name: string): name is MotionName {
  return Object.hasOwn(namedMotions, name);
}

export function go(text: CellText, index: number, motion: Motion): number | undefined {
  return motion.kind === "named" ? namedMotions[motion.name].go(text, index) : findInLine(text, index, motion);
}

export function reachOf(motion: Motion): Reach {
  if (motion.kind === "named") return namedMotions[motion.name].reach;
  return motion.find.direction === "forward" ? "inclusive" : "exclusive";
}

/** The start of the next line. */
export function lineBelow(text: CellText, index: number): number | undefined {
  const end = lineEnd(text, index);
  return end < text.cells.length ? end + 1 : undefined;
}

/** The start of the previous line. */
export function lineAbove(text: CellText, index: number): number | undefined {
  const start = lineStart(text, index);
  return start > 0 ? lineStart(text, start - 1) : undefined;
}
