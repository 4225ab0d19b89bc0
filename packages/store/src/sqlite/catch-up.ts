/** Brings messages, parts, todos, usage and words of a session up to date with its facts, a bounded piece at a time. */
import { setImmediate } from "node:timers/promises";
import type { ViewState } from "@kedge/protocol";
import type { Redact } from "../part-search.ts";
import { damageBehind, RecordDamaged } from "../read-row.ts";
import { createViewBatch, type ViewBatch } from "../view-batch.ts";
import { createViewFolds, followFact, type Progress, removesSeen, type ViewFold } from "../view-folds.ts";
import type { KeptTexts } from "./kept-texts.ts";
import { createKeptViews } from "./kept-views.ts";
import type { Connection } from "./sqlite-connection.ts";
import type { SqliteJournal } from "./sqlite-journal.ts";
import { createViewWriter } from "./view-writer.ts";

/**
 * Facts per transaction: another process that wants to append waits no longer than for these. Three times as many
 * save a twentieth of the time and take a third more memory.
 */
const factsPerPiece = 160;

const sql = {
  progress: "SELECT key, projected, last_seq, deleted FROM session WHERE id = ?",
  behind: "SELECT id, last_seq FROM session WHERE projected < last_seq AND deleted = 0",
  saveProgress: "UPDATE session SET projected = ? WHERE key = ?",
} as const;

export type CatchUp = {
  /** Leaves it for another time when more than so many facts would have to be read. */
  session(sessionId: string): Promise<void>;
  /** The view as it was kept, for whoever needs one of its own; undefined when there is none. */
  keptView(sessionId: string, key: number): ViewState | undefined;
  /** All sessions; one whose records are damaged is left as it is, and says so when it is opened or verified. */
  everything(): Promise<void>;
};

export type CatchUpParts = {
  readonly journal: SqliteJournal;
  readonly keptTexts: KeptTexts;
  readonly redact: Redact;
};

type KeyedProgress = Progress & { readonly key: number };

export function createCatchUp(connection: Connection, { journal, keptTexts, redact }: CatchUpParts): CatchUp {
  const folds = createViewFolds();
  const keptViews = createKeptViews(keptTexts);
  /** Damaged sessions with their last fact, so that not every search reads them again. */
  const damaged = new Map<string, number>();

  function progressOf(sessionId: string): KeyedProgress | undefined {
    const row = connection.get(sql.progress, sessionId);
    if (row === undefined || row["deleted"] === 1) return undefined;
    const [key, projected, lastSeq] = [row["key"], row["projected"], row["last_seq"]] as [number, number, number];
    return { key, projected, lastSeq };
  }

  function foldOf(sessionId: string, progress: KeyedProgress): ViewFold {
    return folds.of(sessionId, progress, () => keptViews.readWithin(sessionId, progress));
  }

  /** The fold with which the session ends, where keeping it is worth the bytes. */
  function foldWorthKeeping(sessionId: string, progress: KeyedProgress): ViewFold | undefined {
    const { key, projected, lastSeq } = progress;
    const fold = projected === lastSeq ? folds.known(sessionId, progress) : undefined;
    return fold?.seq === lastSeq && keptViews.isWorth(key, fold) ? fold : undefined;
  }

  /** Does one piece of the work; false when there is nothing left to do. */
  function advance(sessionId: string): boolean {
    const progress = progressOf(sessionId);
    if (progress === undefined || progress.projected >= progress.lastSeq) return false;
    const fold = foldOf(sessionId, progress);
    try {
      if (fold.seq < progress.projected) applyPiece(fold, progress, progress.projected);
      else connection.write({ durable: false }, () => projectPiece(fold, sessionId));
    } catch (error) {
      folds.forget(sessionId);
      throw error;
    }
    return true;
  }

  function projectPiece(fold: ViewFold, sessionId: string): void {
    const progress = progressOf(sessionId);
    // Another process was here in the meantime; the next piece begins with a new look.
    if (progress === undefined || progress.projected !== fold.seq) return;
    const batch = createViewBatch(createViewWriter(connection, progress.key, { strings: fold.strings, redact }));
    applyPiece(fold, progress, progress.lastSeq, batch);
    batch.flush();
    fold.strings.trim();
    connection.run(sql.saveProgress, fold.seq, progress.key);
  }

  function applyPiece(fold: ViewFold, { key }: KeyedProgress, upTo: number, batch?: ViewBatch): void {
    const { sessionId } = fold.view;
    const rows = journal.shown.records.page(key, fold.seq, Math.min(factsPerPiece, upTo - fold.seq));
    if (rows.length === 0) throw new RecordDamaged(sessionId, fold.seq + 1);
    if (rows.some(([seq, , type]) => removesSeen(fold, { seq, type }))) {
      // The fold has seen what is removed now; the next piece begins with a new one.
      folds.forget(sessionId);
      return;
    }
    for (const row of rows) {
      if (row[0] !== fold.seq + 1) throw new RecordDamaged(sessionId, fold.seq + 1);
      followFact(fold, journal.shown.records.record({ sessionId, key }, row), batch);
    }
    if (batch === undefined) fold.strings.trim();
  }

  function keepView(sessionId: string): void {
    const progress = progressOf(sessionId);
    if (progress === undefined || foldWorthKeeping(sessionId, progress) === undefined) return;
    connection.write({ durable: false }, () => {
      const now = progressOf(sessionId);
      const fold = now && foldWorthKeeping(sessionId, now);
      if (fold === undefined) return;
      keptViews.keep(progress.key, fold);
    });
  }

  async function session(sessionId: string): Promise<void> {
    try {
      await catchUp(sessionId);
    } catch (error) {
      const key = progressOf(sessionId)?.key;
      throw key === undefined ? error : damageBehind(sessionId, journal.rows(key), error);
    }
  }

  async function catchUp(sessionId: string): Promise<void> {
    if (!advance(sessionId)) return;
    const endPass = connection.startPass();
    try {
      do await setImmediate();
      while (advance(sessionId));
    } finally {
      endPass();
    }
    keepView(sessionId);
  }

  return {
    session,
    keptView: keptViews.read,
    async everything() {
      for (const { id, last_seq: lastSeq } of connection.all(sql.behind)) {
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
