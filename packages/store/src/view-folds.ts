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
  stepModel: string;
};

export type ViewFolds = {
  /** `projected` is the last fact that the tables were made of. */
  of(sessionId: string, progress: { readonly projected: number; readonly lastSeq: number }): ViewFold;
  /** After a failure it may have taken facts whose rows were not written. */
  forget(sessionId: string): void;
};

export function createViewFolds(): ViewFolds {
  const folds = new Map<string, ViewFold>();
  return {
    of(sessionId, { projected, lastSeq }) {
      const known = folds.get(sessionId);
      // Further than the tables: they were taken away and must be made anew.
      if (known !== undefined && known.seq <= projected) return known;
      const view = emptyView(sessionId);
      const fold: ViewFold = { view, strings: createKnownStrings(), seq: 0, begunAt: lastSeq, stepModel: "" };
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

/** True when the fact takes away what the fold has seen, so that it must begin anew. */
export function removesSeen(fold: ViewFold, { seq, type }: { readonly seq: number; readonly type: string }): boolean {
  return type === "content.removed" && seq > fold.begunAt;
}

/** Applies the next record; the batch is left out while the fold only catches up with the tables. */
export function followFact(fold: ViewFold, record: FactRecord, batch: ViewBatch | undefined): void {
  fold.strings.learn(record);
  const changes = applyToView(fold.view, record);
  fold.seq = record.seq;
  const model = modelOf(fold, record);
  batch?.add(record, changes, model);
}

/** Who was paid: for a step the model it began with. */
function modelOf(fold: ViewFold, { fact }: FactRecord): string {
  if (fact.type === "step.started") fold.stepModel = fact.model;
  if (fact.type === "step.ended") return fold.stepModel;
  const model = "model" in fact ? fact.model : undefined;
  return model ?? fold.view.session?.model ?? "";
}
