/** The view fold itself: what each fact changes in the rows that show a session. */
import type { FactRecord } from "../facts/fact-record.ts";
import { applyRecord } from "../facts/fold.ts";
import type { ViewChange } from "../view.ts";
import { clearOutputs, endCall, startCall } from "./fold-calls.ts";
import { addCompaction, addRecord, addReport, admitPrompt, revisePrompt, withdrawPrompt } from "./fold-messages.ts";
import { updateSession } from "./fold-session.ts";
import { addPatch, endRun, endStep, noteTree, progressStep, startStep } from "./fold-step.ts";
import type { Folding } from "./folding.ts";
import { skeletonOf } from "./skeleton.ts";
import type { ViewState } from "./view-state.ts";

/**
 * Applies the next record and tells which rows it changed. An old record is skipped; a gap is a bug of the caller. A
 * fact of a newer kedge changes nothing.
 */
export function applyToView(view: ViewState, record: FactRecord): readonly ViewChange[] {
  if (record.seq <= view.skeleton.lastSeq) return [];
  applyRecord(view.skeleton, { ...record, fact: skeletonOf(record.fact) });
  const folding: Folding = { view, record, changes: [] };
  foldMessages(folding);
  updateSession(folding);
  return folding.changes;
}

function foldMessages(folding: Folding): void {
  const { fact } = folding.record;
  switch (fact.type) {
    case "prompt.admitted":
      admitPrompt(folding, fact);
      return;
    case "prompt.revised":
      revisePrompt(folding, fact);
      return;
    case "prompt.withdrawn":
      withdrawPrompt(folding, fact);
      return;
    case "step.started":
      startStep(folding, fact);
      return;
    case "step.progressed":
      progressStep(folding, fact);
      return;
    case "step.ended":
      endStep(folding, fact);
      return;
    case "tool.started":
      if (fact.snapshot !== undefined) noteTree(folding, fact.stepId, fact.snapshot);
      startCall(folding, fact);
      return;
    case "tool.ended":
      endCall(folding, fact);
      return;
    case "files.changed":
      addPatch(folding, fact);
      return;
    case "conversation.rewound":
      addReport(folding, fact);
      return;
    case "context.cleared":
      clearOutputs(folding, fact);
      return;
    case "context.compacted":
      addCompaction(folding, fact);
      return;
    case "message.added":
      addRecord(folding, fact);
      return;
    case "message.removed":
      folding.changes.push({ kind: "message-removed", messageId: fact.messageId });
      return;
    case "run.ended":
      endRun(folding, fact);
      return;
    case "content.removed":
      folding.changes.push({ kind: "content-removed", digests: fact.digests });
      return;
    // These say nothing, or nothing but what the row of the session tells.
    case "session.created":
    case "session.updated":
    case "session.deleted":
    case "chain.closed":
    case "session.resumed":
    case "session.reverted":
    case "session.unreverted":
    case "model.changed":
    case "mode.changed":
    case "style.changed":
    case "leaf.moved":
    case "entry.labelled":
    case "todos.replaced":
    case "compaction.failed":
    case "command.ran":
    case "journal.recovered":
    case "job.started":
    case "job.ended":
    case "agent.started":
    case "agent.ended":
    case "mail.received":
    case "question.asked":
    case "question.answered":
    case "permission.asked":
    case "permission.answered":
    case "grants.replaced":
    case "pressure.changed":
    case "checkpoint.opened":
    case "checkpoint.discarded":
    case "instructions.loaded":
    case "reproduction.judged":
    case "memory.written":
    case "memory.quarantined":
    case "memory.recalled":
    case "memory.extracted":
    case "memory.consolidated":
    case "memory.lesson_extracted":
      return;
  }
}
