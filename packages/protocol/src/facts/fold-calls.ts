/** The part of the fold that follows calls until their results stand in the conversation. */
import { foundTools, resultOf } from "./call-result.ts";
import type { FactOf } from "./facts.ts";
import { tellAgentsByCall } from "./fold-agents.ts";
import { markPlace } from "./fold-checkpoint.ts";
import { addItem } from "./fold-tree.ts";
import { markUnfinished } from "./fold-undo.ts";
import type { CallResult, SessionState } from "./session-state.ts";

export function startCall(state: SessionState, fact: FactOf<"tool.started">): void {
  state.calls.set(fact.callId, {
    callId: fact.callId,
    stepId: fact.stepId,
    tool: fact.tool,
    inputText: fact.inputText,
    started: true,
    ...(fact.snapshot !== undefined && { snapshot: fact.snapshot }),
  });
  if (fact.snapshot !== undefined) markUnfinished(state, fact.snapshot);
}

export function endCall(state: SessionState, fact: FactOf<"tool.ended">, time: number): void {
  const found = foundTools(fact);
  if (state.agents.size > 0) tellAgentsByCall(state, fact);
  for (const name of found) state.foundTools.add(name);
  if (fact.parentCallId !== undefined) {
    // The model sees only the call around it, whose result holds this one's.
    state.calls.delete(fact.callId);
    return;
  }
  const result = resultOf(fact, found);
  const call = state.calls.get(fact.callId);
  state.calls.set(
    fact.callId,
    call === undefined
      ? { callId: fact.callId, stepId: fact.stepId, tool: fact.tool, inputText: "", started: false, result }
      : { ...call, result },
  );
  flushResults(state, time);
}

/** Results enter the conversation together and in the order of the calls, whatever order they finished in. */
export function flushResults(state: SessionState, time: number): void {
  const last = state.items.at(-1);
  if (last?.type !== "answer" || last.stepId !== state.step?.stepId) return;
  const results: CallResult[] = [];
  for (const block of last.content) {
    if (block.type !== "tool-call") continue;
    const result = state.calls.get(block.callId)?.result;
    if (result === undefined) return;
    results.push(result);
  }
  if (results.length === 0) return;
  addItem(state, { type: "results", id: `${last.stepId}.results`, stepId: last.stepId, results }, time);
  if (state.checkpoint?.stepId === last.stepId) markPlace(state, state.checkpoint);
}
