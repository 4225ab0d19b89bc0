/** A model that gives the recorded answers again, once the request is what it was. Knows no network. */
import {
  type AssistantBlock,
  type Fact,
  type Failure,
  type ModelEvent,
  noUsage,
  type Provider,
  type QuerySource,
} from "@kedge/protocol";
import { wasNoEnd } from "./judged-stops.ts";
import { overflowFailure, shorteningAfter } from "./overflow.ts";
import { promotionAfter } from "./promotion.ts";
import type { RecordedRun, RecordedStep } from "./recorded-session.ts";
import { compareRequest, type RecordedWorld } from "./recorded-world.ts";

export type ReplayProviderParts = {
  readonly world: RecordedWorld;
  /** Stops the run, as a person did or because nothing more can be compared. */
  readonly interrupt: () => Promise<void>;
  readonly deliver: (input: Fact) => Promise<void>;
  /** The record ends in the middle of this step. */
  readonly reachedEnd: () => void;
};

const stopped: Failure = { code: "aborted", message: "The record ends here.", retryable: false };

/** What was asked beside the conversation left no answer in the record. */
const notRecorded: Failure = { code: "unknown", message: "Side questions are not in a record.", retryable: false };

export function createReplayProvider(parts: ReplayProviderParts): Provider {
  const { world, interrupt, deliver, reachedEnd } = parts;
  return {
    async *stream(request, signal) {
      const { run, step } = world;
      if (request.source !== "main") {
        yield* sideEvents(world, request.source, interrupt);
        return;
      }
      if (step !== undefined && world.divergence() === undefined) compareRequest(world, step, request.messages);
      if (run === undefined || step === undefined || world.divergence() !== undefined) {
        await interrupt();
        yield { type: "failed", failure: stopped };
        return;
      }
      for (const input of step.inputs) await deliver(input);
      const { ended } = step;
      if (ended === undefined) {
        reachedEnd();
        await aborted(signal);
        yield { type: "failed", failure: stopped };
        return;
      }
      yield* answerEvents(step, ended);
      if (ended.outcome === "interrupted") await interrupt();
      yield lastEvent(run, step, ended);
    },
  };
}

/**
 * A summary is asked for where the record has one, which is then stored in the place of this one; whether an answer was
 * an end is asked where the record has gone on after one.
 */
async function* sideEvents(
  { run, step }: RecordedWorld,
  source: QuerySource,
  interrupt: () => Promise<void>,
): AsyncGenerator<ModelEvent> {
  const isKnown = run !== undefined && step !== undefined;
  const isSummary = source === "compaction";
  if (isKnown && isSummary && shorteningAfter(run, step) === "summarised") return yield* sideAnswer("-");
  if (isKnown && source === "background") return yield* sideAnswer(wasNoEnd(run, step) ? "yes" : "no");
  if (isSummary && run?.end?.fact.reason === "aborted") await interrupt();
  yield { type: "failed", failure: notRecorded };
}

function* sideAnswer(text: string): Generator<ModelEvent> {
  yield { type: "text-delta", text };
  yield { type: "end", stopReason: "end", usage: noUsage };
}

type RecordedEnd = NonNullable<RecordedStep["ended"]>;

function* answerEvents({ started }: RecordedStep, { retries = [], content }: RecordedEnd): Generator<ModelEvent> {
  for (const { attempt, code, delayMs } of retries) {
    yield { type: "retrying", attempt, delayMs, failure: { code, message: started.model, retryable: true } };
  }
  for (const block of content) yield* blockEvents(block);
}

function lastEvent(run: RecordedRun, step: RecordedStep, ended: RecordedEnd): ModelEvent {
  const { outcome, stopReason, failure = stopped, usage, providerRequestId, cacheBreak } = ended;
  const shortening = shorteningAfter(run, step);
  if (shortening !== undefined) return { type: "failed", failure: overflowFailure(failure, shortening) };
  if (outcome === "interrupted" || stopReason === undefined) return { type: "failed", failure };
  return {
    type: "end",
    stopReason,
    // What nobody has counted is looked at before the next step.
    usage: promotionAfter(run, step) === undefined ? usage : noUsage,
    ...(providerRequestId !== undefined && { providerRequestId }),
    ...(cacheBreak !== undefined && { cacheBreak }),
  };
}

function* blockEvents(block: AssistantBlock): Generator<ModelEvent> {
  switch (block.type) {
    case "text":
    case "reasoning": {
      const { type, text, signature } = block;
      if (text !== "" || signature === undefined) yield { type: `${type}-delta`, text };
      yield { type: "block-end", block: type, ...(signature !== undefined && { signature }) };
      return;
    }
    case "tool-call":
      yield { type: "tool-call", call: block };
      return;
    case "vendor":
      yield { type: "vendor-block", block };
      return;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
