/** Opens a session: applies a page of stored facts to its state without making a record of each. */
import {
  applyAfterPassing,
  applyRecord,
  type Fact,
  factsKeptWhole,
  type SessionState,
  sealedFields,
} from "@kedge/protocol";
import { factFromTexts, recordFromRow, type StoredRow } from "./chain.ts";
import { damageOf } from "./read-row.ts";

/** What is read of each fact, in this order. */
export type FoldColumns = readonly [seq: number, time: number, type: string, data: string, content: string | null];

/** `name` is one string for each type, which the fold then compares by identity and not letter by letter. */
type KnownType = { readonly name: string; readonly isKeptWhole: boolean };

const knownTypes: ReadonlyMap<string, KnownType> = new Map(
  Object.keys(sealedFields).map((name) => [name, { name, isKeptWhole: factsKeptWhole.has(name) }]),
);

/**
 * `passedBefore` is the last step that was begun: facts before it may be missing where the fold would forget them.
 * `rowAt` reads rows whose content was removed or lies elsewhere.
 *
 * Columns are taken by their place, because taking an array apart goes through an iterator until it is compiled.
 */
export function applyFactPage(
  state: SessionState,
  page: readonly FoldColumns[],
  passedBefore: number,
  rowAt: (seq: number) => StoredRow | undefined,
): void {
  for (const row of page) {
    const record = { seq: row[0], time: row[1], fact: factOf(state.sessionId, row, rowAt) };
    if (record.seq <= passedBefore) applyAfterPassing(state, record);
    else applyRecord(state, record);
  }
}

/**
 * The sealed fields go into the object that the chained text became, over the empty values there. So a digest stays
 * beside them, which nobody sees, because the fold takes these facts apart; those it keeps are rebuilt without it.
 */
function factOf(sessionId: string, row: FoldColumns, rowAt: (seq: number) => StoredRow | undefined): Fact {
  const seq = row[0];
  const { name: type, isKeptWhole } = knownTypes.get(row[2]) ?? { name: row[2], isKeptWhole: false };
  const content = row[4];
  try {
    const open: Record<string, unknown> = JSON.parse(row[3]);
    const isSealed = typeof open["digest"] === "string";
    if (isSealed && content === null) {
      const stored = rowAt(seq);
      if (stored !== undefined) return recordFromRow(sessionId, stored, open).fact;
    }
    const text = isSealed ? (content ?? undefined) : undefined;
    return isKeptWhole ? factFromTexts(type, open, text) : factInPlace(type, open, text);
  } catch (error) {
    throw damageOf(sessionId, seq, error);
  }
}

function factInPlace(type: string, fields: Record<string, unknown>, content: string | undefined): Fact {
  fields["type"] = type;
  if (content !== undefined) {
    const sealed: Record<string, unknown> = JSON.parse(content);
    for (const name in sealed) fields[name] = sealed[name];
  }
  // Rows are written by chainFacts alone, which took these fields from a Fact; verify tells when somebody else did.
  return fields as Fact;
}
