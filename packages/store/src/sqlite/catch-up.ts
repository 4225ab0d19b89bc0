/** Brings messages, parts, todos, usage and words of a session up to date with its facts, a bounded piece at a time. */
import { setImmediate } from "node:timers/promises";
import { applyToView, emptyView, type FactRecord, type ViewState } from "@kedge/protocol";
import type { Redact } from "../part-search.ts";
import { RecordDamaged } from "../read-row.ts";
import { createKnownStrings, type KnownStrings } from "./packed-part.ts";
import type { Connection } from "./sqlite-connection.ts";
import type { SqliteJournal } from "./sqlite-journal.ts";
import { createViewWriter, type ViewWriter } from "./view-writer.ts";

/**
 * Facts per transaction: another process that wants to append waits no longer than for these. Three times as many
 * save a twentieth of the time and take a third more memory.
 */
const factsPerPiece = 160;

/** Sessions whose fold is kept, so that what follows is read alone. */
const foldsMax = 2;

const sql = {
  progress: "SELECT key, projected, last_seq, deleted FROM session WHERE id = ?",
  behind: "SELECT id, last_seq FROM session WHERE projected < last_seq AND deleted = 0",
  saveProgress: "UPDATE session SET projected = ? WHERE key = ?",
} as const;

export type CatchUp = {
  session(sessionId: string): Promise<void>;
  /** All sessions; one whose records are damaged is left as it is, and says so when it is opened or verified. */
  everything(): Promise<void>;
};

/** Where the fold of one session stands. */
type Fold = {
  readonly view: ViewState;
  readonly strings: KnownStrings;
  seq: number;
  /** The session's last fact when the fold began: removals up to it were already done. */
  readonly begunAt: number;
  stepModel: string;
};

type Progress = { readonly key: number; readonly projected: number; readonly lastSeq: number };

export function createCatchUp(connection: Connection, journal: SqliteJournal, redact: Redact): CatchUp {
  const folds = new Map<string, Fold>();
  /** Damaged sessions with their last fact, so that not every search reads them again. */
  const damaged = new Map<string, number>();

  function progressOf(sessionId: string): Progress | undefined {
    const row = connection.get(sql.progress, sessionId);
    if (row === undefined || row["deleted"] === 1) return undefined;
    const [key, projected, lastSeq] = [row["key"], row["projected"], row["last_seq"]] as [number, number, number];
    return { key, projected, lastSeq };
  }

  function foldOf(sessionId: string, { projected, lastSeq }: Progress): Fold {
    const known = folds.get(sessionId);
    // Further than the tables: they were taken away and must be made anew.
    if (known !== undefined && known.seq <= projected) return known;
    const view = emptyView(sessionId);
    const fold: Fold = { view, strings: createKnownStrings(), seq: 0, begunAt: lastSeq, stepModel: "" };
    folds.delete(sessionId);
    folds.set(sessionId, fold);
    for (const oldest of folds.keys()) {
      if (folds.size <= foldsMax) break;
      folds.delete(oldest);
    }
    return fold;
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
      // It may have taken facts whose rows were not written.
      folds.delete(sessionId);
      throw error;
    }
    return true;
  }

  function projectPiece(fold: Fold, sessionId: string): void {
    const progress = progressOf(sessionId);
    // Another process was here in the meantime; the next piece begins with a new look.
    if (progress === undefined || progress.projected !== fold.seq) return;
    const writer = createViewWriter(connection, progress.key, { strings: fold.strings, redact });
    applyPiece(fold, progress, progress.lastSeq, writer);
    writer.flush();
    fold.strings.trim();
    connection.run(sql.saveProgress, fold.seq, progress.key);
  }

  function applyPiece(fold: Fold, { key }: Progress, upTo: number, writer?: ViewWriter): void {
    const { sessionId } = fold.view;
    const rows = journal.records.page(key, fold.seq, Math.min(factsPerPiece, upTo - fold.seq));
    if (rows.length === 0) throw new RecordDamaged(sessionId, fold.seq + 1);
    if (rows.some(([seq, , type]) => type === "content.removed" && seq > fold.begunAt)) {
      // The fold has seen what is removed now; the next piece begins with a new one.
      folds.delete(sessionId);
      return;
    }
    for (const row of rows) {
      if (row[0] !== fold.seq + 1) throw new RecordDamaged(sessionId, fold.seq + 1);
      const record = journal.records.record({ sessionId, key }, row);
      fold.strings.learn(record);
      const changes = applyToView(fold.view, record);
      fold.seq = record.seq;
      const model = modelOf(fold, record);
      writer?.add(record, changes, model);
    }
    if (writer === undefined) fold.strings.trim();
  }

  async function session(sessionId: string): Promise<void> {
    if (!advance(sessionId)) return;
    const endPass = connection.startPass();
    try {
      do await setImmediate();
      while (advance(sessionId));
    } finally {
      endPass();
    }
  }

  return {
    session,
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

/** Who was paid: for a step the model it began with. */
function modelOf(fold: Fold, { fact }: FactRecord): string {
  if (fact.type === "step.started") fold.stepModel = fact.model;
  if (fact.type === "step.ended") return fold.stepModel;
  const model = "model" in fact ? fact.model : undefined;
  return model ?? fold.view.session?.model ?? "";
}
