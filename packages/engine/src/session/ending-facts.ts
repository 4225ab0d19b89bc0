/** The end of a run with what is remembered of it: one transaction, so that the end comes first and costs no second commit. */
import { type Fact, type FactOf, reasonOf } from "@kedge/protocol";
import type { Journal } from "../journal.ts";
import type { EngineShared } from "../parts.ts";

type Learner = Pick<EngineShared, "learn" | "redact">;

/** `ended` with the lesson behind it. Best effort: no failure of this is a failure of the run. */
export async function endingFacts(
  { learn, redact }: Learner,
  { state, signal }: Pick<Journal, "state" | "signal">,
  ended: FactOf<"run.ended">,
): Promise<readonly Fact[]> {
  if (learn === undefined) return [ended];
  try {
    const lesson = await learn(state, ended);
    return lesson === undefined ? [ended] : [ended, lesson];
  } catch (error) {
    const text = `Could not save a lesson from this run: ${redact(reasonOf(error))}.`;
    signal({ type: "notice", sessionId: state.sessionId, text });
    return [ended];
  }
}
