/** The facts of the SQLite store: appending to a session's chain and reading it. */
import type { SQLInputValue } from "node:sqlite";
import type { AppendOptions, AppendOutcome, Fact, SessionSummary } from "@kedge/protocol";
import type { BlobFiles } from "../blob-files.ts";
import type { StoredRow } from "../chain.ts";
import { type ChainSource, chainAppend } from "../chain-append.ts";
import { lostLease } from "../lease.ts";
import { projectRows } from "../projection.ts";
import { createFactRows, spillName } from "./fact-rows.ts";
import { createRecordPages, type RecordPages } from "./record-pages.ts";
import type { Connection } from "./sqlite-connection.ts";
import { insertFacts, leaseEntry, type SessionEntry, sessionEntry, sql } from "./sqlite-rows.ts";

/** Content longer than this lies in a file of its own. */
export const payloadCharactersMax = 256 * 1024;

/** A turn has four facts; a session that is imported has thousands. */
const rowsAtOnceMax = 8;

/** Appends inside a transaction that is already going on. */
export type AppendFacts = (
  sessionId: string,
  facts: readonly Fact[],
  options: Pick<AppendOptions, "boot" | "times">,
) => AppendOutcome;

export type SqliteJournal = {
  append(sessionId: string, facts: readonly Fact[], options: AppendOptions): AppendOutcome;
  readonly records: RecordPages;
  rows(key: number): Iterable<StoredRow>;
  row(key: number, seq: number): StoredRow | undefined;
  /** The same for whoever shows them: of contents that are very long, only the beginning of each text. */
  readonly shown: { readonly records: RecordPages; row(key: number, seq: number): StoredRow | undefined };
  find(sessionId: string): SessionEntry | undefined;
  /** One durable transaction that appends and changes what lies beside the chain. */
  change(work: (append: AppendFacts) => AppendOutcome): AppendOutcome;
  /** Makes the listing of the session again from what its facts say now. */
  relist(entry: SessionEntry, head: string): void;
};

type KnownEntry = Pick<SessionEntry, "key" | "head" | "summary">;

