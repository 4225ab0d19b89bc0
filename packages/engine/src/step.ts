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
  type StopReason,
  type Usage,
} from "@kedge/protocol";
import { createAnswerBlocks } from "./answer-blocks.ts";
import type { Executor } from "./executor.ts";
import type { Journal } from "./journal.ts";
import type { Clock } from "./parts.ts";

/** While an answer streams longer than this, what is new is stored at most this often. */
const progressEveryMs = 500;

export type StepParts = {
  readonly journal: Journal;
  readonly provider: Provider;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly cost: (model: Model, usage: Usage) => Cost;
  readonly redact: (text: string) => string;
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
  let storedAt = startedAt;
  let progress: Promise<void> | undefined;
  let last: Extract<ModelEvent, { type: "end" | "failed" }> | undefined;

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
      case "tool-input-delta": {
        const { callId, tool, text } = event;
        journal.signal({ type: "tool.input.delta", sessionId, stepId, callId, tool, text });
        break;
      }
      case "tool-call":
        blocks.addCall(event.call);
        executor.offer(event.call);
        break;
      case "end":
      case "failed":
        last = event;
        break;
    }
    const now = clock.monotonicMs();
    if (last === undefined && now - storedAt >= progressEveryMs) {
      storedAt = now;
      const appended = blocks.takeAppended();
      if (appended.length > 0) {
        progress = journal.emit({ type: "step.progressed", stepId, appended });
        // The stream goes on meanwhile; a failed write surfaces with `step.ended`, which the same disk refuses.
        progress.catch(() => undefined);
      }
    }
  }

  const ended = endOf(last, parts.redact);
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
    durationMs: Math.round(clock.monotonicMs() - startedAt),
  });
  // Calls with side effects wait for the journal themselves, and it refuses them once a write has failed.
  stored.catch(() => undefined);
  if (ended.outcome === "answered") executor.release();
  else executor.discard();
  return { ...ended, content, usage, cost, stored };
}

function endOf(
  last: Extract<ModelEvent, { type: "end" | "failed" }> | undefined,
  redact: (text: string) => string,
): Pick<Answer, "outcome" | "stopReason" | "failure"> {
  if (last === undefined) throw new Error("a provider ended its stream without `end` or `failed`");
  if (last.type === "end") return { outcome: "answered", stopReason: last.stopReason };
  if (last.failure.code === "aborted") return { outcome: "interrupted", failure: last.failure };
  return { outcome: "failed", failure: { ...last.failure, message: redact(last.failure.message) } };
}
