/** Whether moments from outside let a conversation be shortened, what they want the summary to keep, or the summary itself. */
import type { CompactionAnswer, CompactionStrategy, CompactionTrigger, Failure, JsonObject } from "@kedge/protocol";
import { errorText } from "../call/attempt.ts";
import { notify } from "../call/call-services.ts";
import { boundOutput } from "../call/text/bound-output.ts";
import { redactJson } from "../call/text/redact-json.ts";
import { harmless } from "../prompt-texts.ts";
import { hearMoments, type MomentParts, placeOf } from "./hear-moments.ts";
import { readCompactionAnswer } from "./moment-answers.ts";

/** What all moments together want of a compaction. */
export type CompactionWishes = {
  readonly instructions?: string;
  /** What the summariser reads as data. */
  readonly context?: readonly string[];
  /** A summary that somebody else wrote; the last one that was given. */
  readonly made?: MadeSummary;
  /** What moments want to keep beside the summary, by their names. */
  readonly data?: JsonObject;
};

export type MadeSummary = { readonly by: string; readonly summary: string; readonly shortSummary?: string };

export type OutsideCompaction = { readonly failure: Failure } | CompactionWishes;

type Compaction = {
  readonly trigger: CompactionTrigger;
  readonly strategy: CompactionStrategy;
  readonly instructions?: string;
};

/** Without a summary these conversations cannot go on at all. */
const unavoidable: ReadonlySet<CompactionTrigger> = new Set<CompactionTrigger>(["overflow", "incomplete"]);
const contextCharactersMax = 10_000;
const summaryCharactersMax = 100_000;
const dataCharactersMax = 64_000;

export async function askToCompact(
  parts: MomentParts,
  { trigger, strategy, instructions: asked }: Compaction,
  signal: AbortSignal,
): Promise<OutsideCompaction> {
  const { redact } = parts.engine;
  const wishes = asked === undefined ? [] : [asked];
  const context: string[] = [];
  const data: Record<string, JsonObject> = {};
  let made: MadeSummary | undefined;
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
    const by = errorText(heard.by, redact);
    const refusal = refusalOf(heard);
    if (refusal !== undefined) {
      if (unavoidable.has(trigger)) continue;
      const message = errorText(`${by} blocked compaction: ${refusal}`, redact);
      return { failure: { code: "policy_refusal", message, retryable: false } };
    }
    const answer = "answer" in heard ? heard.answer : undefined;
    if (answer === undefined || answer.decision === "refuse") continue;
    if (answer.data !== undefined) keepData(by, answer.data);
    if (answer.decision === "summary") made = madeOf(by, answer);
    else {
      if (answer.instructions !== undefined) wishes.push(answer.instructions);
      for (const text of answer.context ?? []) context.push(boundOutput(redact(text), contextCharactersMax));
    }
  }
  return {
    ...(wishes.length > 0 && { instructions: wishes.join("\n") }),
    ...(context.length > 0 && { context }),
    ...(made !== undefined && { made }),
    ...(Object.keys(data).length > 0 && { data }),
  };

  function keepData(by: string, given: JsonObject): void {
    if (JSON.stringify(given).length <= dataCharactersMax) data[by] = redactJson(given, redact);
    else notify(parts, `${by} wants to store more than ${dataCharactersMax / 1_000} KB with a summary; it is dropped.`);
  }

  /** Others wrote it: nothing in it may look like kedge's own marks. */
  function madeOf(by: string, answer: CompactionAnswer & { readonly decision: "summary" }): MadeSummary {
    const neutralise = parts.engine.neutralise ?? harmless;
    const plain = (text: string, charactersMax: number) =>
      boundOutput(neutralise(redact(text), "memory").trim(), charactersMax);
    const { summary, shortSummary } = answer;
    return {
      by,
      summary: plain(summary, summaryCharactersMax),
      ...(shortSummary !== undefined && { shortSummary: plain(shortSummary, contextCharactersMax) }),
    };
  }
}

function refusalOf(
  heard: { readonly refusal: string } | { readonly answer: CompactionAnswer } | object,
): string | undefined {
  if ("refusal" in heard) return heard.refusal;
  return "answer" in heard && heard.answer.decision === "refuse" ? heard.answer.text : undefined;
}
