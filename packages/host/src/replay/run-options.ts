/** What a run was given, or must have been given by how it went: limits, a fallback, a wanted form of the answer. */
import { lastStepReminder } from "@kedge/engine";
import { type RunOptions, toolCalls } from "@kedge/protocol";
import { shorteningAfter } from "./overflow.ts";
import type { RecordedRun } from "./recorded-session.ts";

export const structuredTool = "structured_output";
/** An answer that was cut off by our own limit is asked for again only where the model could give more. */
const outputTokensSmall = 8_000;
const outputTokensLarge = 64_000;

/** Records of an earlier kedge do not have them. What was spent beside the answers is in no step, so budgets are read. */
export function runOptionsOf(run: RecordedRun): RunOptions {
  const { options } = run;
  return options === undefined ? { ...limitsOf(run), ...budgetOf(run) } : { ...options, ...budgetOf(run) };
}

function limitsOf(run: RecordedRun): RunOptions {
  const { steps, end } = run;
  const fallback = steps.find(({ started }) => isOutage(started.fallback?.reason))?.started;
  const last = steps.find(({ started }) => started.reminders.includes(lastStepReminder()));
  const fact = end?.fact;
  return {
    ...(fact?.reason === "error_max_turns" && { turnsMax: fact.turns }),
    ...(last !== undefined && { stepsMax: last.started.turn }),
    ...(fallback !== undefined && { fallbackModel: fallback.model }),
    // Whatever was accepted fits the empty one.
    ...(wantsForm(run) && { answerSchema: {} }),
  };
}

/** The one that ended the run, as what its answers came to. */
function budgetOf(run: RecordedRun): Pick<RunOptions, "budgetUsdMax" | "tokensMax"> {
  const { steps, end } = run;
  // An answer that found no room is given again as a mere failure.
  const answers = steps.flatMap((step) => (shorteningAfter(run, step) === undefined ? (step.ended ?? []) : []));
  // Added up as the engine does, so that the same step reaches the limit.
  const usd = answers.reduce((sum, { cost }) => sum + cost.usd, 0);
  const tokens = answers.reduce(
    (sum, { usage }) => sum + usage.input + usage.output + usage.cacheRead + usage.cacheWrite,
    0,
  );
  return {
    ...(end?.fact.budget === "tokens" && { tokensMax: tokens }),
    ...(end?.fact.budget === "usd" && { budgetUsdMax: usd }),
  };
}

/** A larger window is no fallback. */
function isOutage(reason: string | undefined): boolean {
  return reason !== undefined && reason !== "context";
}

export function outputTokensOf(run: RecordedRun): number {
  const wasCutOff = run.steps.some((step) => {
    const { outcome, stopReason } = step.ended ?? {};
    return outcome === "failed" && stopReason === "output-limit" && shorteningAfter(run, step) === undefined;
  });
  return wasCutOff ? outputTokensLarge : outputTokensSmall;
}

function wantsForm({ steps, end }: RecordedRun): boolean {
  if (end?.fact.structured !== undefined || end?.fact.transitions.includes("structured_retry")) return true;
  if (end?.fact.reason === "error_max_structured_output_retries") return true;
  return steps.some(({ ended }) => toolCalls(ended?.content ?? []).some(({ tool }) => tool === structuredTool));
}

/** Why the record cannot be followed beyond a fact, or undefined. */
export function obstacleIn(run: RecordedRun): { readonly seq: number; readonly why: string } | undefined {
  for (const [index, step] of run.steps.entries()) {
    const before = run.steps[index - 1]?.started;
    const { model, fallback } = step.started;
    if (before !== undefined && before.model !== model && !isOutage(fallback?.reason)) {
      return { seq: step.seq, why: "a model with a larger window took over" };
    }
    if (wasJudged(run, index)) return { seq: step.seq, why: "a side question decided that the answer was no end" };
    for (const { seq, ended } of step.calls.values()) {
      if (ended.tool === structuredTool && ended.outcome === "failed" && run.options?.answerSchema === undefined) {
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
