/** The records of all sessions in the order they were stored, a page at a time. */
import type { PlacedRecord, PlacedRow, Store } from "@kedge/protocol";
import { journalRow, type StoredRow } from "../chain.ts";
import { readRow, unlessDamaged } from "../read-row.ts";
import { storedColumns } from "../stored-row.ts";
import type { Connection } from "./postgres-connection.ts";
import { rowOf } from "./postgres-rows.ts";

export type Tail = Pick<Store, "tail" | "tailRows" | "lastPosition" | "positionOf" | "positionBefore">;

/** Records taken per query. */
const recordsPerPage = 256;

const columns = storedColumns.replaceAll(/\w+/g, "f.$&");

const sql = {
  all: `SELECT f.pos, s.id, ${columns} FROM kedge.fact f JOIN kedge.session s ON s.key = f.session
    WHERE f.pos > $1 ORDER BY f.pos LIMIT $2`,
  /** By number and not by position: the index of the session's own facts gives them in that order. */
  ofSession: `SELECT f.pos, s.id, ${columns} FROM kedge.session s JOIN kedge.fact f ON f.session = s.key
    WHERE s.id = $3 AND f.seq > $4 AND f.pos > $1 ORDER BY f.seq LIMIT $2`,
  last: "SELECT last FROM kedge.place",
  positionOf: `SELECT f.pos FROM kedge.session s JOIN kedge.fact f ON f.session = s.key
    WHERE s.id = $1 AND f.seq <= $2 ORDER BY f.seq DESC LIMIT 1`,
  firstMissing: `SELECT min(f.pos) AS pos FROM kedge.session s
    LEFT JOIN unnest($1::text[], $2::bigint[]) AS known (id, seq) ON known.id = s.id
    JOIN kedge.fact f ON f.session = s.key AND f.seq = coalesce(known.seq, 0) + 1`,
} as const;

type Placed = { readonly position: number; readonly sessionId: string; readonly row: StoredRow };

export function createTail(connection: Connection): Tail {
  async function* placed(afterPosition: number, sessionId?: string): AsyncGenerator<Placed> {
    let position = afterPosition;
    let lastSeq = 0;
    for (;;) {
      const page = await (sessionId === undefined
        ? connection.values(sql.all, [position, recordsPerPage])
        : connection.values(sql.ofSession, [afterPosition, recordsPerPage, sessionId, lastSeq]));
      for (const [place, id, ...stored] of page) {
        const row = rowOf(stored);
        // The statements name these columns.
        position = place as number;
        lastSeq = row.seq;
        yield { position, sessionId: id as string, row };
      }
      if (page.length < recordsPerPage) return;
    }
  }

  const lastPosition = async () => Number((await connection.rows(sql.last))[0]?.["last"] ?? 0);

  return {
    async *tail(afterPosition, sessionId) {
      for await (const { position, sessionId: id, row } of placed(afterPosition, sessionId)) {
        const read = () => readRow(id, row);
        // Of all sessions those follow on that are sound; whoever reads one session is told what is wrong with it.
        const record = sessionId === undefined ? unlessDamaged(read) : read();
        if (record !== undefined) yield { position, record } satisfies PlacedRecord;
      }
    },
    async *tailRows(afterPosition) {
      for await (const { position, sessionId, row } of placed(afterPosition)) {
        yield { position, sessionId, row: journalRow(row) } satisfies PlacedRow;
      }
    },
    lastPosition,
    async positionOf(sessionId, seq) {
      return Number((await connection.rows(sql.positionOf, [sessionId, seq]))[0]?.["pos"] ?? 0);
    },
    async positionBefore(known) {
      const [found] = await connection.rows(sql.firstMissing, [[...known.keys()], [...known.values()]]);
      return typeof found?.["pos"] === "number" ? found["pos"] - 1 : lastPosition();
    },
  };
}
