/** Carries an edit of an older version over to the present file, or refuses: never by guess, always by exact agreement. */
import { type Alignment, alignLines } from "./align-lines.ts";
import type { RecoveryKind } from "./guidance.ts";
import { type LineChange, linesOf, shiftIndex, trimChange } from "./lines.ts";
import type { PlainOperation } from "./operations.ts";
import { planChanges } from "./plan-changes.ts";

export type RecoveryInput = {
  readonly operations: readonly PlainOperation[];
  /** Both normalised. */
  readonly tagged: string;
  readonly present: string;
  /** The edits of this session that lead from one to the other, if nothing else happened between them. */
  readonly ownEdits: readonly (readonly LineChange[])[] | undefined;
};

/** The changes speak of the present text. */
export type Recovered = { readonly kind: RecoveryKind; readonly changes: readonly LineChange[] };

/** The operations must be valid for the tagged version. */
export async function recoverEdit(input: RecoveryInput): Promise<Recovered | undefined> {
  const tagged = linesOf(input.tagged);
  const present = linesOf(input.present);
  const carried = carryOver(input, tagged, present);
  if (carried !== undefined) return { kind: "session-chain", changes: carried };
  const planned = planChanges(input.operations, tagged.length);
  if (!planned.ok) throw new Error("an edit that does not fit its own version cannot be recovered");
  const merged = await mergeChanges(planned.changes, tagged, present);
  if (merged !== undefined) return { kind: "external", changes: merged };
  const replayed = replayChanges(planned.changes, tagged, present);
  return replayed === undefined ? undefined : { kind: "session-replay", changes: replayed };
}

/** Moves each named line the way the session's own edits moved it. */
function carryOver(
  { operations, ownEdits }: RecoveryInput,
  tagged: readonly string[],
  present: readonly string[],
): readonly LineChange[] | undefined {
  if (ownEdits === undefined) return undefined;
  const carryLine = (line: number): number | undefined => {
    let index: number | undefined = line - 1;
    for (const changes of ownEdits) {
      index = shiftIndex(index, changes);
      if (index === undefined) return undefined;
    }
    return tagged[line - 1] === present[index] ? index + 1 : undefined;
  };
  const carried: PlainOperation[] = [];
  for (const operation of operations) {
    const moved = carryOperation(operation, carryLine);
    if (moved === undefined) return undefined;
    carried.push(moved);
  }
  const planned = planChanges(carried, present.length);
  return planned.ok ? planned.changes : undefined;
}

function carryOperation(
  operation: PlainOperation,
  carryLine: (line: number) => number | undefined,
): PlainOperation | undefined {
  if (operation.kind === "edge") return operation;
  if (operation.kind === "insert") {
    const line = carryLine(operation.line);
    return line === undefined ? undefined : { ...operation, line };
  }
  const first = carryLine(operation.first);
  if (first === undefined) return undefined;
  // A range that something was put into is no longer the range that the model saw.
  for (let line = operation.first; line <= operation.last; line += 1) {
    if (carryLine(line) !== first + line - operation.first) return undefined;
  }
  return { ...operation, first, last: first + operation.last - operation.first };
}

/** A three-way merge in which a foreign change that overlaps or merely touches one of ours is a conflict. */
async function mergeChanges(
  changes: readonly LineChange[],
  tagged: readonly string[],
  present: readonly string[],
): Promise<readonly LineChange[] | undefined> {
  const alignment = await alignLines(tagged, present);
  if (alignment === undefined) return undefined;
  const merged: LineChange[] = [];
  for (const change of changes) {
    // Lines that the model typed again unchanged are no change, so a foreign one may keep them company.
    const trimmed = trimChange(change, tagged);
    if (trimmed === undefined) continue;
    const index = placeOf(trimmed, alignment, present.length);
    if (index === undefined) return undefined;
    merged.push({ ...trimmed, index });
  }
  return merged;
}

/** Where the change lands if its lines and the neighbours on both sides are still in one piece. */
function placeOf({ index, removed }: LineChange, alignment: Alignment, presentCount: number): number | undefined {
  const before = index === 0 ? -1 : alignment[index - 1];
  if (before === undefined || (before === -1 && index > 0)) return undefined;
  for (let offset = 0; offset <= removed; offset += 1) {
    const line = index + offset;
    const place = line === alignment.length ? presentCount : alignment[line];
    if (place !== before + 1 + offset) return undefined;
  }
  return before + 1;
}

function replayChanges(
  changes: readonly LineChange[],
  tagged: readonly string[],
  present: readonly string[],
): readonly LineChange[] | undefined {
  const replayed: LineChange[] = [];
  for (const change of changes) {
    // More than once in the tagged version means that the one left over may be the other one.
    const index = findOnly(change, tagged, present);
    if (index === undefined || findOnly(change, tagged, tagged) === undefined) return undefined;
    replayed.push({ ...change, index });
  }
  replayed.sort((a, b) => a.index - b.index);
  const overlap = replayed.some(({ index }, position) => {
    const above = replayed[position - 1];
    return above !== undefined && above.index + above.removed > index;
  });
  return overlap ? undefined : replayed;
}

/** The only place where the lines of a change stand between the same two neighbours; the ends of the text count as such. */
function findOnly(change: LineChange, tagged: readonly string[], lines: readonly string[]): number | undefined {
  const { index, removed } = change;
  const standsAt = (place: number): boolean => {
    for (let offset = -1; offset <= removed; offset += 1) {
      // Beyond either end there is nothing, and that is equal to nothing only.
      if (tagged[index + offset] !== lines[place + offset]) return false;
    }
    return true;
  };
  let found: number | undefined;
  for (let place = 0; place + removed <= lines.length; place += 1) {
    if (!standsAt(place)) continue;
    if (found !== undefined) return undefined;
    found = place;
  }
  return found;
}
