/** Whether a moment from outside lets a conversation be shortened, and what it wants the summary to keep. */
import type { CompactionStrategy, CompactionTrigger, Failure } from "@kedge/protocol";
import { errorText } from "../call/attempt.ts";
import { hearMoments, type MomentParts, placeOf } from "./hear-moments.ts";
import { readCompactionAnswer } from "./moment-answers.ts";

export type OutsideCompaction = { readonly failure: Failure } | { readonly instructions?: string };

type Compaction = {
  readonly trigger: CompactionTrigger;
  readonly strategy: CompactionStrategy;
  readonly instructions?: string;
};

/** Without a summary these conversations cannot go on at all. */
const unavoidable: ReadonlySet<CompactionTrigger> = new Set<CompactionTrigger>(["overflow", "incomplete"]);

export async function askToCompact(
  parts: MomentParts,
  { trigger, strategy, instructions: asked }: Compaction,
  signal: AbortSignal,
): Promise<OutsideCompaction> {
  const wishes = asked === undefined ? [] : [asked];
  const compaction = () => ({
    ...placeOf(parts),
    trigger,
    strategy,
    ...(wishes.length > 0 && { instructions: wishes.join("\n") }),
  });
  const answers = hearMoments(parts, signal, {
    ask: (moment) => moment.compacting && (() => moment.compacting?.(compaction(), signal)),
    read: readCompactionAnswer,
  });
  for await (const heard of answers) {
    const refusal = "refusal" in heard ? heard.refusal : undefined;
    if ("answer" in heard && heard.answer.decision === "pass") wishes.push(heard.answer.instructions);
    else if (!unavoidable.has(trigger)) {
      const why = refusal ?? ("answer" in heard && heard.answer.decision === "refuse" ? heard.answer.text : "");
      const message = errorText(`${heard.by} blocked compaction: ${why}`, parts.engine.redact);
      return { failure: { code: "policy_refusal", message, retryable: false } };
    }
  }
  return wishes.length === 0 ? {} : { instructions: wishes.join("\n") };
}
