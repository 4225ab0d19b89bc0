/** The part of the fold that follows calls until their results stand in the conversation. */
import type { FactOf } from "./facts.ts";
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
  if (fact.metadata !== undefined) for (const name of foundTools(fact.metadata)) state.foundTools.add(name);
  if (fact.parentCallId !== undefined) {
    // The model sees only the call around it, whose result holds this one's.
    state.calls.delete(fact.callId);
    return;
  }
  const result = resultOf(fact);
  const call = state.calls.get(fact.callId);
  state.calls.set(
    fact.callId,
    call === undefined
      ? { callId: fact.callId, stepId: fact.stepId, tool: fact.tool, inputText: "", started: false, result }
      : { ...call, result },
  );
  flushResults(state, time);
}

/** Most results have neither of the two, and a spread that adds nothing still takes its time. */
function resultOf({ callId, tool, outcome, output, media, metadata }: FactOf<"tool.ended">): CallResult {
  const result: CallResult = { callId, tool, outcome, output };
  const isUseless = metadata?.["useless"] === true;
  if (media === undefined && !isUseless) return result;
  return { ...result, ...(media !== undefined && { media }), ...(isUseless && { useless: true }) };
}

/** A search for tools names what it found in its metadata. */
function foundTools(metadata: NonNullable<FactOf<"tool.ended">["metadata"]>): readonly string[] {
  const found = metadata["foundTools"];
  return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
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