export function createJournal(connection: Connection, files: BlobFiles, source: ChainSource): SqliteJournal {
  let known: KnownEntry | undefined;
  const find = (sessionId: string) => sessionEntry(connection.get(sql.session, sessionId));
  const { rows, row, shownRow } = createFactRows(connection, files);
  /** Files of the transaction that is going on. */
  const spilling: string[] = [];

  function chain(
    sessionId: string,
    entry: KnownEntry | undefined,
    facts: readonly Fact[],
    { times }: Pick<AppendOptions, "times">,
  ) {
    return chainAppend(sessionId, entry, facts, { now: source.now, times, randomBytes: source.randomBytes });
  }

  function appendFacts(
    sessionId: string,
    facts: readonly Fact[],
    options: Pick<AppendOptions, "boot" | "times">,
  ): AppendOutcome {
    const continued = known?.summary.sessionId === sessionId ? continueKnown(known, facts, options) : undefined;
    if (continued !== undefined) return continued;
    const found = connection.get(sql.writing, sessionId);
    const lost = lostLease(leaseEntry(found), options.boot);
    if (lost !== undefined) return lost;
    const entry = entryAt(sessionId, found);
    const { rows: chained, records, next } = chain(sessionId, entry, facts, options);
    if (next === undefined) return { ok: true, records, position: 0 };
    const key = saveSession(entry, next.summary, next.head.hash);
    known = { key, ...next };
    return { ok: true, records, position: insertRows(key, chained) };
  }

  /** Nearly every append: this process wrote the last one too. Undefined where that is not so. */
  function continueKnown(
    entry: KnownEntry,
    facts: readonly Fact[],
    options: Pick<AppendOptions, "boot" | "times">,
  ): AppendOutcome | undefined {
    const { sessionId } = entry.summary;
    const { rows: chained, records, next } = chain(sessionId, entry, facts, options);
    if (next === undefined || !isSamePlace(next.summary, entry.summary)) return undefined;
    const { title, model, updatedAt, lastSeq } = next.summary;
    const stand = [title, model, updatedAt, lastSeq, next.head.hash] as const;
    const before = [entry.key, entry.head.seq, entry.head.hash] as const;
    if (connection.change(sql.continueSession, ...stand, ...before, sessionId, options.boot) === 0) return undefined;
    known = { key: entry.key, ...next };
    return { ok: true, records, position: insertRows(entry.key, chained) };
  }

  /** The session as it was after our last append, unless the stored end of its chain says that somebody else wrote. */
  function entryAt(sessionId: string, end: Record<string, unknown> | undefined): KnownEntry | undefined {
    const isCurrent =
      known?.summary.sessionId === sessionId && known.head.seq === end?.["last_seq"] && known.head.hash === end["head"];
    return isCurrent ? known : find(sessionId);
  }

  function saveSession(entry: KnownEntry | undefined, summary: SessionSummary, head: string): number {
    const { sessionId, projectId, directory, parentId, isArchived, title, model } = summary;
    const { createdAt, updatedAt, lastSeq } = summary;
    const place = [projectId, directory, parentId ?? null, isArchived ? 1 : 0] as const;
    if (entry === undefined) {
      return connection.run(sql.insertSession, sessionId, ...place, title, model, createdAt, updatedAt, lastSeq, head);
    }
    connection.run(sql.updateSession, title, model, updatedAt, lastSeq, head, entry.key);
    if (!isSamePlace(summary, entry.summary)) connection.run(sql.placeSession, ...place, entry.key);
    return entry.key;
  }

  /** Runs a transaction, and takes back the files it wrote if it fails, so that their content does not stay behind. */
  function write(options: { readonly durable: boolean }, work: () => AppendOutcome): AppendOutcome {
    try {
      return connection.write(options, work);
    } catch (error) {
      for (const name of spilling) files.remove(name);
      throw error;
    } finally {
      spilling.length = 0;
    }
  }

  function spill(digest: string, content: string): void {
    spilling.push(spillName(digest));
    files.write(spillName(digest), Buffer.from(content));
  }

  /** The position of the last one. */
  function insertRows(key: number, rows: readonly StoredRow[]): number {
    let position = 0;
    for (let from = 0; from < rows.length; from += rowsAtOnceMax) {
      const together = rows.slice(from, from + rowsAtOnceMax);
      const values: SQLInputValue[] = [];
      for (const row of together) addValues(values, key, row);
      position = connection.run(insertFacts(together.length), ...values);
    }
    return position;
  }

  function addValues(values: SQLInputValue[], key: number, row: StoredRow): void {
    const { seq, time, type, version, data, digest, prev, hash, payload } = row;
    const spills = payload !== undefined && payload.content.length > payloadCharactersMax;
    if (spills && digest !== undefined) spill(digest, payload.content);
    const content = spills ? null : (payload?.content ?? null);
    values.push(key, seq, time, type, version, data, digest ?? null, prev, hash, payload?.salt ?? null, content);
  }

  return {
    append: (sessionId, facts, options) => write(options, () => appendFacts(sessionId, facts, options)),
    records: createRecordPages(connection, row),
    rows,
    row,
    shown: { records: createRecordPages(connection, shownRow), row: shownRow },
    find,
    change: (work) => write({ durable: true }, () => work(appendFacts)),
    relist(entry, head) {
      // A title taken from a removed prompt must go with it, and must not come back with the next append.
      known = undefined;
      const summary = projectRows(entry.summary.sessionId, rows(entry.key));
      if (summary !== undefined) saveSession(entry, summary, head);
    },
  };
}

function isSamePlace(left: SessionSummary, right: SessionSummary): boolean {
  return (
    left.projectId === right.projectId &&
    left.directory === right.directory &&
    left.parentId === right.parentId &&
    left.isArchived === right.isArchived
  );
}
