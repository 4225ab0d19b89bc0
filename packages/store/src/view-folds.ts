/** Where the view folds of sessions stand: a few are kept, so that what follows is read alone. */
import { applyToView, emptyView, type FactRecord, type ViewState } from "@kedge/protocol";
import { createKnownStrings, type KnownStrings } from "./packed-part.ts";
import type { ViewBatch } from "./view-batch.ts";

const foldsMax = 2;

export type ViewFold = {
  readonly view: ViewState;
  readonly strings: KnownStrings;
  seq: number;
  /** The session's last fact when the fold began: removals up to it were already done. */
  readonly begunAt: number;
};

/** `projected` is the last fact that the tables were made of. */
export type Progress = { readonly projected: number; readonly lastSeq: number };

export type ViewFolds = {
  /** Undefined when the next one begins from what is stored. */
  known(sessionId: string, progress: Progress): ViewFold | undefined;
  /** `kept` gives a view that goes no further than the tables, if there is one, to begin with. */
  of(sessionId: string, progress: Progress, kept?: () => ViewState | undefined): ViewFold;
  /** After a failure it may have taken facts whose rows were not written. */
  forget(sessionId: string): void;
};

export function createViewFolds(): ViewFolds {
  const folds = new Map<string, ViewFold>();

  function known(sessionId: string, { projected }: Progress): ViewFold | undefined {
    const fold = folds.get(sessionId);
    // Further than the tables: they were taken away and must be rebuilt.
    return fold !== undefined && fold.seq <= projected ? fold : undefined;
  }

  return {
    known,
    of(sessionId, progress, kept) {
      const there = known(sessionId, progress);
      if (there !== undefined) return there;
      const view = kept?.() ?? emptyView(sessionId);
      const begun = { seq: view.skeleton.lastSeq, begunAt: progress.lastSeq };
      const fold: ViewFold = { view, strings: createKnownStrings(), ...begun };
      folds.delete(sessionId);
      folds.set(sessionId, fold);
      for (const oldest of folds.keys()) {
        if (folds.size <= foldsMax) break;
        folds.delete(oldest);
      }
      return fold;
    },
    forget: (sessionId) => void folds.delete(sessionId),
  };
}

/** True when the fact takes away what the fold has seen, so that it must begin again. */
export function removesSeen(fold: ViewFold, { seq, type }: { readonly seq: number; readonly type: string }): boolean {
  return type === "content.removed" && seq > fold.begunAt;
}

/** Applies the next record; the batch is left out while the fold only catches up with the tables. */
export function followFact(fold: ViewFold, record: FactRecord, batch: ViewBatch | undefined): void {
  fold.strings.learn(record);
  const changes = applyToView(fold.view, record);
  fold.seq = record.seq;
  batch?.add(record, changes, modelOf(fold.view, record));
}

/** Who was paid: for a step the model it began with. */
function modelOf({ skeleton, session }: ViewState, { fact }: FactRecord): string {
  if (fact.type === "step.ended") return skeleton.step?.model ?? session?.model ?? "";
  const model = "model" in fact ? fact.model : undefined;
  return model ?? session?.model ?? "";
}
