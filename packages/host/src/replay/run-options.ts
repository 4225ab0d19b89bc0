/** What a run was given, or must have been given by how it went: limits, a fallback. */
import { lastStepReminder } from "@kedge/engine";
import type { RunOptions } from "@kedge/protocol";
import { shorteningAfter } from "./overflow.ts";
import { promotionAfter } from "./promotion.ts";
import type { RecordedRun, RecordedStep } from "./recorded-session.ts";
import { inferredSchema, wantsForm } from "./wanted-form.ts";

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
  const last = steps.find(({ started }) => started.reminders.includes(lastStepReminder()));
  const fallbackModel = fallbackOf(run);
  const fact = end?.fact;
  return {
    ...(fact?.reason === "error_max_turns" && { turnsMax: fact.turns }),
    ...(last !== undefined && { stepsMax: last.started.turn }),
    ...(fallbackModel !== undefined && { fallbackModel }),
    ...(wantsForm(run) && { answerSchema: inferredSchema(run) }),
  };
}

/** The one that ended the run, as what its answers came to. */
function budgetOf(run: RecordedRun): Pick<RunOptions, "budgetUsdMax" | "tokensMax"> {
  const { steps, end } = run;
  const answers = steps.flatMap((step) => (isCounted(run, step) ? (step.ended ?? []) : []));
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

/** An answer that found no room is given again as a mere failure; before a promotion, nobody has counted. */
function isCounted(run: RecordedRun, step: RecordedStep): boolean {
  return shorteningAfter(run, step) === undefined && promotionAfter(run, step) === undefined;
}

/** A larger window is no fallback, but may have taken over from one that never came to answer. */
function fallbackOf({ steps }: RecordedRun): string | undefined {
  let model = steps[0]?.started.fallback?.from ?? steps[0]?.started.model;
  for (const { started } of steps) {
    const { fallback } = started;
    if (fallback !== undefined && fallback.reason !== "context") return started.model;
    if (fallback !== undefined && fallback.from !== model) return fallback.from;
    model = started.model;
  }
  return undefined;
}

/** It was named, and could not be used when it was wanted. */
export function isMissingFallback(run: RecordedRun, model: string): boolean {
  const isMeant = ({ started }: RecordedStep) => started.model === model || started.fallback?.from === model;
  return run.options?.fallbackModel === model && run.steps.length > 0 && !run.steps.some(isMeant);
}

export function outputTokensOf(run: RecordedRun): number {
  const wasCutOff = run.steps.some((step) => {
    const { outcome, stopReason } = step.ended ?? {};
    return outcome === "failed" && stopReason === "output-limit" && shorteningAfter(run, step) === undefined;
  });
  return wasCutOff ? outputTokensLarge : outputTokensSmall;
}
