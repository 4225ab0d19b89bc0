/** Turns operations into changes of a text of known length, or says which of them cannot stand together. */
import type { LineChange } from "./lines.ts";
import {
  type EdgeOperation,
  type InsertOperation,
  type PlainOperation,
  type Rejected,
  type ReplaceOperation,
  reject,
  spellRange,
} from "./operations.ts";

export type PlannedChanges = { readonly ok: true; readonly changes: readonly LineChange[] };

/** Pure. Inserts at one place keep the order in which they were written. */
export function planChanges(operations: readonly PlainOperation[], lineCount: number): PlannedChanges | Rejected {
  for (const operation of operations) {
    const problem = checkNumbers(operation, lineCount);
    if (problem !== undefined) return problem;
  }
  const replacing = operations.filter((operation) => operation.kind === "replace").sort((a, b) => a.first - b.first);
  const inserting = operations.filter((operation) => operation.kind !== "replace");
  const problem = checkOverlaps(replacing) ?? checkInserts(inserting, replacing, lineCount);
  if (problem !== undefined) return problem;

  const inserts = inserting.map((operation) => ({
    index: gapOf(operation, lineCount),
    removed: 0,
    added: operation.body,
    ...(operation.verb === "INS.TAIL" && { endsText: true as const }),
  }));
  const replacements = replacing.map(({ verb, first, last, body }) => ({
    index: first - 1,
    removed: last - first + 1,
    added: body,
    ...(verb === "SWAP" && last === lineCount && { endsText: true as const }),
  }));
  // The sort is stable, so inserts stay in order and come before what replaces the line after them.
  return { ok: true, changes: [...inserts, ...replacements].sort((a, b) => a.index - b.index) };
}

/** The number of lines before the place of an insert. */
function gapOf(operation: InsertOperation | EdgeOperation, lineCount: number): number {
  switch (operation.verb) {
    case "INS.PRE":
      return operation.line - 1;
    case "INS.POST":
      return operation.line;
    case "INS.HEAD":
      return 0;
    case "INS.TAIL":
      return lineCount;
  }
}

function checkNumbers(operation: PlainOperation, lineCount: number): Rejected | undefined {
  if (operation.kind === "edge") return undefined;
  if (operation.kind === "insert") return checkLine(operation.line, operation.row, lineCount);
  const { first, last, row } = operation;
  if (last < first) return reject("rangeReversed", row, { first: `${first}`, last: `${last}` });
  return checkLine(first, row, lineCount) ?? checkLine(last, row, lineCount);
}

export function checkLine(line: number, row: number, lineCount: number): Rejected | undefined {
  if (line >= 1 && line <= lineCount) return undefined;
  return reject("lineBeyondFile", row, { line: `${line}`, count: lineCount === 1 ? "1 line" : `${lineCount} lines` });
}

function checkOverlaps(sorted: readonly ReplaceOperation[]): Rejected | undefined {
  for (const [index, later] of sorted.entries()) {
    const earlier = sorted[index - 1];
    if (earlier === undefined || earlier.last < later.first) continue;
    const [above, below] = earlier.row < later.row ? [earlier, later] : [later, earlier];
    return reject("overlap", below.row, {
      here: `${below.verb} ${spellRange(below)}`,
      there: `${above.verb} ${spellRange(above)}`,
      otherRow: `${above.row}`,
    });
  }
  return undefined;
}

function checkInserts(
  inserting: readonly (InsertOperation | EdgeOperation)[],
  replacing: readonly ReplaceOperation[],
  lineCount: number,
): Rejected | undefined {
  if (replacing.length === 0) return undefined;
  for (const operation of inserting) {
    const gap = gapOf(operation, lineCount);
    const around = lastStartingBefore(replacing, gap + 1);
    if (around === undefined || gap >= around.last || operation.kind === "edge") continue;
    return reject("insertInsideRange", operation.row, {
      here: `${operation.verb} ${operation.line}`,
      there: `${around.verb} ${spellRange(around)}`,
      otherRow: `${around.row}`,
    });
  }
  return undefined;
}

/** The ranges do not overlap, so only this one can reach over the line. */
function lastStartingBefore(sorted: readonly ReplaceOperation[], line: number): ReplaceOperation | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.first ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}
