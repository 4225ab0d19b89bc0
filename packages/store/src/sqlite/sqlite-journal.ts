/** The facts of the SQLite store: appending to a session's chain, reading it, and removing content beside it. */
import type { AppendOutcome, Fact, FactRecord, SessionSummary } from "@kedge/protocol";
import type { BlobFiles } from "../blob-files.ts";
import { chainFacts, emptyHead, type RandomBytes, recordOf, type StoredRow } from "../chain.ts";
import { lostLease } from "../lease.ts";
import { projectRecord, projectRows } from "../projection.ts";
import type { Connection } from "./sqlite-connection.ts";
import { leaseEntry, type SessionEntry, sessionEntry, sql, storedRow } from "./sqlite-rows.ts";

/** Content longer than this lies in a file of its own. */
export const payloadCharactersMax = 256 * 1024;

/** Rows taken per query, so that no statement stays open while the reader is busy. */
const rowsPerPage = 256;

export type Removal = { readonly reason: string; readonly by: string; readonly boot: string };

export type SqliteJournal = {
  append(
    sessionId: string,
    facts: readonly Fact[],
    options: { readonly boot: string; readonly durable: boolean },
  ): AppendOutcome;
  /** At most one page of rows after the number; an empty page is the end. */
  page(key: number, afterSeq: number): readonly StoredRow[];
  rows(key: number): Iterable<StoredRow>;
  find(sessionId: string): SessionEntry | undefined;
  removeContent(sessionId: string, digests: ReadonlySet<string>, removal: Removal): AppendOutcome;
};

export function createJournal(
  connection: Connection,
  files: BlobFiles,
  source: { readonly now: () => number; readonly randomBytes: RandomBytes },
): SqliteJournal {
  let known: SessionEntry | undefined;
  const find = (sessionId: string) => sessionEntry(connection.get(sql.session, sessionId));
  /** Files of the transaction that is going on. */
  const spilling: string[] = [];
  const spilled = (digest: string) => files.read(spillName(digest))?.toString();

  function page(key: number, afterSeq: number): readonly StoredRow[] {
    return connection.all(sql.facts, key, afterSeq, rowsPerPage).map((row) => storedRow(row, spilled));
  }

  function* rows(key: number): Generator<StoredRow> {
    let next = page(key, 0);
    while (next.length > 0) {
      yield* next;
      next = page(key, next.at(-1)?.seq ?? 0);
    }
  }

  function appendFacts(sessionId: string, facts: readonly Fact[], boot: string): AppendOutcome {
    const found = connection.get(sql.writing, sessionId);
    const lost = lostLease(leaseEntry(found), boot);
    if (lost !== undefined) return lost;
    const entry = entryAt(sessionId, found);
    const chained = chainFacts(entry?.head ?? emptyHead(sessionId), facts, {
      time: source.now(),
      randomBytes: source.randomBytes,
    });
    const records: FactRecord[] = [];
    let summary = entry?.summary;
    for (const [index, row] of chained.entries()) {
      // The row was made from the fact at the same place.
      const record = recordOf(sessionId, row, facts[index] as Fact);
      summary = projectRecord(summary, record);
      records.push(record);
    }
    const last = chained.at(-1);
    if (last === undefined || summary === undefined) return { ok: true, records };
    const key = saveSession(entry, summary, last.hash);
    known = { key, head: { seq: last.seq, hash: last.hash }, summary };
    for (const row of chained) insertRow(key, row);
    return { ok: true, records };
  }

  /** The session as it was after our last append, unless the stored end of its chain says that somebody else wrote. */
  function entryAt(sessionId: string, end: Record<string, unknown> | undefined): SessionEntry | undefined {
    const isCurrent =
      known?.summary.sessionId === sessionId && known.head.seq === end?.["last_seq"] && known.head.hash === end["head"];
    return isCurrent ? known : find(sessionId);
  }

  function saveSession(entry: SessionEntry | undefined, summary: SessionSummary, head: string): number {
    const { sessionId, projectId, directory, title, model, createdAt, updatedAt, lastSeq } = summary;
    if (entry === undefined) {
      const words = [sessionId, projectId, directory, title, model] as const;
      return connection.run(sql.insertSession, ...words, createdAt, updatedAt, lastSeq, head);
    }
    connection.run(sql.updateSession, title, model, updatedAt, lastSeq, head, entry.key);
    if (projectId !== entry.summary.projectId || directory !== entry.summary.directory) {
      connection.run(sql.placeSession, projectId, directory, entry.key);
    }
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

  function insertRow(key: number, row: StoredRow): void {
    const { seq, time, type, version, data, digest, prev, hash, payload } = row;
    const spills = payload !== undefined && payload.content.length > payloadCharactersMax;
    if (spills && digest !== undefined) spill(digest, payload.content);
    const beside = [payload?.salt ?? null, spills ? null : (payload?.content ?? null)] as const;
    connection.run(sql.insertFact, key, seq, time, type, version, data, digest ?? null, prev, hash, ...beside);
  }

  function removePayloads(entry: SessionEntry, digests: ReadonlySet<string>, removal: Removal): AppendOutcome {
    const { sessionId } = entry.summary;
    const present = connection
      .all(sql.payloads, entry.key)
      .map((row) => ({ pos: row["pos"] as number, digest: row["digest"] as string }))
      .filter((payload) => digests.has(payload.digest));
    const { reason, by, boot } = removal;
    const fact: Fact = { type: "content.removed", digests: present.map((payload) => payload.digest), reason, by };
    const outcome = appendFacts(sessionId, present.length === 0 ? [] : [fact], boot);
    const last = outcome.ok ? outcome.records.at(-1) : undefined;
    if (last === undefined) return outcome;
    for (const { pos } of present) connection.run(sql.removePayload, pos);
    // A title taken from a removed prompt must go with it, and must not come back with the next append.
    known = undefined;
    const summary = projectRows(sessionId, rows(entry.key));
    if (summary !== undefined) saveSession(entry, summary, last.hash);
    return outcome;
  }

  return {
    append: (sessionId, facts, { boot, durable }) => write({ durable }, () => appendFacts(sessionId, facts, boot)),
    page,
    rows,
    find,

    removeContent(sessionId, digests, removal) {
      const outcome = write({ durable: true }, () => {
        const entry = find(sessionId);
        return entry === undefined ? appendFacts(sessionId, [], removal.boot) : removePayloads(entry, digests, removal);
      });
      const entry = find(sessionId);
      if (!outcome.ok || entry === undefined) return outcome;
      // Asked of the chain and not of this removal, in case a crash came between an earlier commit and this.
      for (const { digest } of connection.all(sql.digestsWithoutPayload, entry.key)) {
        if (digests.has(digest as string)) files.remove(spillName(digest as string));
      }
      connection.emptyLog();
      return outcome;
    },
  };
}

function spillName(digest: string): string {
  return `${digest}.payload`;
}
