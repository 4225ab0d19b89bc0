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
import { overflowFailure, shorteningAfter } from "./overflow.ts";
import type { RecordedStep } from "./recorded-session.ts";
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
      if (step === undefined || world.divergence() !== undefined) {
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
      const shortening = run === undefined ? undefined : shorteningAfter(run, step);
      if (shortening === undefined) yield* answerEvents(step, ended, interrupt);
      else yield { type: "failed", failure: overflowFailure(ended.failure ?? stopped, shortening) };
    },
  };
}

/** A summary is asked for where the record has one, which is then stored in the place of this one. */
async function* sideEvents(
  { run, step }: RecordedWorld,
  source: QuerySource,
  interrupt: () => Promise<void>,
): AsyncGenerator<ModelEvent> {
  const shortening = run === undefined || step === undefined ? undefined : shorteningAfter(run, step);
  if (source === "compaction" && shortening === "summarised") {
    yield { type: "text-delta", text: "-" };
    yield { type: "end", stopReason: "end", usage: noUsage };
    return;
  }
  if (source === "compaction" && run?.end?.fact.reason === "aborted") await interrupt();
  yield { type: "failed", failure: notRecorded };
}

async function* answerEvents(
  { started }: RecordedStep,
  ended: NonNullable<RecordedStep["ended"]>,
  interrupt: () => Promise<void>,
): AsyncGenerator<ModelEvent> {
  for (const { attempt, code, delayMs } of ended.retries ?? []) {
    yield { type: "retrying", attempt, delayMs, failure: { code, message: started.model, retryable: true } };
  }
  for (const block of ended.content) yield* blockEvents(block);
  const { stopReason, failure, usage, providerRequestId, cacheBreak } = ended;
  if (ended.outcome === "interrupted") {
    await interrupt();
    yield { type: "failed", failure: failure ?? stopped };
  } else if (stopReason === undefined) yield { type: "failed", failure: failure ?? stopped };
  else {
    const told = {
      ...(providerRequestId !== undefined && { providerRequestId }),
      ...(cacheBreak !== undefined && { cacheBreak }),
    };
    yield { type: "end", stopReason, usage, ...told };
  }
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
