/** The part of the view fold that answers are made of: a step from its start to the files it changed. */
import type { FactOf } from "../facts/facts.ts";
import type { MessageRow } from "../view.ts";
import { answerOrder, joinPieces, showAnswer } from "./answer-parts.ts";
import { abortCalls, forgetEndedCalls } from "./fold-calls.ts";
import { addReminders, enterPrompts } from "./fold-messages.ts";
import {
  addMessage,
  appendPart,
  type Folding,
  messageAt,
  putMessage,
  putPart,
  refuse,
  treeParentOf,
} from "./folding.ts";
import { lastOrder, messageIdOf, partIdOf } from "./view-ids.ts";
import type { ViewedStep } from "./view-state.ts";

export function startStep(folding: Folding, fact: FactOf<"step.started">): void {
  const { view, record } = folding;
  closeStep(folding);
  enterPrompts(folding, fact);
  const { stepId, runId, model } = fact;
  const treeParent = messageAt(view, view.skeleton.leaf);
  const parentId = treeParent === undefined ? undefined : view.entries.get(treeParent)?.userMessageId;
  addReminders(folding, fact.reminders, parentId);
  const message: MessageRow = {
    id: messageIdOf(stepId),
    sessionId: view.sessionId,
    role: "assistant",
    ...(treeParent !== undefined && { treeParent }),
    ...(parentId !== undefined && { parentId }),
    model,
    createdAt: record.time,
  };
  addMessage(folding, message, []).nextOrder = answerOrder;
  const start = { type: "step-start", ...known(view.tree), ...place(message, 0, record.time) } as const;
  putPart(folding, start);
  view.step = {
    stepId,
    runId,
    message,
    isAnswered: false,
    content: [],
    shown: [],
    calls: new Map(),
    endedCalls: new Set(),
    start,
    finish: undefined,
    hasTree: false,
  };
}

export function progressStep(folding: Folding, { stepId, appended }: FactOf<"step.progressed">): void {
  const step = openStep(folding, stepId);
  if (step === undefined) return;
  step.content = joinPieces(step.content, appended);
  showAnswer(folding, step);
}

/** The whole answer takes the place of what was shown of it. */
export function endStep(folding: Folding, fact: FactOf<"step.ended">): void {
  const { view, record } = folding;
  const step = openStep(folding, fact.stepId);
  if (step === undefined) return;
  step.content = fact.content;
  showAnswer(folding, step);
  const { stopReason, usage, cost, failure } = fact;
  for (const retry of fact.retries ?? []) appendPart(folding, step.message.id, { type: "retry", retry });
  step.finish = {
    type: "step-finish",
    ...(stopReason !== undefined && { reason: stopReason }),
    ...known(view.tree),
    usage,
    cost,
    ...place(step.message, lastOrder, record.time),
  };
  putPart(folding, step.finish);
  settle(folding, step, {
    // The tree may have grown since the step began.
    ...(view.skeleton.tree.has(step.stepId) && treeParentOf(view, step.stepId)),
    completedAt: record.time,
    ...(stopReason !== undefined && { stopReason }),
    usage,
    cost,
    ...(failure !== undefined && { failure }),
  });
}

/** Whatever a run or a step left open is over with it. */
function closeStep(folding: Folding): void {
  const { step } = folding.view;
  if (step === undefined) return;
  abortCalls(folding, step);
  if (step.isAnswered) return;
  const failure = {
    code: "aborted",
    message: "The run ended before the answer was complete.",
    retryable: false,
  } as const;
  settle(folding, step, { completedAt: folding.record.time, failure });
}

export function endRun(folding: Folding, { runId }: FactOf<"run.ended">): void {
  if (folding.view.step?.runId === runId) closeStep(folding);
}

/** A tree taken before a call of the newest step is where this step began, and where it ended unless files changed. */
export function noteTree(folding: Folding, stepId: string, snapshot: string): void {
  const { view } = folding;
  const { step } = view;
  if (step?.stepId !== stepId || step.hasTree) return;
  step.hasTree = true;
  const isNews = view.tree !== snapshot;
  view.tree = snapshot;
  if (!isNews) return;
  step.start = { ...step.start, snapshot };
  putPart(folding, step.start);
  if (step.finish === undefined) return;
  step.finish = { ...step.finish, snapshot };
  putPart(folding, step.finish);
}

export function addPatch(folding: Folding, fact: FactOf<"files.changed">): void {
  const { view } = folding;
  const { stepId, before, after, files, uncovered } = fact;
  const patch = { type: "patch", before, files, ...(uncovered.length > 0 && { uncovered }) } as const;
  if (appendPart(folding, messageIdOf(stepId), patch) === undefined) {
    refuse(folding, `${stepId} is not a known step; its changes are not shown`);
    return;
  }
  view.tree = after;
  if (view.step?.stepId !== stepId || view.step.finish === undefined) return;
  view.step.finish = { ...view.step.finish, snapshot: after };
  putPart(folding, view.step.finish);
}

function openStep(folding: Folding, stepId: string): ViewedStep | undefined {
  const { step } = folding.view;
  if (step?.stepId === stepId && !step.isAnswered) return step;
  refuse(folding, `${stepId} is not the open step; its answer stays unchanged`);
  return undefined;
}

/** Nothing moves any more, so nothing but the open calls needs to be remembered. */
function settle(folding: Folding, step: ViewedStep, end: Partial<MessageRow>): void {
  step.message = { ...step.message, ...end };
  putMessage(folding, step.message);
  step.isAnswered = true;
  step.content = [];
  step.shown = [];
  forgetEndedCalls(folding, step);
}

function known(snapshot: string | undefined): { readonly snapshot?: string } {
  return snapshot === undefined ? {} : { snapshot };
}

function place({ id: messageId }: MessageRow, order: number, time: number) {
  return { id: partIdOf(messageId, order), messageId, time };
}
