/** Compares the kept folds of a session with fresh ones of the same facts. */
import { applyRecord, emptySession, type ViewState } from "@kedge/protocol";
import { isStateOfTexts } from "../state-texts.ts";
import type { DerivedCheck } from "../verify-chain.ts";
import { isViewOfTexts } from "../view-texts.ts";
import type { KeptTexts } from "./kept-texts.ts";

/** `view` is the fresh fold of whoever checks, and has each record that is followed already. */
export function createKeptCheck(kept: KeptTexts, key: number, view: ViewState): DerivedCheck {
  const [stateSeq, viewSeq] = [kept.seq(key, "state"), kept.seq(key, "view")];
  const state = emptySession(view.sessionId);
  let what: string | undefined;
  return {
    follow(record) {
      const { seq } = record;
      if (seq <= stateSeq) applyRecord(state, record);
      if (seq === stateSeq && !isStateOfTexts(state, kept.texts(key, "state"))) what = "the kept state";
      if (seq === viewSeq && !isViewOfTexts(view, kept.texts(key, "view"))) what = "the kept view";
    },
    problem: () => what,
  };
}
