/** Answers that were no end: what a model beside the conversation said about them, and whether anybody was asked. */
import { checkpointReminder, type UnexpectedStopSettings } from "@kedge/engine";
import { toolCalls } from "@kedge/protocol";
import { hearsOfAgents, isOfHook } from "./recorded-hooks.ts";
import { type RecordedRun, type RecordedStep, stepAfter } from "./recorded-session.ts";
import type { RecordedWorld } from "./recorded-world.ts";
import { wantsForm } from "./wanted-form.ts";

const slot = "\u0000";
const checkpointStart = checkpointReminder(slot).split(slot)[0] ?? "";

/**
 * What was asked aside left no fact, but its answer shows: after words that end by themselves a run goes on only because
 * the user spoke, because a form was wanted, because of an open checkpoint, because agents had news, or because the end
 * was none.
 */
export function wasNoEnd(run: RecordedRun, step: RecordedStep): boolean {
  const next = stepAfter(run, step)?.started;
  if (next === undefined || next.prompts.length > 0 || !isLastWord(step) || wantsForm(run)) return false;
  if (hearsOfAgents(next)) return false;
  return !next.reminders.some((text) => text.startsWith(checkpointStart) || isOfHook(text));
}

function isLastWord({ ended }: RecordedStep): boolean {
  if (ended?.outcome !== "answered" || ended.stopReason !== "end") return false;
  const hasText = ended.content.some((block) => block.type === "text" && block.text.trim() !== "");
  return hasText && toolCalls(ended.content).length === 0;
}

/** The setting that the run must have had. It counts from answer to answer, so it is asked for with each. */
export function detectionOf({ run }: Pick<RecordedWorld, "run">): UnexpectedStopSettings["detection"] {
  if (run === undefined) return "mechanical";
  if (run.steps.some((step) => wasNoEnd(run, step))) return "smart";
  const end = run.end?.fact;
  // Where empty answers are repeated, a run ends with one only after it was.
  const isUnrepeated = end?.emptyAnswer === true && !end.transitions.includes("unexpected_stop");
  return isUnrepeated ? "none" : "mechanical";
}
