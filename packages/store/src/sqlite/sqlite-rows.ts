/** Statements of the SQLite store and the way from their rows to our types. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SessionSummary } from "@kedge/protocol";
import type { Head } from "../chain.ts";
import type { Lease } from "../lease.ts";
import { storedColumns } from "../stored-row.ts";

const factValues = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

export const sql = {
  begin: "BEGIN IMMEDIATE",
  beginReading: "BEGIN",
  commit: "COMMIT",
  rollback: "ROLLBACK",
  /** One look-up answers both questions of an append: where the chain ends and who may write. */
  writing: `SELECT s.last_seq, s.head, l.boot, l.pid, l.started_at, l.expires
    FROM (SELECT ? AS wanted) LEFT JOIN session s ON s.id = wanted LEFT JOIN lease l ON l.session_id = wanted`,
  session: "SELECT * FROM session WHERE id = ?",
  lease: "SELECT * FROM lease WHERE session_id = ?",
  insertSession: `INSERT INTO session
    (id, project_id, directory, parent_id, archived, title, model, created, updated, last_seq, head)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  /** Leaves the indexed columns alone, because SQLite rewrites an index entry even when its value stays. */
  updateSession: "UPDATE session SET title = ?, model = ?, updated = ?, last_seq = ?, head = ? WHERE key = ?",
  /** The same where the chain ends as the writer knows it and nobody else took the lease: one statement less per append. */
  continueSession: `UPDATE session SET title = ?, model = ?, updated = ?, last_seq = ?, head = ?
    WHERE key = ? AND last_seq = ? AND head = ?
    AND NOT EXISTS (SELECT 1 FROM lease WHERE session_id = ? AND boot <> ?)`,
  placeSession: "UPDATE session SET project_id = ?, directory = ?, parent_id = ?, archived = ? WHERE key = ?",
  resetProjection: "UPDATE session SET projected = 0 WHERE key = ?",
  markDeleted: "UPDATE session SET deleted = 1, projected = last_seq WHERE key = ?",
  insertFact: `INSERT INTO fact (session, seq, time, type, version, data, digest, prev, hash, salt, content)
    VALUES ${factValues}`,
  facts: `SELECT ${storedColumns} FROM fact WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?`,
  factAt: `SELECT ${storedColumns} FROM fact WHERE session = ? AND seq = ?`,
  payloads: `SELECT pos, digest FROM fact
    WHERE session = ? AND digest IS NOT NULL AND (salt IS NOT NULL OR content IS NOT NULL) ORDER BY seq`,
  digestsWithoutPayload: "SELECT digest FROM fact WHERE session = ? AND digest IS NOT NULL AND salt IS NULL",
  /** Content without a salt stands in the place of what was removed. */
  removePayload: "UPDATE fact SET salt = NULL, content = ? WHERE pos = ?",
  saveLease: `INSERT INTO lease (session_id, boot, pid, started_at, expires) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (session_id) DO UPDATE
    SET boot = excluded.boot, pid = excluded.pid, started_at = excluded.started_at, expires = excluded.expires`,
  dropLease: "DELETE FROM lease WHERE session_id = ? AND boot = ?",
  insertBlob: "INSERT INTO blob (sha256, size) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING",
  blob: "SELECT size FROM blob WHERE sha256 = ?",
} as const;

const insertsOfFacts: string[] = [];

/** Inserts so many facts at once, which takes half as long as one by one. */
export function insertFacts(count: number): string {
  insertsOfFacts[count] ??= `${sql.insertFact}${`, ${factValues}`.repeat(count - 1)}`;
  return insertsOfFacts[count];
}

/** Prepares each statement once, when it is first needed. */
export function lazyStatements(
  database: DatabaseSync,
  options: { readonly returnArrays: boolean } = { returnArrays: false },
): (text: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    let statement = prepared.get(text);
    if (statement === undefined) {
      statement = database.prepare(text);
      statement.setReturnArrays(options.returnArrays);
      prepared.set(text, statement);
    }
    return statement;
  };
}

/** Column types are those of STRICT tables, which SQLite itself enforces. */
type Row = Record<string, unknown>;

export type SessionEntry = {
  readonly key: number;
  readonly head: Head;
  readonly summary: SessionSummary;
  readonly isDeleted: boolean;
  /** The last fact that everything derived was made of. */
  readonly projected: number;
};

export function sessionEntry(row: Row | undefined): SessionEntry | undefined {
  if (row === undefined || row["key"] === null) return undefined;
  const lastSeq = row["last_seq"] as number;
  return {
    key: row["key"] as number,
    head: { seq: lastSeq, hash: row["head"] as string },
    summary: {
      sessionId: row["id"] as string,
      ...(typeof row["parent_id"] === "string" && { parentId: row["parent_id"] }),
      isArchived: row["archived"] === 1,
      projectId: row["project_id"] as string,
      directory: row["directory"] as string,
      title: row["title"] as string,
      model: row["model"] as string,
      createdAt: row["created"] as number,
      updatedAt: row["updated"] as number,
      lastSeq,
    },
    isDeleted: row["deleted"] === 1,
    projected: row["projected"] as number,
  };
}

export function leaseEntry(row: Row | undefined): Lease | undefined {
  if (row === undefined || row["boot"] === null) return undefined;
  return {
    holder: { boot: row["boot"] as string, pid: row["pid"] as number, startedAt: row["started_at"] as string },
    expiresAt: row["expires"] as number,
  };
}
