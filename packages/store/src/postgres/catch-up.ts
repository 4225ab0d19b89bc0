/** Brings messages, parts, todos, usage and words of a session up to date with its facts, a bounded piece at a time. */
import { FailureError } from "@kedge/protocol";
import type { Redact } from "../part-search.ts";
import { isAsWritten, RecordDamaged, readRow } from "../read-row.ts";
import { createViewBatch, type ViewBatch } from "../view-batch.ts";
import { createViewFolds, followFact, removesSeen, type ViewFold } from "../view-folds.ts";
import type { Connection, Queries } from "./postgres-connection.ts";
import { allRows, findSession, rowsAfter, type SessionEntry } from "./postgres-rows.ts";
import { gatherTables } from "./view-tables.ts";

/** Facts per transaction. */
const factsPerPiece = 320;

const sql = {
  behind: `SELECT s.id, s.last_seq FROM kedge.session s LEFT JOIN kedge.projection p ON p.session = s.key
    WHERE coalesce(p.seq, 0) < s.last_seq AND NOT s.deleted ORDER BY s.key`,
  saveProgress: `INSERT INTO kedge.projection (session, seq) VALUES ($1, $2)
    ON CONFLICT (session) DO UPDATE SET seq = excluded.seq`,
} as const;

export type CatchUp = {
  /** Leaves it for another time when more than so many facts would have to be read. */
  session(sessionId: string): Promise<void>;
  /** All sessions; one whose records are damaged is left as it is, and says so when it is opened or verified. */
  everything(): Promise<void>;
};

export function createCatchUp(connection: Connection, redact: Redact): CatchUp {
  const folds = createViewFolds();
  /** Damaged sessions with their last fact, so that not every search reads them again. */
  const damaged = new Map<string, number>();
  /** The folds are shared by everybody who asks, so pieces follow one another. */
  let before: Promise<unknown> = Promise.resolve();

  /** Does one piece of the work; false when there is nothing left to do. */
  async function advance(sessionId: string): Promise<boolean> {
    const entry = await findSession(connection, sessionId);
    if (entry === undefined || entry.isDeleted || entry.projected >= entry.head.seq) return false;
    const fold = folds.of(sessionId, { projected: entry.projected, lastSeq: entry.head.seq });
    try {
      if (fold.seq < entry.projected) await applyPiece(connection, fold, entry, entry.projected);
      else await projectPiece(fold, sessionId);
    } catch (error) {
      folds.forget(sessionId);
      throw error;
    }
    return true;
  }

  async function projectPiece(fold: ViewFold, sessionId: string): Promise<void> {
    await connection.write({ durable: false, locks: [{ of: "views", sessionId }] }, async (queries) => {
      const entry = await findSession(queries, sessionId);
      // Another process was here in the meantime; the next piece begins with a new look.
      if (entry === undefined || entry.isDeleted || entry.projected !== fold.seq) return;
      const tables = gatherTables(entry.key, { strings: fold.strings, redact });
      const batch = createViewBatch(tables);
      await applyPiece(queries, fold, entry, entry.head.seq, batch);
      batch.flush();
      await tables.write(queries);
      fold.strings.trim();
      await queries.rows(sql.saveProgress, [entry.key, fold.seq]);
    });
  }

  async function applyPiece(
    queries: Queries,
    fold: ViewFold,
    { key }: SessionEntry,
    upTo: number,
    batch?: ViewBatch,
  ): Promise<void> {
    const { sessionId } = fold.view;
    const rows = await rowsAfter(queries, key, fold.seq, Math.min(factsPerPiece, upTo - fold.seq));
    if (rows.length === 0) throw new RecordDamaged(sessionId, fold.seq + 1);
    if (rows.some((row) => removesSeen(fold, row))) {
      // The fold has seen what is removed now; the next piece begins with a new one.
      folds.forget(sessionId);
      return;
    }
    for (const row of rows) {
      if (row.seq !== fold.seq + 1) throw new RecordDamaged(sessionId, fold.seq + 1);
      followFact(fold, readRow(sessionId, row), batch);
    }
    if (batch === undefined) fold.strings.trim();
  }

  /** As `damageBehind`, of rows that come a page at a time. */
  async function damageOfSession(sessionId: string, error: unknown): Promise<unknown> {
    const entry = error instanceof FailureError ? undefined : await findSession(connection, sessionId);
    if (entry === undefined) return error;
    for await (const row of allRows(connection, entry.key)) {
      if (!isAsWritten(row)) return new RecordDamaged(sessionId, row.seq, error);
    }
    return error;
  }

  function session(sessionId: string): Promise<void> {
    const turn = before.then(async () => {
      try {
        while (await advance(sessionId));
      } catch (error) {
        throw await damageOfSession(sessionId, error);
      }
    });
    // Whoever asked is told of a failure; the next one starts over.
    before = turn.catch(() => undefined);
    return turn;
  }

  return {
    session,
    async everything() {
      for (const { id, last_seq: lastSeq } of await connection.rows(sql.behind)) {
        const sessionId = id as string;
        if (damaged.get(sessionId) === lastSeq) continue;
        try {
          await session(sessionId);
        } catch (error) {
          if (!(error instanceof RecordDamaged)) throw error;
          damaged.set(sessionId, lastSeq as number);
        }
      }
    },
  };
}
