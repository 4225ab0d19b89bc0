/** The states of a tool call as the view shows them, and the only ways from one to another. */
import type { FactOf } from "../facts/facts.ts";
import type { ToolPartState } from "../view.ts";

type Status = ToolPartState["status"];

/** A completed call may only be marked as no longer seen by the model, and that is no fact about the call. */
const toolTransitions: { readonly [From in Status]: readonly Status[] } = {
  pending: ["running", "error"],
  running: ["running", "completed", "error"],
  completed: [],
  error: [],
};

export function mayBecome(from: Status, to: Status): boolean {
  return toolTransitions[from].includes(to);
}

/** What the view says of a call that nobody ended. */
export const abortedCall = "Tool execution aborted";

function inputOf(state: ToolPartState): string {
  return state.status === "pending" ? state.raw : state.input;
}

export function runningState(from: ToolPartState, input: string, time: number): ToolPartState {
  return { status: "running", input, startedAt: startOf(from) ?? time };
}

export function endedState(from: ToolPartState, fact: FactOf<"tool.ended">, time: number): ToolPartState {
  const { output, title, metadata, media } = fact;
  if (fact.outcome !== "completed") return errorState(from, { error: output, time, metadata });
  return {
    status: "completed",
    input: inputOf(from),
    output,
    ...(title !== undefined && { title }),
    ...(metadata !== undefined && { metadata }),
    ...(media !== undefined && { attachments: media }),
    ...startedAt(from),
    endedAt: time,
  };
}

export function errorState(
  from: ToolPartState,
  end: {
    readonly error: string;
    readonly time: number;
    readonly metadata?: FactOf<"tool.ended">["metadata"] | undefined;
  },
): ToolPartState {
  const { error, time, metadata } = end;
  const known = { input: inputOf(from), error, ...(metadata !== undefined && { metadata }) };
  return { status: "error", ...known, ...startedAt(from), endedAt: time };
}

function startedAt(state: ToolPartState): { readonly startedAt?: number } {
  const start = startOf(state);
  return start === undefined ? {} : { startedAt: start };
}

function startOf(state: ToolPartState): number | undefined {
  return state.status === "pending" ? undefined : state.startedAt;
}
