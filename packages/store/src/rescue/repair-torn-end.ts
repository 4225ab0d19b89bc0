/** Closes a session whose last record was torn: takes that record away and says so in the one that follows. */
import { blobFiles } from "../blob-files.ts";
import { chainFacts, emptyHead, type RandomBytes, type StoredRow } from "../chain.ts";
import { projectRows } from "../projection.ts";
import { createSignedHeads } from "../sqlite/signed-heads.ts";
import type { Connection } from "../sqlite/sqlite-connection.ts";
import { createJournal } from "../sqlite/sqlite-journal.ts";
import { type SessionEntry, sql } from "../sqlite/sqlite-rows.ts";
import { dropViews } from "../sqlite/view-writer.ts";

const tornSql = {
  dropFact: "DELETE FROM fact WHERE session = ? AND seq = ?",
} as const;

export type TornEndOptions = {
  readonly blobsDirectory: string;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
};

/** Does nothing for a session whose last record can be read. Inside it, a damaged record is no torn one. */
export function repairTornEnd(connection: Connection, sessionId: string, options: TornEndOptions): void {
  const journal = createJournal(connection, blobFiles(options.blobsDirectory, options.randomBytes), options);
  const entry = journal.find(sessionId);
  if (entry === undefined || !isTorn(connection, entry)) return;
  connection.write({ durable: false }, () => {
    forgetSignature(connection, entry);
    connection.run(tornSql.dropFact, entry.key, entry.head.seq);
    repair(connection, entry, { ...options, whole: [...journal.rows(entry.key)] });
  });
}

/** One of the very record that is torn goes with it. Any other one stays: it tells if more is missing than that. */
function forgetSignature(connection: Connection, { head, summary: { sessionId } }: SessionEntry): void {
  const signedHeads = createSignedHeads(connection, undefined);
  const signed = signedHeads.of(sessionId);
  if (signed?.seq === head.seq && signed.hash === head.hash) signedHeads.drop(sessionId);
}

function isTorn(connection: Connection, { key, head }: SessionEntry): boolean {
  const row = connection.get(sql.factAt, key, head.seq);
  if (row === undefined) return false;
  try {
    JSON.parse(row["data"] as string);
    return false;
  } catch (error) {
    if (error instanceof SyntaxError) return true;
    throw error;
  }
}

function repair(
  connection: Connection,
  { key, head, summary }: SessionEntry,
  { now, randomBytes, whole }: TornEndOptions & { readonly whole: readonly StoredRow[] },
): void {
  const { sessionId } = summary;
  const what = `record ${head.seq} was truncated by a crash and is lost`;
  const last = whole.at(-1) ?? emptyHead(sessionId);
  const added = chainFacts(last, [{ type: "journal.recovered", what }], { time: now(), randomBytes });
  for (const row of added) insert(connection, key, row);
  const listed = projectRows(sessionId, [...whole, ...added]);
  const end = added.at(-1);
  if (listed === undefined || end === undefined) throw new Error("one fact makes one row");
  connection.run(sql.updateSession, listed.title, listed.model, listed.updatedAt, end.seq, end.hash, key);
  const { projectId, directory, parentId, isArchived } = listed;
  connection.run(sql.placeSession, projectId, directory, parentId ?? null, isArchived ? 1 : 0, key);
  dropViews(connection, key);
  connection.run(sql.resetProjection, key);
}

function insert(connection: Connection, key: number, row: StoredRow): void {
  const { seq, time, type, version, data, digest, prev, hash, payload } = row;
  const beside = [payload?.salt ?? null, payload?.content ?? null] as const;
  connection.run(sql.insertFact, key, seq, time, type, version, data, digest ?? null, prev, hash, ...beside);
}
