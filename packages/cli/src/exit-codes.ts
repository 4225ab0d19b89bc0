/** What the process's exit code says about a run. */
import type { RunResult } from "@kedge/protocol";

export const exitCodes = { success: 0, error: 1, usage: 2, denied: 3, limit: 4, interrupted: 130 } as const;

export function exitCodeOf(
  result: Pick<RunResult, "reason" | "denials">,
  options: { readonly failOnDeny: boolean },
): number {
  if (options.failOnDeny && result.denials.length > 0 && result.reason !== "aborted") return exitCodes.denied;
  switch (result.reason) {
    case "completed":
      return exitCodes.success;
    case "aborted":
      return exitCodes.interrupted;
    case "error_max_turns":
    case "error_max_budget":
      return exitCodes.limit;
    case "error_max_structured_output_retries":
    case "error_during_execution":
    case "stopped_by_hook":
      return exitCodes.error;
  }
}
