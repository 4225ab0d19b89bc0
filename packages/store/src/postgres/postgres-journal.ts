/** The facts of the PostgreSQL store: appending to a session's chain, and who may do so. */
import {
  type AppendOptions,
  type AppendOutcome,
  type Fact,
  type FactRecord,
  FailureError,
  type SessionSummary,
} from "@kedge/protocol";
import type { Head, StoredRow } from "../chain.ts";
import { type ChainSource, chainAppend } from "../chain-append.ts";
import { lostLease } from "../lease.ts";
import { projectRecord } from "../projection.ts";
import { readRow } from "../read-row.ts";
import { plainTitle } from "../session-filter.ts";
import { failure } from "../storage-failure.ts";
import { leaseEntry } from "./leases.ts";
import type { Connection, Lock, Queries } from "./postgres-connection.ts";
import { allRows, findSession, type SessionEntry, sessionEntry } from "./postgres-rows.ts";

const columns =
  "project_id, directory, parent_id, archived, title, plain_title, model, created, updated, last_seq, head";

/**
 * The row of `place` stays locked from here to the end of the transaction, so nobody commits a higher position before
 * this one. It is the last thing that an append does.
 */
const insertFacts = `taken AS (UPDATE kedge.place SET last = last + $2 RETURNING last)
  INSERT INTO kedge.fact (pos, session, seq, time, type, version, data, digest, prev, hash, salt, content)
  SELECT taken.last - $2 + f.ord, listed.key, f.seq, f.time, f.type, f.version, f.data, f.digest, f.prev, f.hash,
    f.salt, f.content
  FROM taken, listed, unnest($3::bigint[], $4::bigint[], $5::text[], $6::integer[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[])
    WITH ORDINALITY AS f (seq, time, type, version, data, digest, prev, hash, salt, content, ord)
  RETURNING pos`;

const listing = "$13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23";

/** Each statement is a way to the server and back, so an append has two between its beginning and its end. */
const sql = {
  /** Where the chain ends and who may write. */
  writing: `SELECT s.*, l.machine, l.boot, l.pid, l.started_at, l.expires FROM (SELECT $1::text AS id) wanted
    LEFT JOIN kedge.session s ON s.id = wanted.id LEFT JOIN kedge.lease l ON l.session_id = wanted.id`,
  begin: `WITH listed AS (INSERT INTO kedge.session (id, ${columns}) VALUES ($1, ${listing}) RETURNING key), ${insertFacts}`,
  goOn: `WITH listed AS (UPDATE kedge.session SET (${columns}) = (${listing}) WHERE id = $1 RETURNING key), ${insertFacts}`,
  relist: `UPDATE kedge.session SET (${columns}) = ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) WHERE key = $1`,
} as const;

/** Sessions whose end is remembered. */
const endsMax = 64;

/** Appends inside a transaction that has the lock of the chain. */
export type AppendFacts = (
  sessionId: string,
  facts: readonly Fact[],
  options: Pick<AppendOptions, "boot" | "times">,
) => Promise<AppendOutcome>;

export type PostgresJournal = {
  append(sessionId: string, facts: readonly Fact[], options: AppendOptions): Promise<AppendOutcome>;
  /** One durable transaction that appends and changes what lies beside the chain. */
  change(
    locks: readonly Lock[],
    work: (append: AppendFacts, queries: Queries) => Promise<AppendOutcome>,
  ): Promise<AppendOutcome>;
  /** Makes the listing of the session again from what its facts say now. */
  relist(queries: Queries, entry: SessionEntry, head: string): Promise<void>;
  read(sessionId: string, afterSeq: number): AsyncIterable<FactRecord>;
  rows(sessionId: string): AsyncIterable<StoredRow>;
};

