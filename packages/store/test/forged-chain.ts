/** What somebody does who knows the format: cuts a chain back or writes it anew, with every hash and the listing right. */
import { DatabaseSync } from "node:sqlite";
import type { SessionSummary } from "@kedge/protocol";
import type { TestDatabase } from "@kedge/testing/postgres";
import { type ChainRow, emptyHead, rowHash, type StoredRow } from "../src/chain.ts";
import { projectRows } from "../src/projection.ts";
import { plainTitle } from "../src/session-filter.ts";

type Columns = { readonly [column: string]: string | number | null };

export type RowChange = { readonly at: number; readonly columns: Columns };

/** The tables of a store behind its back. */
export type Behind = {
  rows(sessionId: string): Promise<readonly StoredRow[]>;
  /** One after the other, each found by the number it has then. */
  changeRows(sessionId: string, changes: readonly RowChange[]): Promise<void>;
  /** From a number up to another, without that. */
  deleteRows(sessionId: string, from: number, to: number): Promise<void>;
  /** As a start that finds nothing derived: everything is made anew from what the records say now. */
  relist(summary: SessionSummary, head: string): Promise<void>;
  signedHead(sessionId: string): Promise<Columns>;
  changeSignedHead(sessionId: string, columns: Columns): Promise<void>;
};

/** Leaves the records up to a number, and a listing that fits them. */
export async function cutBack(behind: Behind, sessionId: string, lastSeq: number): Promise<void> {
  await behind.deleteRows(sessionId, lastSeq + 1, Number.MAX_SAFE_INTEGER);
  await relist(behind, sessionId);
}

/** Gives one record another time, and all that follow the hashes that then belong to them. */
export async function writeAnew(behind: Behind, sessionId: string, changedSeq: number): Promise<void> {
  let { hash: prev } = emptyHead(sessionId);
  const changes: RowChange[] = [];
  for (const row of await behind.rows(sessionId)) {
    const time = row.seq === changedSeq ? row.time - 1 : row.time;
    const hash = rowHash({ ...row, time, prev });
    changes.push({ at: row.seq, columns: { time, prev, hash } });
    prev = hash;
  }
  await behind.changeRows(sessionId, changes);
  await relist(behind, sessionId);
}

async function relist(behind: Behind, sessionId: string): Promise<void> {
  const rows = await behind.rows(sessionId);
  const summary = projectRows(sessionId, rows);
  if (summary === undefined) throw new Error("no record is left");
  await behind.relist(summary, rows.at(-1)?.hash ?? "");
}

export function behind<Result>(path: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

export function keyOf(database: DatabaseSync, sessionId: string): number {
  return Number(database.prepare("SELECT key FROM session WHERE id = ?").get(sessionId)?.["key"]);
}

export function behindSqlite(path: string): Behind {
  const run = (text: string, ...values: (string | number | null)[]) =>
    behind(path, (database) => void database.prepare(text).run(...values));
  const keyOfSession = (sessionId: string) => behind(path, (database) => keyOf(database, sessionId));
  return {
    async rows(sessionId) {
      const text = "SELECT * FROM fact WHERE session = ? ORDER BY seq";
      return behind(path, (database) => database.prepare(text).all(keyOf(database, sessionId)).map(storedRow));
    },
    async changeRows(sessionId, changes) {
      behind(path, (database) => {
        const key = keyOf(database, sessionId);
        database.exec("BEGIN");
        for (const { at, columns } of changes) {
          const set = Object.keys(columns).map((column) => `${column} = ?`);
          const text = `UPDATE fact SET ${set.join(", ")} WHERE session = ? AND seq = ?`;
          database.prepare(text).run(...Object.values(columns), key, at);
        }
        database.exec("COMMIT");
      });
    },
    async deleteRows(sessionId, from, to) {
      run("DELETE FROM fact WHERE session = ? AND seq >= ? AND seq < ?", keyOfSession(sessionId), from, to);
    },
    async relist({ sessionId, title, model, createdAt, updatedAt, lastSeq }, head) {
      const columns = "title = ?, model = ?, created = ?, updated = ?, last_seq = ?, head = ?";
      const values = [title, model, createdAt, updatedAt, lastSeq, head];
      run(`UPDATE session SET ${columns} WHERE id = ?`, ...values, sessionId);
      run("UPDATE session SET projected = iif(deleted, last_seq, 0) WHERE id = ?", sessionId);
    },
    async signedHead(sessionId) {
      const text = "SELECT * FROM signed_head WHERE session_id = ?";
      return behind(path, (database) => database.prepare(text).get(sessionId)) as Columns;
    },
    async changeSignedHead(sessionId, columns) {
      const set = Object.keys(columns).map((column) => `${column} = ?`);
      run(`UPDATE signed_head SET ${set.join(", ")} WHERE session_id = ?`, ...Object.values(columns), sessionId);
    },
  };
}

export function behindPostgres({ query }: Pick<TestDatabase, "query">): Behind {
  const ofSession = "session = (SELECT key FROM kedge.session WHERE id = $1)";
  const setOf = (columns: Columns, first: number) =>
    Object.keys(columns).map((column, index) => `${column} = $${index + first}`);
  return {
    async rows(sessionId) {
      const rows = await query(`SELECT * FROM kedge.fact WHERE ${ofSession} ORDER BY seq`, [sessionId]);
      return rows.map((row) => storedRow({ ...row, seq: Number(row["seq"]), time: Number(row["time"]) }));
    },
    async changeRows(sessionId, changes) {
      for (const { at, columns } of changes) {
        const text = `UPDATE kedge.fact SET ${setOf(columns, 3).join(", ")} WHERE ${ofSession} AND seq = $2`;
        await query(text, [sessionId, at, ...Object.values(columns)]);
      }
    },
    async deleteRows(sessionId, from, to) {
      await query(`DELETE FROM kedge.fact WHERE ${ofSession} AND seq >= $2 AND seq < $3`, [sessionId, from, to]);
    },
    async relist({ sessionId, title, model, createdAt, updatedAt, lastSeq }, head) {
      const listed = { model, created: createdAt, updated: updatedAt, last_seq: lastSeq, head };
      const columns = { title: JSON.stringify(title), plain_title: plainTitle(title), ...listed };
      const set = setOf(columns, 2).join(", ");
      await query(`UPDATE kedge.session SET ${set} WHERE id = $1`, [sessionId, ...Object.values(columns)]);
      for (const table of ["projection", "part", "message", "todo", "usage"]) {
        await query(`DELETE FROM kedge.${table} WHERE ${ofSession}`, [sessionId]);
      }
    },
    async signedHead(sessionId) {
      const [row] = await query("SELECT * FROM kedge.signed_head WHERE session_id = $1", [sessionId]);
      // The columns of the table.
      return row as Columns;
    },
    async changeSignedHead(sessionId, columns) {
      const set = setOf(columns, 2).join(", ");
      await query(`UPDATE kedge.signed_head SET ${set} WHERE session_id = $1`, [sessionId, ...Object.values(columns)]);
    },
  };
}

function storedRow(row: Record<string, unknown>): StoredRow {
  // The columns are named after the fields.
  const chained = row as unknown as ChainRow & { salt: string | null; content: string | null };
  const { salt, content } = chained;
  const payload = salt === null || content === null ? undefined : { salt, content };
  return { ...chained, digest: chained.digest ?? undefined, payload };
}
