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

/** With a count `gg` and `G` go to that line; all others go so often, and stop where they can go no further. */
export function go(text: CellText, index: number, motion: Motion, count?: number): number | undefined {
  if (motion.kind === "find") return findTimes(text, index, motion, count ?? 1);
  const { name } = motion;
  if (count === undefined || name === "0" || name === "^") return namedMotions[name].go(text, index);
  if (name === "gg" || name === "G") return firstNonBlank(text, linesFurther(text, 0, count - 1));
  if (name === "$") return namedMotions.$.go(text, linesFurther(text, index, count - 1));
  let place: number | undefined;
  for (let times = 0; times < count; times++) {
    const next: number | undefined = namedMotions[name].go(text, place ?? index);
    if (next === undefined || next === place) break;
    place = next;
  }
  return place;
}

/** All or nothing: a line with too few of them is not moved in. */
function findTimes(
  text: CellText,
  index: number,
  motion: Motion & { readonly kind: "find" },
  count: number,
): number | undefined {
  let place = findInLine(text, index, motion);
  for (let times = 1; times < count && place !== undefined; times++) {
    place = findInLine(text, place, { ...motion, isRepeat: true });
  }
  return place;
}

/** So many lines below, or the last one. */
export function linesFurther(text: CellText, index: number, count: number): number {
  let place = index;
  for (let times = 0; times < count; times++) {
    const below = lineBelow(text, place);
    if (below === undefined) break;
    place = below;
  }
  return place;
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
