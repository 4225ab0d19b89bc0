/** The one result object of a headless run, as `json` prints it and as the last line of `stream-json`. */
import type { Failure, Json, RunResult, Usage } from "@kedge/protocol";

export function resultObject(sessionId: string | undefined, result: RunResult): { readonly [key: string]: unknown } {
  return {
    type: "result",
    subtype: result.reason === "completed" ? "success" : result.reason,
    is_error: result.reason !== "completed",
    sessionId: sessionId ?? null,
    result: result.text,
    ...(result.structured !== undefined && { structured_output: result.structured satisfies Json }),
    num_turns: result.turns,
    duration_ms: result.durationMs,
    total_cost_usd: result.cost.usd,
    cost_estimated: result.cost.estimated,
    usage: usageObject(result.usage),
    model_usage: Object.fromEntries(
      Object.entries(result.usageByModel).map(([model, usage]) => [model, usageObject(usage)]),
    ),
    permission_denials: result.denials.map(({ callId, ...denial }) => ({ call_id: callId, ...denial })),
    transitions: result.transitions,
    ...(result.stopReason !== undefined && { stop_reason: result.stopReason }),
    ...(result.budget !== undefined && { budget: result.budget }),
    ...(result.pressure !== undefined && { pressure: result.pressure }),
    ...(result.emptyAnswer && { empty_response: true }),
    ...(result.failure !== undefined && { error: failureObject(result.failure) }),
  };
}

export function usageObject(usage: Usage): { readonly [key: string]: number } {
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    reasoning_tokens: usage.reasoning,
    cache_read_tokens: usage.cacheRead,
    cache_write_tokens: usage.cacheWrite,
    ...(usage.webSearches !== undefined && { web_searches: usage.webSearches }),
  };
}

export function failureObject(failure: Failure): { readonly [key: string]: unknown } {
  const { code, message, recovery, retryable, status, requestId } = failure;
  return {
    code,
    message,
    retryable,
    ...(recovery !== undefined && { recovery }),
    ...(status !== undefined && { status }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(failure.resetAtMs !== undefined && { reset_at: new Date(failure.resetAtMs).toISOString() }),
  };
}
