/** Finds a character in the line of the cursor: `f`, `t`, `F`, `T` and their repeats. */
import { type CellText, lineEnd, lineStart } from "./cell-text.ts";

export type Find = {
  readonly character: string;
  readonly direction: "forward" | "backward";
  /** `on` the character, or `before` it as seen from where the cursor comes. */
  readonly stop: "on" | "before";
};

/** `isRepeat` looks past a neighbour at which the last find already stopped, so that a repeat moves on. */
export function findInLine(
  text: CellText,
  index: number,
  { find, isRepeat }: { readonly find: Find; readonly isRepeat: boolean },
): number | undefined {
  const step = find.direction === "forward" ? 1 : -1;
  const start = lineStart(text, index);
  const end = lineEnd(text, index);
  const skipped = isRepeat && find.stop === "before" ? 1 : 0;
  for (let place = index + step * (1 + skipped); place >= start && place < end; place += step) {
    if (isSame(text.cells[place], find.character)) return find.stop === "on" ? place : place - step;
  }
  return undefined;
}

export function reverseFind(find: Find): Find {
  return { ...find, direction: find.direction === "forward" ? "backward" : "forward" };
}

/** A key sends `é` as one character where a text may hold a letter and its mark. */
function isSame(cell: string | undefined, character: string): boolean {
  return cell === character || cell?.normalize() === character.normalize();
}
