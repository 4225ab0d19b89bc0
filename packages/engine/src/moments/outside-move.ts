/** Whether moments from outside let a conversation continue at another place, and what they tell that place of the branch left. */
import type { Failure, MovingLeaf } from "@kedge/protocol";
import { errorText } from "../call/attempt.ts";
import { boundOutput } from "../call/text/bound-output.ts";
import { harmless } from "../prompt-texts.ts";
import { hearMoments, type MomentParts, placeOf } from "./hear-moments.ts";
import { readMoveAnswer } from "./moment-answers.ts";

export type OutsideMove =
  | { readonly failure: Failure }
  /** The last summary that was given. */
  | { readonly made?: { readonly by: string; readonly summary: string } };

const summaryCharactersMax = 100_000;

export async function askToMove(
  parts: MomentParts,
  wanted: Pick<MovingLeaf, "fromLeafId" | "toLeafId" | "wantsSummary">,
  signal: AbortSignal,
): Promise<OutsideMove> {
  const { redact, neutralise = harmless } = parts.engine;
  let made: { readonly by: string; readonly summary: string } | undefined;
  const answers = hearMoments(parts, signal, {
    ask: (moment) => moment.leafMoving && (() => moment.leafMoving?.({ ...placeOf(parts), ...wanted }, signal)),
    read: readMoveAnswer,
  });
  for await (const heard of answers) {
    const by = errorText(heard.by, redact);
    const refusal =
      "refusal" in heard ? heard.refusal : heard.answer.decision === "refuse" ? heard.answer.text : undefined;
    if (refusal !== undefined) {
      const message = errorText(`${by} blocked the move: ${refusal}`, redact);
      return { failure: { code: "policy_refusal", message, retryable: false } };
    }
    if (!("answer" in heard) || heard.answer.decision !== "summary") continue;
    const summary = boundOutput(neutralise(redact(heard.answer.summary), "memory").trim(), summaryCharactersMax);
    if (summary !== "") made = { by, summary };
  }
  return made === undefined ? {} : { made };
}
