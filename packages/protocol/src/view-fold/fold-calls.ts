/** The part of the view fold that tool calls are made of: each from pending to its one end. */
import type { FactOf } from "../facts/facts.ts";
import type { ToolPartState } from "../view.ts";
import { pendingPart, showAnswer } from "./answer-parts.ts";
import { type Folding, putPart, refuse } from "./folding.ts";
import { abortedCall, endedState, errorState, mayBecome, runningState } from "./tool-state.ts";
import { messageIdOf, partIdOf } from "./view-ids.ts";
import type { ToolPart, ViewedStep } from "./view-state.ts";

export function startCall(folding: Folding, fact: FactOf<"tool.started">): void {
  const step = stepOf(folding, fact);
  if (step === undefined) return;
  const call = step.calls.get(fact.callId) ?? pendingPart(fact, { message: step.message, time: folding.record.time });
  change(folding, step, { ...call, state: runningState(call.state, fact.inputText, folding.record.time) }, call);
}

export function endCall(folding: Folding, fact: FactOf<"tool.ended">): void {
  const step = stepOf(folding, fact);
  if (step === undefined) return;
  const { time } = folding.record;
  const { callId, tool, parentCallId } = fact;
  // A call inside a call that never ran is told of by its end alone.
  const call = step.calls.get(callId) ?? pendingPart({ callId, tool, inputText: "" }, { message: step.message, time });
  const inside = parentCallId !== undefined && { parentCallId };
  change(folding, step, { ...call, ...inside, state: endedState(call.state, fact, time) }, call);
}

/** Calls that nobody ended are over when their step or their run is. */
export function abortCalls(folding: Folding, step: ViewedStep): void {
  const { time } = folding.record;
  for (const call of [...step.calls.values()]) {
    if (step.endedCalls.has(call.callId)) continue;
    change(folding, step, { ...call, state: errorState(call.state, { error: abortedCall, time }) }, call);
  }
}

/** The model no longer sees these outputs. */
export function clearOutputs(folding: Folding, { results }: FactOf<"context.cleared">): void {
  const { record, changes } = folding;
  for (const { stepId, callId } of results) {
    const messageId = messageIdOf(stepId);
    const cleared = completedPart(folding, messageId, callId);
    if (cleared === undefined) refuse(folding, `${callId} of ${stepId} has no completed output to clear`);
    else changes.push({ kind: "output-cleared", messageId, partId: cleared, compactedAt: record.time });
  }
}

export function forgetEndedCalls({ view }: Folding, { calls, endedCalls, message }: ViewedStep): void {
  for (const [callId, part] of calls) {
    if (!endedCalls.has(callId)) continue;
    calls.delete(callId);
    if (part.state.status === "completed") view.entries.get(message.id)?.completed.push({ callId, partId: part.id });
  }
}

/** The step that the call belongs to, when it is the newest one and the call has not ended. */
function stepOf(folding: Folding, fact: { readonly stepId: string; readonly callId: string }): ViewedStep | undefined {
  const { step } = folding.view;
  if (step?.stepId === fact.stepId && !step.endedCalls.has(fact.callId)) return step;
  refuse(folding, `${fact.callId} of ${fact.stepId} is not an open call and stays unchanged`);
  return undefined;
}

function change(folding: Folding, step: ViewedStep, to: ToolPart, from: ToolPart): void {
  if (!mayBecome(from.state.status, to.state.status)) {
    refuse(folding, `${to.callId} cannot be ${to.state.status} after ${from.state.status}`);
    return;
  }
  if (isOver(to.state)) step.endedCalls.add(to.callId);
  step.calls.set(to.callId, to);
  if (!step.isAnswered) {
    showAnswer(folding, step);
    return;
  }
  putPart(folding, placed(folding, step, to));
  forgetEndedCalls(folding, step);
}

/** A call that comes after the answer hangs on behind it. */
function placed({ view }: Folding, step: ViewedStep, part: ToolPart): ToolPart {
  const entry = view.entries.get(step.message.id);
  if (part.id !== "" || entry === undefined) return part;
  const withPlace = { ...part, id: partIdOf(step.message.id, entry.nextOrder) };
  entry.nextOrder += 1;
  step.calls.set(part.callId, withPlace);
  return withPlace;
}

function isOver({ status }: ToolPartState): boolean {
  return status === "completed" || status === "error";
}

function completedPart({ view }: Folding, messageId: string, callId: string): string | undefined {
  return view.entries.get(messageId)?.completed.find((part) => part.callId === callId)?.partId;
}
