/** How the end of a run is told to the editor that asked for it: a reason to stop, or a failure. */
import type { StopReason } from "@agentclientprotocol/sdk";
import type { Failure, RunResult } from "@kedge/protocol";

export type PromptEnd =
  | { readonly ok: true; readonly stopReason: StopReason }
  | { readonly ok: false; readonly failure: Failure };

export type RunCourse = {
  /** The editor asked for it to be stopped. */
  readonly isCancelled: boolean;
  /** A person rejected a call, which ends the turn without anything having gone wrong. */
  readonly isRejected: boolean;
};

export function promptEndOf(result: RunResult, { isCancelled, isRejected }: RunCourse): PromptEnd {
  if (isCancelled) return stopped("cancelled");
  const { reason, stopReason, failure, budget } = result;
  switch (reason) {
    case "completed":
      if (stopReason === "refused") return stopped("refusal");
      return stopped(stopReason === "output-limit" ? "max_tokens" : "end_turn");
    case "aborted":
      return stopped(isRejected ? "end_turn" : "cancelled");
    case "error_max_turns":
      return stopped("max_turn_requests");
    case "error_max_budget":
      return stopped(budget === "tokens" ? "max_tokens" : "max_turn_requests");
    case "stopped_by_hook":
      return stopped("end_turn");
    case "error_max_structured_output_retries":
    case "error_during_execution":
      if (failure?.code === "policy_refusal") return stopped("refusal");
      if (failure?.code === "max_output_tokens") return stopped("max_tokens");
      return { ok: false, failure: failure ?? unknownFailure };
  }
}

const unknownFailure: Failure = { code: "unknown", message: "The run failed.", retryable: true };

function stopped(stopReason: StopReason): PromptEnd {
  return { ok: true, stopReason };
}
