/** Answers that did not come because the conversation was too long: which they are, and how the engine goes the same way again. */
import { fullWindow } from "@kedge/engine";
import type { Failure } from "@kedge/protocol";
import { promotionAfter } from "./promotion.ts";
import { type RecordedRun, type RecordedStep, stepAfter } from "./recorded-session.ts";

/** What was done about it before the next step: results cleared, a summary, a larger window, or nothing helped. */
export type Shortening = "cleared" | "summarised" | "promoted" | "none";

/** Undefined when the step did not fail for want of room. */
export function shorteningAfter(run: RecordedRun, step: RecordedStep): Shortening | undefined {
  const { ended } = step;
  if (ended?.outcome !== "failed") return undefined;
  const next = stepAfter(run, step);
  const isSummarised = next?.contextFacts.some(
    (fact) => fact.type === "context.compacted" && (fact.trigger === "overflow" || fact.trigger === "incomplete"),
  );
  const { code, message } = ended.failure ?? {};
  const isPromoted = promotionAfter(run, step) !== undefined;
  if (code === "prompt_too_long") {
    if (isSummarised) return "summarised";
    if (isPromoted) return "promoted";
    return next === undefined ? "none" : "cleared";
  }
  // An answer that our own limit cut off is asked for again as it is; one that filled the window is not.
  if (code !== "max_output_tokens") return undefined;
  if (isSummarised) return "summarised";
  if (isPromoted && message === fullWindow.message) return "promoted";
  return next === undefined && run.end?.fact.reason === "error_during_execution" ? "none" : undefined;
}

/** No clearing makes a conversation as small as this, so that the engine has it summarised. */
const limitTokensMin = 1;

/**
 * What the engine is told in the place of the vendor's words. Whether clearing was enough depended on settings and sizes
 * that are not in the record, so that a limit which leaves no choice stands for them.
 */
export function overflowFailure(recorded: Failure, shortening: Shortening): Failure {
  if (shortening === "cleared") return recorded;
  const inputTokens = recorded.overflow?.inputTokens ?? limitTokensMin;
  return { ...recorded, code: "prompt_too_long", overflow: { inputTokens, limitTokens: limitTokensMin } };
}
