/** The facts of the SQLite store: appending to a session's chain and reading it. */
import type { AppendOptions, AppendOutcome, Fact, SessionSummary } from "@kedge/protocol";
import type { BlobFiles } from "../blob-files.ts";
import type { StoredRow } from "../chain.ts";
import { type ChainSource, chainAppend } from "../chain-append.ts";
import { lostLease } from "../lease.ts";
import { projectRows } from "../projection.ts";
import { createFactRows, spillName } from "./fact-rows.ts";
import { createRecordPages, type RecordPages } from "./record-pages.ts";
import type { Connection } from "./sqlite-connection.ts";
import { leaseEntry, type SessionEntry, sessionEntry, sql } from "./sqlite-rows.ts";

/** Content longer than this lies in a file of its own. */
export const payloadCharactersMax = 256 * 1024;

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

  function appendFacts(
    sessionId: string,
    facts: readonly Fact[],
    { boot, times }: Pick<AppendOptions, "boot" | "times">,
  ): AppendOutcome {
    const found = connection.get(sql.writing, sessionId);
    const lost = lostLease(leaseEntry(found), boot);
    if (lost !== undefined) return lost;
    const entry = entryAt(sessionId, found);
    const { now, randomBytes } = source;
    const { rows: chained, records, next } = chainAppend(sessionId, entry, facts, { now, times, randomBytes });
    if (next === undefined) return { ok: true, records, position: 0 };
    const key = saveSession(entry, next.summary, next.head.hash);
    known = { key, ...next };
    let position = 0;
    for (const added of chained) position = insertRow(key, added);
    return { ok: true, records, position };
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

  /** Its position. */
  function insertRow(key: number, added: StoredRow): number {
    const { seq, time, type, version, data, digest, prev, hash, payload } = added;
    const spills = payload !== undefined && payload.content.length > payloadCharactersMax;
    if (spills && digest !== undefined) spill(digest, payload.content);
    const beside = [payload?.salt ?? null, spills ? null : (payload?.content ?? null)] as const;
    return connection.run(sql.insertFact, key, seq, time, type, version, data, digest ?? null, prev, hash, ...beside);
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
