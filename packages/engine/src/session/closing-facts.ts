/** Closes what a crash left open, so that the fold is well-formed and nothing runs twice. */
import {
  type AssistantBlock,
  type Fact,
  type Failure,
  noUsage,
  type ReasoningBlock,
  runWithoutSteps,
  type SessionState,
  type TextBlock,
  type ToolCallBlock,
} from "@kedge/protocol";
import { abortedText } from "../call/call.ts";

/** True when the session still has work that nobody finished. */
export function isInterrupted(state: SessionState): boolean {
  const last = state.items.at(-1);
  // A note or a summary at the end waits for the user's next words, not for an answer.
  const isUnanswered = last !== undefined && last.type !== "answer" && last.type !== "record";
  return state.runId !== undefined || state.queue.length > 0 || isUnanswered;
}

/** The facts that end an unfinished answer, its calls and its run; none when everything was closed properly. */
export function closingFacts(state: SessionState): readonly Fact[] {
  const { runId, step } = state;
  if (runId === undefined) return [];
  const facts: Fact[] = [];
  const open = [...state.calls.values()].filter((call) => call.result === undefined);
  if (step !== undefined && !step.answered) {
    facts.push({
      type: "step.ended",
      stepId: step.stepId,
      outcome: "interrupted",
      content: knownContent(state),
      usage: noUsage,
      cost: { usd: 0, estimated: true },
      durationMs: 0,
      failure: { code: "aborted", message: "kedge exited before the answer was complete.", retryable: false },
    });
  }
  for (const call of open) {
    facts.push({
      type: "tool.ended",
      callId: call.callId,
      stepId: call.stepId,
      tool: call.tool,
      outcome: "interrupted",
      output: call.started
        ? `${abortedText}; it may have done part of its work.${agentsOf(state, call.callId)}`
        : abortedText,
      phases: {},
    });
  }
  const failure: Failure = { code: "aborted", message: "kedge exited before the run ended.", retryable: false };
  facts.push({ type: "run.ended", runId, ...runWithoutSteps("aborted", "", failure) });
  return facts;
}

/** The agents of a call have ends of their own, which the model is told with the next step. */
function agentsOf({ agents }: SessionState, callId: string): string {
  const named = [...agents.values()].filter((agent) => agent.callId === callId && !agent.isTold);
  if (named.length === 0) return "";
  return ` Agents of this call: ${named.map(({ agentId, description }) => `${agentId} (${description})`).join(", ")}.`;
}

/** What was stored of an answer while it streamed, with the calls that had already started. */
function knownContent(state: SessionState): readonly AssistantBlock[] {
  const stored = merge(state.step?.progress ?? []);
  const known = new Set(stored.flatMap((block) => (block.type === "tool-call" ? [block.callId] : [])));
  const early: ToolCallBlock[] = [...state.calls.values()]
    .filter((call) => !known.has(call.callId))
    .map(({ callId, tool, inputText }) => ({ type: "tool-call", callId, tool, inputText }));
  return [...stored, ...early];
}

/** Joins pieces of one text that were stored one after another. */
function merge(pieces: readonly AssistantBlock[]): readonly AssistantBlock[] {
  const merged: AssistantBlock[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    // A signature closes its block.
    if (isText(piece) && last !== undefined && isText(last) && last.type === piece.type && !("signature" in last)) {
      merged[merged.length - 1] = { ...piece, text: last.text + piece.text };
    } else merged.push(piece);
  }
  return merged;
}

function isText(block: AssistantBlock): block is TextBlock | ReasoningBlock {
  return block.type === "text" || block.type === "reasoning";
}
