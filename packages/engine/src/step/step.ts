/** One model call: streams an answer, hands its calls to the executor, and records how the answer ended. */
import {
  type AssistantBlock,
  type Cost,
  type Failure,
  type Model,
  type ModelEvent,
  type ModelRequest,
  noUsage,
  type Provider,
  type Retry,
  type StopReason,
  type Usage,
} from "@kedge/protocol";
import type { Executor } from "../call/executor.ts";
import type { Journal } from "../journal.ts";
import type { Clock } from "../parts.ts";
import { createAnswerBlocks } from "./answer-blocks.ts";
import { createAnswerCallIds } from "./answer-call-ids.ts";

/** While an answer streams longer than this, what is new is stored at most this often. */
const progressEveryMs = 500;

export type StepParts = {
  readonly journal: Journal;
  readonly provider: Provider;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly cost: (model: Model, usage: Usage) => Cost;
  readonly redact: (text: string) => string;
  /** Told once for each call that begins to arrive. */
  readonly onToolNamed: (tool: string) => void;
  /** True when an answer cut off by our own limit will be asked for again, and must leave no trace in the conversation. */
  readonly dropCutOff: boolean;
  /** The window of the model, when an answer that fills it will be asked for again in a shorter conversation. */
  readonly windowTokens?: number;
};

export type Answer = {
  readonly outcome: "answered" | "failed" | "interrupted";
  readonly content: readonly AssistantBlock[];
  readonly usage: Usage;
  readonly cost: Cost;
  readonly stopReason?: StopReason;
  readonly failure?: Failure;
  /** Resolves when `step.ended` is stored. */
  readonly stored: Promise<void>;
};

type LastEvent = Extract<ModelEvent, { type: "end" | "failed" }>;

/** Never throws for model reasons; a failure to store rejects. */
export async function streamStep(
  parts: StepParts,
  stepId: string,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const { journal, executor, clock } = parts;
  const { sessionId } = journal.state;
  const startedAt = clock.monotonicMs();
  const blocks = createAnswerBlocks();
  const callIds = createAnswerCallIds();
  const retries: Retry[] = [];
  let storedAt = startedAt;
  let progress: Promise<void> | undefined;
  let last: LastEvent | undefined;
  let namedCall: string | undefined;

  for await (const event of parts.provider.stream(request, signal)) {
    switch (event.type) {
      case "text-delta":
        blocks.append("text", event.text);
        journal.signal({ type: "text.delta", sessionId, stepId, text: event.text });
        break;
      case "reasoning-delta":
        blocks.append("reasoning", event.text);
        journal.signal({ type: "reasoning.delta", sessionId, stepId, text: event.text });
        break;
      case "block-end":
        blocks.close(event.block, event.signature);
        break;
      case "tool-input-delta": {
        const { tool, text } = event;
        const callId = callIds.arriving(event.callId);
        if (callId !== namedCall) {
          namedCall = callId;
          parts.onToolNamed(tool);
        }
        journal.signal({ type: "tool.input.delta", sessionId, stepId, callId, tool, text });
        break;
      }
      case "tool-call": {
        const callId = callIds.arrived(event.call.callId);
        const call = callId === event.call.callId ? event.call : { ...event.call, callId };
        blocks.add(call);
        executor.offer(call);
        break;
      }
      case "vendor-block":
        blocks.add(event.block);
        break;
      case "retrying": {
        const { type: _, failure: raw, ...attempt } = event;
        const failure = redacted(raw, parts.redact);
        retries.push(retryOf(event));
        const until = clock.now() + attempt.delayMs;
        journal.signal({ type: "step.retrying", sessionId, stepId, ...attempt, until, failure });
        break;
      }
      case "stalled":
        journal.signal({ type: "step.stalling", sessionId, stepId, idleMs: event.idleMs });
        break;
      case "notice":
        journal.signal({ type: "notice", sessionId, text: parts.redact(event.text) });
        break;
      case "end":
      case "failed":
        last = event;
        break;
    }
    if (last !== undefined) continue;
    const now = clock.monotonicMs();
    if (now - storedAt >= progressEveryMs) {
      storedAt = now;
      const appended = blocks.takeAppended();
      if (appended.length > 0) {
        progress = journal.emit({ type: "step.progressed", stepId, appended });
        // The stream goes on meanwhile; a failed write surfaces with `step.ended`, which the same disk refuses.
        progress.catch(() => undefined);
      }
    }
  }

  const ended = endOf(last, parts);
  const usage = last?.type === "end" ? last.usage : noUsage;
  const cost = parts.cost(request.model, usage);
  const content = blocks.all();
  const stored = journal.emit({
    type: "step.ended",
    stepId,
    content,
    usage,
    cost,
    ...ended,
    ...(last?.type === "end" && last.providerRequestId !== undefined && { providerRequestId: last.providerRequestId }),
    ...(last?.type === "end" && last.cacheBreak !== undefined && { cacheBreak: last.cacheBreak }),
    ...(retries.length > 0 && { retries }),
    durationMs: Math.round(clock.monotonicMs() - startedAt),
  });
  // Calls with side effects wait for the journal themselves, and it refuses them once a write has failed.
  stored.catch(() => undefined);
  if (ended.outcome === "answered") executor.release();
  else executor.discard();
  return { ...ended, content, usage, cost, stored };
}

function endOf(
  last: LastEvent | undefined,
  { redact, dropCutOff, windowTokens }: StepParts,
): Pick<Answer, "outcome" | "stopReason" | "failure"> {
  if (last === undefined) throw new Error("a provider ended its stream without `end` or `failed`");
  if (last.type === "end") {
    const { stopReason, usage } = last;
    if (stopReason === "output-limit" && windowTokens !== undefined && fillsWindow(usage, windowTokens)) {
      return { outcome: "failed", stopReason, failure: fullWindow };
    }
    if (stopReason !== "output-limit" || !dropCutOff) return { outcome: "answered", stopReason };
    return { outcome: "failed", stopReason, failure: cutOff };
  }
  if (last.failure.code === "aborted") return { outcome: "interrupted", failure: last.failure };
  return { outcome: "failed", failure: redacted(last.failure, redact) };
}

/** Where less than this fits beside the conversation, no larger limit helps an answer. */
const outputTokensMin = 8_000;

function fillsWindow({ input, cacheRead, cacheWrite }: Usage, windowTokens: number): boolean {
  const least = Math.min(outputTokensMin, windowTokens / 4);
  return windowTokens - input - cacheRead - cacheWrite < least;
}

/** What is surfaced when an answer stays too long, whatever was tried. */
export const cutOff: Failure = {
  code: "max_output_tokens",
  message: "The answer was truncated at the output token limit.",
  recovery: "Ask the model to continue, or raise the model's output limit in your settings.",
  retryable: false,
};

/** The answer ended because conversation and answer together fill the window. */
export const fullWindow: Failure = {
  code: "max_output_tokens",
  message: "The conversation leaves no room for an answer in the model's context.",
  recovery: "Run /compact or start a new session.",
  retryable: false,
};

function redacted(failure: Failure, redact: (text: string) => string): Failure {
  return { ...failure, message: redact(failure.message) };
}

function retryOf({ attempt, delayMs, failure }: Extract<ModelEvent, { type: "retrying" }>): Retry {
  const { code, status } = failure;
  return { attempt, code, ...(status !== undefined && { status }), delayMs };
}
