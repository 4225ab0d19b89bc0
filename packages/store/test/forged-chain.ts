/** What somebody does who knows the format: cuts a chain back or writes it anew, with every hash and the listing right. */
import { hash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { type ChainRow, emptyHead, rowHash, type StoredRow } from "../src/chain.ts";
import { projectRows } from "../src/projection.ts";

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

/** Leaves the records up to a number, and a listing that fits them. */
export function cutBack(path: string, sessionId: string, lastSeq: number): void {
  behind(path, (database) => {
    database.prepare("DELETE FROM fact WHERE session = ? AND seq > ?").run(keyOf(database, sessionId), lastSeq);
    relist(database, sessionId);
  });
}

/** Gives one record another time, and all that follow the hashes that then belong to them. */
export function writeAnew(path: string, sessionId: string, changedSeq: number): void {
  behind(path, (database) => {
    const key = keyOf(database, sessionId);
    const save = database.prepare("UPDATE fact SET time = ?, prev = ?, hash = ? WHERE session = ? AND seq = ?");
    let { hash: prev } = emptyHead(sessionId);
    for (const row of rowsOf(database, key)) {
      const time = row.seq === changedSeq ? row.time - 1 : row.time;
      const own = rowHash({ ...row, time, prev });
      save.run(time, prev, own, key, row.seq);
      prev = own;
    }
    relist(database, sessionId);
  });
}

function rowsOf(database: DatabaseSync, key: number): readonly StoredRow[] {
  const rows = database.prepare("SELECT * FROM fact WHERE session = ? ORDER BY seq").all(key);
  return rows.map((row) => {
    // The columns are named after the fields.
    const chained = row as unknown as ChainRow & { salt: string | null; content: string | null };
    const { salt, content } = chained;
    const payload = salt === null || content === null ? undefined : { salt, content };
    return { ...chained, digest: chained.digest ?? undefined, payload };
  });
}

/** As a start that finds nothing derived: everything is made anew from what the records say now. */
function relist(database: DatabaseSync, sessionId: string): void {
  const key = keyOf(database, sessionId);
  const rows = rowsOf(database, key);
  const summary = projectRows(sessionId, rows);
  if (summary === undefined) throw new Error("no record is left");
  const { title, model, createdAt, updatedAt, lastSeq } = summary;
  const head = rows.at(-1)?.hash ?? hash("sha256", sessionId);
  database
    .prepare("UPDATE session SET title = ?, model = ?, created = ?, updated = ?, last_seq = ?, head = ? WHERE key = ?")
    .run(title, model, createdAt, updatedAt, lastSeq, head, key);
  database.prepare("UPDATE session SET projected = iif(deleted, last_seq, 0) WHERE key = ?").run(key);
}
