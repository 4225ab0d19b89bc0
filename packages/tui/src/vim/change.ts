/** The changes that dot repeats, as data, and applying one of them at a place. */
import { type CellRange, type CellText, lineEnd, lineStart, offsetOf, skipBlanks, sliceCells } from "./cell-text.ts";
import { type Edit, removeRange, replaceCells } from "./edit.ts";
import { dedentLines, indentLines, joinLines, openLine } from "./lines.ts";
import { rangeOf, type Target } from "./operator-range.ts";
import { put, type Register } from "./register.ts";

export type Change = { readonly count?: number } & (
  | { readonly kind: "operate"; readonly operator: "d" | "c"; readonly target: Target }
  | { readonly kind: "insert"; readonly at: "cursor" | "first non-blank" | "after cursor" | "line end" }
  | { readonly kind: "open"; readonly side: "below" | "above" }
  | { readonly kind: "put"; readonly side: "after" | "before" }
  | { readonly kind: "indent" }
  | { readonly kind: "dedent" }
  | { readonly kind: "join" }
);

type Place = {
  readonly text: CellText;
  readonly index: number;
  readonly register: Register | undefined;
  readonly shiftWidth: number;
};

/** `register` where the change took text out. */
type Changed = { readonly edit: Edit; readonly register?: Register };

/** Nothing where the change has no effect at this place. */
export function applyChange(change: Change, { text, index, register, shiftWidth }: Place): Changed | undefined {
  switch (change.kind) {
    case "operate":
      return operate(change, text, index);
    case "insert":
      return { edit: { text: text.text, cursor: insertionOffset(change.at, text, index), stand: "insert" } };
    case "open":
      return { edit: openLine(text, index, change.side) };
    case "put":
      return asChanged(put(text, index, { register, side: change.side, count: change.count ?? 1 }));
    case "indent":
      return asChanged(indentLines(text, index, shiftWidth, change.count));
    case "dedent":
      return asChanged(dedentLines(text, index, shiftWidth, change.count));
    case "join":
      return asChanged(joinLines(text, index, change.count));
  }
}

function asChanged(edit: Edit | undefined): Changed | undefined {
  return edit && { edit };
}

function operate(change: Change & { readonly kind: "operate" }, text: CellText, index: number): Changed | undefined {
  const range = rangeOf(text, index, change);
  if (range === undefined) return undefined;
  const isEmpty = range.start === range.end && !range.isLinewise;
  const register = isEmpty ? {} : { register: registerOf(text, range) };
  if (change.operator === "c") {
    const changed = replaceCells(text, range.start, range.end);
    return { edit: { text: changed, cursor: offsetOf(text, range.start), stand: "insert" }, ...register };
  }
  if (isEmpty || text.text === "") return undefined;
  return { edit: removeRange(text, range), ...register };
}

export function registerOf(text: CellText, { start, end, isLinewise }: CellRange): Register {
  return { text: sliceCells(text, start, end), isLinewise };
}

function insertionOffset(at: (Change & { readonly kind: "insert" })["at"], text: CellText, index: number): number {
  const end = lineEnd(text, index);
  switch (at) {
    case "cursor":
      return offsetOf(text, index);
    case "after cursor":
      return offsetOf(text, Math.min(index + 1, end));
    case "first non-blank":
      // Not the cell of the `^` motion: on a line of blanks text is inserted behind them.
      return offsetOf(text, skipBlanks(text, lineStart(text, index), end));
    case "line end":
      return offsetOf(text, end);
  }
}
