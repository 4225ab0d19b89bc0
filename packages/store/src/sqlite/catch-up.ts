/** Brings messages, parts, todos, usage and words of a session up to date with its facts, a bounded piece at a time. */
import { setImmediate } from "node:timers/promises";
import { applyToView, emptyView, type FactRecord, type ViewState } from "@kedge/protocol";
import type { Redact } from "../part-search.ts";
import { RecordDamaged } from "../read-row.ts";
import { textsOfView, viewOfTexts } from "../view-texts.ts";
import type { KeptTexts } from "./kept-texts.ts";
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
  /** Leaves it for another time when more than so many facts would have to be read. */
  session(sessionId: string, factsMax?: number): Promise<void>;
  /** The view as it was kept, for whoever needs one of its own; undefined when there is none. */
  keptView(sessionId: string, key: number): ViewState | undefined;
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
};

type Progress = { readonly key: number; readonly projected: number; readonly lastSeq: number };

export type CatchUpParts = {
  readonly journal: SqliteJournal;
  readonly keptTexts: KeptTexts;
  readonly redact: Redact;
};

export function createCatchUp(connection: Connection, { journal, keptTexts, redact }: CatchUpParts): CatchUp {
  const folds = new Map<string, Fold>();
  /** Damaged sessions with their last fact, so that not every search reads them again. */
  const damaged = new Map<string, number>();

  function progressOf(sessionId: string): Progress | undefined {
    const row = connection.get(sql.progress, sessionId);
    if (row === undefined || row["deleted"] === 1) return undefined;
    const [key, projected, lastSeq] = [row["key"], row["projected"], row["last_seq"]] as [number, number, number];
    return { key, projected, lastSeq };
  }

  function keptView(sessionId: string, key: number): ViewState | undefined {
    const seq = keptTexts.seq(key, "view");
    const view = seq === 0 ? undefined : viewOfTexts(sessionId, keptTexts.texts(key, "view"));
    return view?.skeleton.lastSeq === seq ? view : undefined;
  }

  function knownFold(sessionId: string, { projected }: Progress): Fold | undefined {
    const known = folds.get(sessionId);
    // Further than the tables: they were taken away and must be made anew.
    return known !== undefined && known.seq <= projected ? known : undefined;
  }

  function foldOf(sessionId: string, progress: Progress): Fold {
    const known = knownFold(sessionId, progress);
    if (known !== undefined) return known;
    const { key, projected, lastSeq } = progress;
    const kept = keptTexts.seq(key, "view") <= projected ? keptView(sessionId, key) : undefined;
    const view = kept ?? emptyView(sessionId);
    const fold: Fold = { view, strings: createKnownStrings(), seq: view.skeleton.lastSeq, begunAt: lastSeq };
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
      writer?.add(record, changes, modelOf(fold.view, record));
    }
    if (writer === undefined) fold.strings.trim();
  }

  function factsToRead(sessionId: string): number {
    const progress = progressOf(sessionId);
    if (progress === undefined) return 0;
    return progress.lastSeq - (knownFold(sessionId, progress)?.seq ?? keptTexts.seq(progress.key, "view"));
  }

  /** Not in the middle of a run, of which others have to know more than the view does. */
  function isWorthKeeping({ view, seq }: Fold, { key, projected, lastSeq }: Progress): boolean {
    const isItsEnd = seq === projected && seq === lastSeq && view.skeleton.runId === undefined;
    return isItsEnd && keptTexts.isWorth(seq, key, "view");
  }

  function keepView(sessionId: string): void {
    const fold = folds.get(sessionId);
    const progress = progressOf(sessionId);
    if (fold === undefined || progress === undefined || !isWorthKeeping(fold, progress)) return;
    connection.write({ durable: false }, () => {
      const now = progressOf(sessionId);
      if (now === undefined || !isWorthKeeping(fold, now)) return;
      keptTexts.keep(now.key, "view", { seq: fold.seq, texts: textsOfView(fold.view) });
    });
  }

  async function session(sessionId: string, factsMax = Number.POSITIVE_INFINITY): Promise<void> {
    if (factsToRead(sessionId) > factsMax || !advance(sessionId)) return;
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
    keptView,
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
function modelOf({ skeleton, session }: ViewState, { fact }: FactRecord): string {
  if (fact.type === "step.ended") return skeleton.step?.model ?? session?.model ?? "";
  const model = "model" in fact ? fact.model : undefined;
  return model ?? session?.model ?? "";
}