export function createJournal(connection: Connection, source: ChainSource): PostgresJournal {
  /** How chains ended after our own appends. */
  const ends = new Map<string, Head>();

  function remember(records: readonly FactRecord[]): void {
    const last = records.at(-1);
    if (last === undefined) return;
    ends.delete(last.sessionId);
    ends.set(last.sessionId, { seq: last.seq, hash: last.hash });
    for (const oldest of ends.keys()) {
      if (ends.size <= endsMax) break;
      ends.delete(oldest);
    }
  }

  /** A server that crashed may have lost the last facts that nobody waited for; going on would give their numbers twice. */
  function refuseWhatWasLost(sessionId: string, stored: Head | undefined): void {
    const end = ends.get(sessionId);
    const lost = (end?.seq ?? 0) - (stored?.seq ?? 0);
    if (lost <= 0) return;
    ends.delete(sessionId);
    const what = lost === 1 ? "the last record" : `the last ${lost} records`;
    const message = `The PostgreSQL database ${connection.name} stopped and lost ${what} of this session.`;
    throw new FailureError(failure(message, "Reopen the session to continue from what is stored."));
  }

  async function appendFacts(
    queries: Queries,
    sessionId: string,
    facts: readonly Fact[],
    { boot, times }: Pick<AppendOptions, "boot" | "times">,
  ): Promise<AppendOutcome> {
    const [found = {}] = await queries.rows(sql.writing, [sessionId]);
    const lost = lostLease(leaseEntry(found), boot);
    if (lost !== undefined) return lost;
    const entry = found["key"] === null ? undefined : sessionEntry(found);
    refuseWhatWasLost(sessionId, entry?.head);
    const { now, randomBytes } = source;
    const { rows, records, next } = chainAppend(sessionId, entry, facts, { now, times, randomBytes });
    if (next === undefined) return { ok: true, records, position: 0 };
    const listed = listingValues(next.summary, next.head.hash);
    const text = entry === undefined ? sql.begin : sql.goOn;
    const inserted = await queries.rows(text, [sessionId, ...rowValues(rows), ...listed]);
    return { ok: true, records, position: Math.max(...inserted.map(({ pos }) => Number(pos))) };
  }

  return {
    async append(sessionId, facts, options) {
      const locks: readonly Lock[] = [{ of: "chain", sessionId }];
      const outcome = await connection.write({ durable: options.durable, locks }, (queries) =>
        appendFacts(queries, sessionId, facts, options),
      );
      if (outcome.ok) remember(outcome.records);
      return outcome;
    },
    async change(locks, work) {
      const appended: (readonly FactRecord[])[] = [];
      const outcome = await connection.write({ durable: true, locks }, (queries) =>
        work(async (...given) => {
          const added = await appendFacts(queries, ...given);
          if (added.ok) appended.push(added.records);
          return added;
        }, queries),
      );
      for (const records of appended) remember(records);
      return outcome;
    },
    async relist(queries, entry, head) {
      let summary: SessionSummary | undefined;
      const { sessionId } = entry.summary;
      for await (const row of allRows(queries, entry.key)) summary = projectRecord(summary, readRow(sessionId, row));
      if (summary !== undefined) await queries.rows(sql.relist, [entry.key, ...listingValues(summary, head)]);
    },
    async *read(sessionId, afterSeq) {
      const entry = await findSession(connection, sessionId);
      if (entry === undefined) return;
      for await (const row of allRows(connection, entry.key, afterSeq)) yield readRow(sessionId, row);
    },
    async *rows(sessionId) {
      const entry = await findSession(connection, sessionId);
      if (entry !== undefined) yield* allRows(connection, entry.key);
    },
  };
}

/** In the order of the columns. */
function listingValues(summary: SessionSummary, head: string): readonly unknown[] {
  const { projectId, directory, parentId, isArchived, title, model, createdAt, updatedAt, lastSeq } = summary;
  const place = [projectId, directory, parentId ?? null, isArchived, JSON.stringify(title), plainTitle(title), model];
  return [...place, createdAt, updatedAt, lastSeq, head];
}

function rowValues(rows: readonly StoredRow[]): readonly unknown[] {
  return [
    rows.length,
    rows.map((row) => row.seq),
    rows.map((row) => row.time),
    rows.map((row) => row.type),
    rows.map((row) => row.version),
    rows.map((row) => row.data),
    rows.map((row) => row.digest ?? null),
    rows.map((row) => row.prev),
    rows.map((row) => row.hash),
    rows.map((row) => row.payload?.salt ?? null),
    rows.map((row) => row.payload?.content ?? null),
  ];
}
