/** The fold: the one way from facts to the state of a session, used by the engine and by every client alike. */
import type { FactRecord } from "./fact-record.ts";
import type { FactOf, FactType } from "./facts.ts";
import { applyToAgents } from "./fold-agents.ts";
import { endCall, startCall } from "./fold-calls.ts";
import { addChangedFiles, openCheckpoint, rewind } from "./fold-checkpoint.ts";
import { clearResults, compact, failCompaction } from "./fold-context.ts";
import { admitPrompt, revisePrompt, withdrawPrompt } from "./fold-prompts.ts";
import { applyToRequests } from "./fold-requests.ts";
import { applyToSession } from "./fold-session.ts";
import { addBackground, addSpending } from "./fold-spending.ts";
import { endRun, endStep, progressStep, startStep } from "./fold-steps.ts";
import { addItem, hideEntries, moveLeaf, replaceTodos } from "./fold-tree.ts";
import { recordChanges, revert, unrevert } from "./fold-undo.ts";
import type { SessionState } from "./session-state.ts";

/** A record, or what the fold needs of one. */
export type AppliedRecord = Pick<FactRecord, "seq" | "time" | "fact"> & Partial<FactRecord>;

/** Facts that the state holds as they are. Of all others it takes fields, so they may have more than their type says. */
export const factsKeptWhole: ReadonlySet<string> = new Set<FactType>([
  "job.started",
  "permission.asked",
  "run.ended",
  "agent.started",
  "agent.ended",
  "mail.received",
]);

/**
 * Applies a record before which facts may have been left out that the start of a later step, applied now or afterwards,
 * leaves nothing of: pieces of answers, and starts of calls that name no snapshot.
 */
export function applyAfterPassing(state: SessionState, record: AppliedRecord): void {
  if (record.seq > state.lastSeq) state.lastSeq = record.seq - 1;
  applyRecord(state, record);
}

/** Applies the next record. An old one is skipped; a gap is a bug of the caller. Constant work per fact. */
export function applyRecord(state: SessionState, record: AppliedRecord): void {
  if (record.seq <= state.lastSeq) return;
  if (record.seq !== state.lastSeq + 1) {
    throw new Error(`facts ${state.lastSeq + 1} to ${record.seq - 1} of ${state.sessionId} are missing`);
  }
  state.lastSeq = record.seq;
  const { fact, time } = record;
  // Any other fact settles them. By name, because looking for a field in facts of every shape is slow.
  if (fact.type === "session.reverted" || fact.type === "session.unreverted") state.unsettledRestores = fact.restores;
  else if (state.unsettledRestores.length > 0) state.unsettledRestores = [];
  // The facts of a run come first, because they are most of all.
  switch (fact.type) {
    case "step.started":
      startStep(state, fact, time);
      return;
    case "step.progressed":
      progressStep(state, fact);
      return;
    case "step.ended":
      endStep(state, fact, time);
      return;
    case "tool.started":
      startCall(state, fact);
      return;
    case "tool.ended":
      endCall(state, fact, time);
      return;
    case "prompt.admitted":
      admitPrompt(state, fact);
      return;
    case "prompt.revised":
      revisePrompt(state, fact);
      return;
    case "prompt.withdrawn":
      withdrawPrompt(state, fact);
      return;
    case "files.changed":
      recordChanges(state, fact);
      addChangedFiles(state, fact);
      return;
    case "todos.replaced":
      replaceTodos(state, fact);
      return;
    case "pressure.changed":
      state.pressure = fact.level;
      return;
    case "run.ended":
      endRun(state, fact);
      return;
    case "job.started":
    case "job.ended":
    case "question.asked":
    case "question.answered":
    case "permission.asked":
    case "permission.answered":
      applyToRequests(state, fact);
      return;
    case "agent.started":
    case "agent.ended":
    case "mail.received":
      applyToAgents(state, fact, time);
      return;
    case "session.created":
    case "session.updated":
    case "session.resumed":
    case "model.changed":
    case "mode.changed":
    case "grants.replaced":
    case "style.changed":
      applyToSession(state, fact);
      return;
    case "context.cleared":
      clearResults(state, fact);
      return;
    case "context.compacted":
      compact(state, fact, time);
      return;
    case "compaction.failed":
      failCompaction(state, fact);
      return;
    case "checkpoint.opened":
    case "checkpoint.discarded":
    case "conversation.rewound":
    case "entry.labelled":
    case "leaf.moved":
    case "message.added":
    case "message.removed":
    case "session.reverted":
    case "session.unreverted":
      applyToTree(state, fact, time);
      return;
    case "reproduction.judged": {
      const { type: _, ...reproduction } = fact;
      state.reproductions.set(fact.id, reproduction);
      return;
    }
    case "memory.extracted":
    case "memory.recalled":
    case "memory.consolidated":
      if (fact.type === "memory.extracted") state.extractedUpTo = fact.upTo ?? state.extractedUpTo;
      addBackground(state, fact);
      return;
    case "instructions.loaded":
    case "memory.written":
    case "memory.quarantined":
    case "command.ran":
    case "session.deleted":
    case "chain.closed":
    case "journal.recovered":
    case "memory.lesson_extracted":
    case "content.removed":
      return;
    default:
      // A fact that nobody thought of here does not compile.
      fact satisfies never;
  }
}

type TreeFact = FactOf<
  | "checkpoint.opened"
  | "checkpoint.discarded"
  | "conversation.rewound"
  | "entry.labelled"
  | "leaf.moved"
  | "message.added"
  | "message.removed"
  | "session.reverted"
  | "session.unreverted"
>;

/** What changes the way through the tree, or marks a place of it. */
function applyToTree(state: SessionState, fact: TreeFact, time: number): void {
  switch (fact.type) {
    case "checkpoint.opened":
      openCheckpoint(state, fact, time);
      return;
    case "checkpoint.discarded":
      state.checkpoint = undefined;
      return;
    case "conversation.rewound":
      rewind(state, fact, time);
      return;
    case "entry.labelled":
      if (fact.label === undefined || fact.label === "") state.labels.delete(fact.entryId);
      else state.labels.set(fact.entryId, fact.label);
      return;
    case "leaf.moved":
      moveLeaf(state, fact);
      return;
    case "message.added":
      addItem(state, { type: "record", id: fact.messageId, kind: fact.kind, text: fact.text }, time);
      addSpending(state, fact);
      return;
    case "message.removed":
      hideEntries(state, fact);
      return;
    case "session.reverted":
      revert(state, fact);
      return;
    case "session.unreverted":
      unrevert(state, fact);
      return;
  }
}
