/** What an append adds to a session: the chained rows, the records they hold, and the listing after them. */
import type { AppendOptions, Fact, FactRecord, SessionSummary } from "@kedge/protocol";
import { chainFacts, emptyHead, type Head, type RandomBytes, recordOf, type StoredRow } from "./chain.ts";
import { projectRecord } from "./projection.ts";

export type ChainSource = { readonly now: () => number; readonly randomBytes: RandomBytes };

export type ChainedAppend = {
  readonly rows: readonly StoredRow[];
  readonly records: readonly FactRecord[];
  /** Absent when there is nothing to append; then nothing is to be stored. */
  readonly next?: { readonly head: Head; readonly summary: SessionSummary };
};

/** `before` is the session as it is stored, and undefined for a new one. */
export function chainAppend(
  sessionId: string,
  before: { readonly head: Head; readonly summary: SessionSummary } | undefined,
  facts: readonly Fact[],
  source: ChainSource & { readonly times: AppendOptions["times"] | undefined },
): ChainedAppend {
  const rows = chainFacts(before?.head ?? emptyHead(sessionId), facts, {
    time: source.now(),
    times: source.times,
    randomBytes: source.randomBytes,
  });
  const records: FactRecord[] = [];
  let summary = before?.summary;
  for (const row of rows) {
    // The row was made from the fact at the same place.
    const record = recordOf(sessionId, row, facts[records.length] as Fact);
    summary = projectRecord(summary, record);
    records.push(record);
  }
  const last = rows.at(-1);
  if (last === undefined || summary === undefined) return { rows, records };
  return { rows, records, next: { head: { seq: last.seq, hash: last.hash }, summary } };
}
