/** Chooses what of a long source file is shown: all declarations that there is room for, bodies left out. */
import { type Fold, type FoldedLines, findFolds } from "./fold-tree.ts";
import type { SyntaxNode } from "./syntax-tree.ts";

export type OutlineRoom = { readonly linesMax: number; readonly charactersMax: number };

/** A shorter outline says too little, so code is unfolded as well: some files are one large function. */
const usefulRowsMin = 60;
/** Of the number before a line. */
const rowPrefixCharacters = 7;

/**
 * Whether parsing can be worth its while: lines at the left edge are hardly ever inside of anything, so where they alone
 * fill the room no outline will fit. Trees of such files are the largest of all.
 */
export function couldBeOutlined(text: string, { linesMax, charactersMax }: OutlineRoom): boolean {
  let rows = 0;
  let characters = 0;
  for (const [line] of text.matchAll(/^[^\s)\]}*/].*$/gm)) {
    rows += 1;
    characters += line.length + rowPrefixCharacters;
    if (rows > linesMax || characters > charactersMax) return false;
  }
  return true;
}

/** The lines to leave out, in order and apart; undefined when nothing can be, or what is left is too long or too little. */
export function outlineOf(root: SyntaxNode, text: string, room: OutlineRoom): readonly FoldedLines[] | undefined {
  const starts = lineStarts(text);
  const lineCount = text.endsWith("\n") ? starts.length - 1 : starts.length;
  const whole: Fold = { first: 1, last: lineCount, kind: "code", folds: findFolds(root, text) };
  const size = (lines: FoldedLines): Size => ({
    rows: lines.last - lines.first + 1,
    characters: (starts[lines.last] ?? text.length) - (starts[lines.first - 1] ?? text.length),
  });
  const unfolded = whole.folds.length === 0 ? undefined : unfoldWithin(whole, size, room);
  if (unfolded === undefined) return undefined;
  return closedFolds(whole, unfolded);
}

type Size = { readonly rows: number; readonly characters: number };

/** Members first, level by level; then the largest pieces of code, while there is still little to see. */
function unfoldWithin(
  whole: Fold,
  size: (lines: FoldedLines) => Size,
  room: OutlineRoom,
): ReadonlySet<Fold> | undefined {
  const unfolded = new Set<Fold>();
  const rowsMin = Math.min(usefulRowsMin, room.linesMax / 2);
  let rows = 0;
  let characters = 0;

  const unfold = (fold: Fold): boolean => {
    const all = size(fold);
    const inner = fold.folds.map(size);
    const newRows = rows + all.rows - inner.reduce((sum, each) => sum + each.rows - 1, 0);
    const newCharacters = characters + all.characters - inner.reduce((sum, each) => sum + each.characters, 0);
    if (newRows > room.linesMax || newCharacters + newRows * rowPrefixCharacters > room.charactersMax) return false;
    rows = newRows;
    characters = newCharacters;
    unfolded.add(fold);
    return true;
  };
  const unfoldMembers = (top: Fold): readonly Fold[] => {
    const code: Fold[] = [];
    const level = [top];
    for (const fold of level)
      for (const inner of fold.folds) {
        if (inner.kind === "code") code.push(inner);
        if (inner.kind === "members" && unfold(inner)) level.push(inner);
      }
    return code;
  };

  if (!unfold(whole)) return undefined;
  const waiting = [...unfoldMembers(whole)];
  while (rows < rowsMin && waiting.length > 0) {
    const largest = waiting.reduce((best, fold) => (fold.last - fold.first > best.last - best.first ? fold : best));
    waiting.splice(waiting.indexOf(largest), 1);
    if (unfold(largest)) waiting.push(...unfoldMembers(largest));
  }
  return rows < rowsMin ? undefined : unfolded;
}

function closedFolds(fold: Fold, unfolded: ReadonlySet<Fold>): readonly FoldedLines[] {
  return fold.folds.flatMap((inner) =>
    unfolded.has(inner) ? closedFolds(inner, unfolded) : [{ first: inner.first, last: inner.last }],
  );
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}
