/** Opens a session: folds its stored facts into a state, a page at a time. */
import type { SessionState } from "@kedge/protocol";
import type { StoredRow } from "../chain.ts";
import { applyFactPage, type FoldColumns } from "../fold-page.ts";
import type { Connection } from "./sqlite-connection.ts";

/** Enough that a query costs little, and few enough that the texts of a page are gone before they are moved. */
const factsPerPage = 128;

const sql = {
  lastStep: "SELECT seq FROM fact WHERE session = ? AND type = 'step.started' ORDER BY seq DESC LIMIT 1",
  countAfter: "SELECT count(*) AS count FROM fact WHERE session = ? AND seq > ?",
  /** A fact that names a tree of the workspace counts for undo, so it is no passing one. */
  facts: `SELECT seq, time, type, data, content FROM fact
    WHERE session = ?1 AND seq > ?2
      AND NOT (seq < ?3 AND type IN ('step.progressed', 'tool.started') AND instr(data, '"snapshot"') = 0)
    ORDER BY seq LIMIT ?4`,
} as const;

export type FoldedSession = { readonly key: number; readonly lastSeq: number };

/**
 * Applies all facts that the state does not have. What a later step makes forgotten is not even read: pieces of answers
 * and starts of calls, a quarter of all facts. `rowAt` reads rows whose content was removed or lies in a file.
 *
 * Measured with 36,000 facts: three quarters of the time of reading and applying each record, and 20 MB less.
 */
export function foldFacts(
  connection: Connection,
  state: SessionState,
  { key, lastSeq }: FoldedSession,
  rowAt: (key: number, seq: number) => StoredRow | undefined,
): void {
  // Where a fact is missing, none is left out, so that the fold finds the gap.
  const isWhole = connection.get(sql.countAfter, key, state.lastSeq)?.["count"] === lastSeq - state.lastSeq;
  const lastStep = isWhole ? (connection.get(sql.lastStep, key)?.["seq"] ?? 0) : 0;
  const passedBefore = Number(lastStep);
  const rowOf = (seq: number) => rowAt(key, seq);
  const endPass = connection.startPass();
  try {
    for (;;) {
      const page = connection.values(sql.facts, key, state.lastSeq, passedBefore, factsPerPage);
      if (page.length === 0) return;
      // The statement names these columns, and SQLite itself enforces their types.
      applyFactPage(state, page as unknown as readonly FoldColumns[], passedBefore, rowOf);
    }
  } finally {
    endPass();
  }
}
