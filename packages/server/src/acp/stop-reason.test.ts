import { type Failure, type RunReason, type RunResult, runWithoutSteps } from "@kedge/protocol";
import { expect, test } from "vitest";
import { promptEndOf } from "./stop-reason.ts";

const undisturbed = { isCancelled: false, isRejected: false };
const failed = (code: Failure["code"]): Failure => ({ code, message: "It failed.", retryable: false });

function ended(reason: RunReason, more: Partial<RunResult> = {}): RunResult {
  return { ...runWithoutSteps(reason, ""), ...more };
}

test.each<[string, RunResult, string]>([
  ["completed", ended("completed", { stopReason: "end" }), "end_turn"],
  ["refused", ended("completed", { stopReason: "refused" }), "refusal"],
  ["cut off", ended("completed", { stopReason: "output-limit" }), "max_tokens"],
  ["interrupted elsewhere", ended("aborted"), "cancelled"],
  ["too many turns", ended("error_max_turns"), "max_turn_requests"],
  ["too many tokens", ended("error_max_budget", { budget: "tokens" }), "max_tokens"],
  ["too expensive", ended("error_max_budget", { budget: "usd" }), "max_turn_requests"],
  ["stopped by a hook", ended("stopped_by_hook"), "end_turn"],
  ["refused by the vendor", ended("error_during_execution", { failure: failed("policy_refusal") }), "refusal"],
  ["too long an answer", ended("error_during_execution", { failure: failed("max_output_tokens") }), "max_tokens"],
])("%s", (_name, result, stopReason) => {
  expect(promptEndOf(result, undisturbed)).toEqual({ ok: true, stopReason });
  expect(promptEndOf(result, { isCancelled: true, isRejected: false })).toEqual({ ok: true, stopReason: "cancelled" });
});

test("a rejection ends the turn, and a failure is told as such", () => {
  expect(promptEndOf(ended("aborted"), { isCancelled: false, isRejected: true })).toEqual({
    ok: true,
    stopReason: "end_turn",
  });
  const failure = failed("server_error");
  expect(promptEndOf(ended("error_during_execution", { failure }), undisturbed)).toEqual({ ok: false, failure });
});
