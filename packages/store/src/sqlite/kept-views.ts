/** Views of long sessions as they were kept, so that bringing one up to date reads little. */
import type { ViewState } from "@kedge/protocol";
import type { ViewFold } from "../view-folds.ts";
import { textsOfView, viewOfTexts } from "../view-texts.ts";
import type { KeptTexts } from "./kept-texts.ts";

export type KeptViews = {
  /** Undefined when there is none. `key` is that of the session, here and below. */
  read(sessionId: string, key: number): ViewState | undefined;
  /** The same, where it goes no further than the tables do. */
  readWithin(sessionId: string, progress: { readonly key: number; readonly projected: number }): ViewState | undefined;
  /** Not in the middle of a run, of which others have to know more than the view does. */
  isWorth(key: number, fold: ViewFold): boolean;
  /** In a transaction. */
  keep(key: number, fold: ViewFold): void;
};

export function createKeptViews(keptTexts: KeptTexts): KeptViews {
  function read(sessionId: string, key: number): ViewState | undefined {
    const seq = keptTexts.seq(key, "view");
    const view = seq === 0 ? undefined : viewOfTexts(sessionId, keptTexts.texts(key, "view"));
    return view?.skeleton.lastSeq === seq ? view : undefined;
  }

  return {
    read,
    readWithin: (sessionId, { key, projected }) =>
      keptTexts.seq(key, "view") <= projected ? read(sessionId, key) : undefined,
    isWorth: (key, { seq, view }) => view.skeleton.runId === undefined && keptTexts.isWorth(seq, key, "view"),
    keep: (key, { seq, view }) => keptTexts.keep(key, "view", { seq, texts: textsOfView(view) }),
  };
}
