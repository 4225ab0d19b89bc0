/** How the run of an agent counts as its end. */
import type { AgentStatus, RunResult } from "./fact-words.ts";
import type { AgentRecord, SessionState } from "./session-state.ts";

export type RunVerdict = { readonly status: AgentStatus; readonly why?: string };

/** `stepsMax` is the turn limit, with which a run ends by summing up. */
export function verdictOnRun(run: RunResult, stepsMax?: number): RunVerdict {
  const { reason, failure, turns } = run;
  switch (reason) {
    case "completed":
      return stepsMax !== undefined && turns >= stepsMax && run.structured === undefined
        ? { status: "max_turns", why: `It reached its limit of ${stepsMax} turns.` }
        : { status: "completed" };
    case "aborted":
      // A run that was cut off by the end of its process was closed afterwards, with a failure that says so.
      return failure === undefined
        ? { status: "cancelled", why: "It was canceled." }
        : { status: "orphaned", why: orphanedText };
    case "error_max_turns":
      return { status: "max_turns", why: "It reached its turn limit." };
    case "error_max_budget":
      return { status: "failed", why: `The ${run.budget === "tokens" ? "token" : "cost"} budget is exhausted.` };
    case "error_max_structured_output_retries":
      return { status: "failed", why: "It returned no result that matches the schema." };
    case "stopped_by_hook":
      return { status: "failed", why: "It was stopped by a hook." };
    case "error_during_execution":
      return { status: "failed", why: failure?.message ?? "It failed." };
  }
}

export const orphanedText = "kedge exited while it was working. Send it a message to continue from its record.";

/** Those of which no end is known. */
export function workingAgents({ agents }: Pick<SessionState, "agents">): readonly AgentRecord[] {
  return agents.size === 0 ? [] : [...agents.values()].filter(({ end }) => end === undefined);
}

/** Ends that the model was not told of, and that no call is about to tell. */
export function untoldAgents({ agents, calls }: Pick<SessionState, "agents" | "calls">): readonly AgentRecord[] {
  if (agents.size === 0) return [];
  return [...agents.values()].filter(({ end, isTold, isQuiet, callId = "", isBackground }) => {
    const isUntold = end !== undefined && !isTold && !isQuiet;
    // The result of a call may be on its way to the journal while the next step is made.
    return isUntold && (isBackground || !calls.has(callId) || calls.get(callId)?.result !== undefined);
  });
}

const resultBytesMax = 32 * 1024;

/** Cut to what a parent may see, at a character; `outputPath` is where the rest of a cut one is read. */
export function boundResult(agentId: string, text: string): { readonly result: string; readonly outputPath?: string } {
  // No character has more bytes than this.
  if (text.length * 3 <= resultBytesMax) return { result: text };
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= resultBytesMax) return { result: text };
  let end = resultBytesMax;
  // A byte that continues a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const cut = new TextDecoder().decode(bytes.subarray(0, end));
  const left = (bytes.length - end).toLocaleString("en-US");
  return { result: `${cut}\n[${left} more bytes]`, outputPath: `agent://${agentId}` };
}
