/** The records of all sessions in the order they were stored, a page at a time. */
import type { PlacedRecord, PlacedRow, Store } from "@kedge/protocol";
import { journalRow } from "../chain.ts";
import { unlessDamaged } from "../read-row.ts";
import type { RecordPages } from "./record-pages.ts";
import type { Connection } from "./sqlite-connection.ts";
import type { SqliteJournal } from "./sqlite-journal.ts";

export type Tail = Pick<Store, "tail" | "tailRows" | "lastPosition" | "positionOf" | "positionBefore">;

/** Records taken per query, so that no statement stays open while the reader is busy. */
const recordsPerPage = 256;

const recordColumns = `f.seq, f.time, f.type, f.data, f.prev, f.hash, f.content,
  iif(f.digest IS NULL, f.content IS NULL, f.salt IS NOT NULL AND f.content IS NOT NULL)`;

const tailSql = `SELECT f.pos, s.id, f.session, ${recordColumns}
  FROM fact f JOIN session s ON s.key = f.session WHERE f.pos > ? ORDER BY f.pos LIMIT ?`;

/** The plus keeps SQLite from going over the facts of all sessions; the index of the session's own has the position. */
const sessionTailSql = `SELECT f.pos, s.id, f.session, ${recordColumns}
  FROM session s JOIN fact f ON f.session = s.key
  WHERE s.id = ? AND f.seq > ? AND +f.pos > ? ORDER BY f.seq LIMIT ?`;

const tailRowsSql = `SELECT f.pos, s.id, f.session, f.seq
  FROM fact f JOIN session s ON s.key = f.session WHERE f.pos > ? ORDER BY f.pos LIMIT ?`;

const lastPositionSql = "SELECT max(pos) AS pos FROM fact";

const positionOfSql = `SELECT f.pos FROM session s JOIN fact f ON f.session = s.key
  WHERE s.id = ? AND f.seq <= ? ORDER BY f.seq DESC LIMIT 1`;

const missingSql = `SELECT min(f.pos) AS pos FROM session s JOIN fact f ON f.session = s.key
  AND f.seq = 1 + coalesce((SELECT value FROM json_each(?) WHERE key = s.id), 0)`;

type Place = readonly [position: number, sessionId: string, key: number];

/** The columns of the two statements, in their order; SQLite itself enforces their types. */
type TailColumns = readonly [...Place, ...Parameters<RecordPages["record"]>[1]];

export function createTail(connection: Connection, journal: Pick<SqliteJournal, "records" | "row">): Tail {
  function lastPosition(): number {
    return Number(connection.get(lastPositionSql)?.["pos"] ?? 0);
  }

  return {
    async *tail(afterPosition, sessionId) {
      let position = afterPosition;
      let lastSeq = 0;
      for (;;) {
        const page = (sessionId === undefined
          ? connection.values(tailSql, position, recordsPerPage)
          : connection.values(
              sessionTailSql,
              sessionId,
              lastSeq,
              afterPosition,
              recordsPerPage,
            )) as unknown as readonly TailColumns[];
        for (const [place, id, key, ...row] of page) {
          position = place;
          lastSeq = row[0];
          const read = () => journal.records.record({ sessionId: id, key }, row);
          // Of all sessions those follow on that are sound; whoever reads one session is told what is wrong with it.
          const record = sessionId === undefined ? unlessDamaged(read) : read();
          if (record !== undefined) yield { position, record } satisfies PlacedRecord;
        }
        if (page.length < recordsPerPage) return;
      }
    },

    async *tailRows(afterPosition) {
      let position = afterPosition;
      for (;;) {
        // As above.
        const page = connection.values(tailRowsSql, position, recordsPerPage) as unknown as readonly (readonly [
          ...Place,
          seq: number,
        ])[];
        for (const [place, sessionId, key, seq] of page) {
          position = place;
          const row = journal.row(key, seq);
          if (row === undefined)
            throw new Error(`record ${seq} of ${sessionId} is missing, but records are never deleted`);
          yield { position, sessionId, row: journalRow(row) } satisfies PlacedRow;
        }
        if (page.length < recordsPerPage) return;
      }
    },

    async lastPosition() {
      return lastPosition();
    },

    async positionOf(sessionId, seq) {
      return Number(connection.get(positionOfSql, sessionId, seq)?.["pos"] ?? 0);
    },

    async positionBefore(known) {
      const missing = connection.get(missingSql, JSON.stringify(Object.fromEntries(known)))?.["pos"];
      return typeof missing === "number" ? missing - 1 : lastPosition();
    },
  };
}
