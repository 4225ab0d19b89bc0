/** What a run must have been given, read from how it went: limits, a fallback, a wanted form of the answer. */
import { lastStepReminder } from "@kedge/engine";
import { type RunOptions, toolCalls } from "@kedge/protocol";
import type { RecordedRun } from "./recorded-session.ts";

export const structuredTool = "structured_output";
/** An answer that was cut off by our own limit is asked for again only where the model could give more. */
const outputTokensSmall = 8_000;
const outputTokensLarge = 64_000;

export function runOptionsOf(run: RecordedRun): RunOptions {
  const { steps, end } = run;
  const fallback = steps.find(({ started }) => isOutage(started.fallback?.reason))?.started;
  const last = steps.find(({ started }) => started.reminders.includes(lastStepReminder()));
  const fact = end?.fact;
  const answers = steps.flatMap(({ ended }) => ended ?? []);
  // Added up as the engine does, so that the same step reaches the limit.
  const usd = answers.reduce((sum, { cost }) => sum + cost.usd, 0);
  const tokens = answers.reduce(
    (sum, { usage }) => sum + usage.input + usage.output + usage.cacheRead + usage.cacheWrite,
    0,
  );
  return {
    ...(fact?.reason === "error_max_turns" && { turnsMax: fact.turns }),
    ...(fact?.budget === "tokens" && { tokensMax: tokens }),
    ...(fact?.budget === "usd" && { budgetUsdMax: usd }),
    ...(last !== undefined && { stepsMax: last.started.turn }),
    ...(fallback !== undefined && { fallbackModel: fallback.model }),
    // The schema itself is not in the record; whatever was accepted fits the empty one.
    ...(wantsForm(run) && { answerSchema: {} }),
  };
}

/** A larger window is no fallback. */
function isOutage(reason: string | undefined): boolean {
  return reason !== undefined && reason !== "context";
}

export function outputTokensOf({ steps }: RecordedRun): number {
  const wasCutOff = steps.some(({ ended }) => ended?.outcome === "failed" && ended.stopReason === "output-limit");
  return wasCutOff ? outputTokensLarge : outputTokensSmall;
}

function wantsForm({ steps, end }: RecordedRun): boolean {
  if (end?.fact.structured !== undefined || end?.fact.transitions.includes("structured_retry")) return true;
  if (end?.fact.reason === "error_max_structured_output_retries") return true;
  return steps.some(({ ended }) => toolCalls(ended?.content ?? []).some(({ tool }) => tool === structuredTool));
}

/** Why the record cannot be followed beyond a fact, or undefined. */
export function obstacleIn(run: RecordedRun): { readonly seq: number; readonly why: string } | undefined {
  const { steps } = run;
  for (const [index, step] of steps.entries()) {
    const before = steps[index - 1];
    if (before !== undefined && before.started.model !== step.started.model && step.started.fallback === undefined) {
      return { seq: step.seq, why: "a model with a larger window took over" };
    }
    const code = before?.ended?.failure?.code;
    if (step.contextFacts.length > 0 && (code === "prompt_too_long" || code === "max_output_tokens")) {
      return { seq: step.seq, why: "the conversation was shortened because it did not fit" };
    }
    if (wasJudged(run, index)) return { seq: step.seq, why: "a side question decided that the answer was no end" };
    for (const { seq, ended } of step.calls.values()) {
      if (ended.tool === structuredTool && ended.outcome === "failed") {
        return { seq, why: "the schema of the wanted answer is not in the record" };
      }
    }
  }
  return undefined;
}

/** What a model beside the conversation said about an answer is not in the record. */
function wasJudged({ steps, end }: RecordedRun, index: number): boolean {
  const transitions = (end?.fact.transitions ?? []).filter(
    (transition) => transition !== "context_compacted" && transition !== "context_promoted",
  );
  const content = steps[index - 1]?.ended?.content ?? [];
  const hasText = content.some((block) => block.type === "text" && block.text.trim() !== "");
  return hasText && transitions[index - 1] === "unexpected_stop";
}
