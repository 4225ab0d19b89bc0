/** The last line of a headless run for clients of the Claude Agent SDK: how it ended, and what it used. */
import type { JsonObject, RunResult, Usage } from "@kedge/protocol";
import { modelIdOf, stopReasonOf, toolName, usageOf } from "./claude-words.ts";

export type RunTally = {
  readonly modelMs: number;
  /** Of calls by their id. */
  readonly inputs: ReadonlyMap<string, JsonObject>;
};

export function resultLine(result: RunResult, { modelMs, inputs }: RunTally) {
  const isGood = result.reason === "completed";
  const errors = result.failure === undefined ? [] : [result.failure.message];
  return {
    type: "result",
    subtype: subtypeOf(result),
    is_error: !isGood,
    duration_ms: result.durationMs,
    duration_api_ms: modelMs,
    num_turns: result.turns,
    stop_reason: stopReasonOf(result.stopReason),
    total_cost_usd: result.cost.usd,
    usage: usageOf(result.usage),
    modelUsage: Object.fromEntries(
      Object.entries(result.usageByModel).map(([ref, usage]) => [
        modelIdOf(ref),
        modelUsageOf(usage, Object.keys(result.usageByModel).length === 1 ? result.cost.usd : 0),
      ]),
    ),
    permission_denials: result.denials.map(({ callId, tool }) => ({
      tool_name: toolName(tool),
      tool_use_id: callId,
      tool_input: inputs.get(callId) ?? {},
    })),
    ...(isGood ? { result: result.text } : { errors }),
    ...(result.structured !== undefined && { structured_output: result.structured }),
  };
}

function subtypeOf({ reason, budget }: RunResult): string {
  switch (reason) {
    case "completed":
      return "success";
    case "error_max_turns":
    case "error_max_structured_output_retries":
      return reason;
    case "error_max_budget":
      return budget === "usd" ? "error_max_budget_usd" : "error_during_execution";
    case "error_during_execution":
    case "aborted":
    case "stopped_by_hook":
      return "error_during_execution";
  }
}

/** What each of several models cost is not kept apart, so only a single one shows it; the total is with the result. */
function modelUsageOf(usage: Usage, costUsd: number): object {
  return {
    inputTokens: usage.input,
    outputTokens: usage.output,
    cacheReadInputTokens: usage.cacheRead,
    cacheCreationInputTokens: usage.cacheWrite,
    webSearchRequests: usage.webSearches ?? 0,
    costUSD: costUsd,
    contextWindow: 0,
    maxOutputTokens: 0,
  };
}
