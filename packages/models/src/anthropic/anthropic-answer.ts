/** Turns the bytes of a Messages answer into model events. */
import type { Buffer } from "node:buffer";
import { noUsage, type StopReason, type Usage } from "@kedge/protocol";
import { createDeltaLearner, type LearnableDelta } from "../wire/delta-learner.ts";
import { createDeltaQueue, type DeltaTarget, reasoningTarget, textTarget } from "../wire/delta-queue.ts";
import { createFrameReader } from "../wire/frame-reader.ts";
import type { WireAnswer } from "../wire/wire-answer.ts";
import { createAnthropicBlocks } from "./anthropic-blocks.ts";
import { createAnthropicCalls } from "./anthropic-calls.ts";
import {
  type AnthropicBlock,
  type AnthropicDelta,
  type AnthropicFrame,
  parseAnthropicFrame,
} from "./anthropic-frame.ts";

type DeltaFrame = Extract<AnthropicFrame, { readonly kind: "delta" }>;

export function createAnthropicAnswer(requestId: string): WireAnswer {
  const queue = createDeltaQueue();
  const deltas = createDeltaLearner(queue, parseAnthropicFrame);
  const blocks = createAnthropicBlocks(queue);
  let responseId = requestId;
  let done = false;
  let stopReason: StopReason | undefined;
  let usage: Usage = noUsage;
  let answered = false;

  const calls = createAnthropicCalls(queue, (what) => reader.fail({ kind: "malformed", what }));
  const reader = createFrameReader({
    deltas,
    ignores: () => done,
    parse: parseAnthropicFrame,
    read(frame, event) {
      switch (frame.kind) {
        case "start":
          responseId = frame.responseId || requestId;
          usage = { ...usage, ...frame.usage };
          return;
        case "begin":
          return begin(frame.index, frame.block);
        case "delta":
          return readDelta(frame, event);
        case "block-stop":
          return blocks.close();
        case "stopping":
          usage = { ...usage, ...frame.usage };
          if (frame.stopReason !== undefined) conclude(frame.stopReason);
          return;
        case "stop":
          return finish();
        case "whole":
          responseId = frame.responseId || requestId;
          usage = { ...usage, ...frame.usage };
          for (const [index, block] of frame.blocks.entries()) begin(index, block);
          if (frame.stopReason !== undefined) conclude(frame.stopReason);
          return finish();
        case "error":
          return reader.fail({ kind: "vendor-error", error: frame.error });
        case "unused":
          return;
      }
    },
  });

  /** Blocks follow each other, so one that begins shows that the calls before it are whole. */
  function begin(index: number, block: AnthropicBlock): void {
    deltas.forget();
    if (block.kind === "call") {
      blocks.interrupt();
      calls.begin({ index, ...block }, responseId);
      return;
    }
    calls.close({ cutOff: false });
    blocks.begin(index, block);
    if (block.kind === "vendor") answered = true;
    else add(block.kind, block.text);
  }

  function readDelta(frame: DeltaFrame, event: Buffer | undefined): void {
    const target = addDelta(frame.index, frame.delta);
    if (event === undefined || target === undefined || reader.problem() !== undefined || stopReason !== undefined)
      return;
    deltas.learn(event, () => learnable(frame, target));
  }

  /** Returns what the delta added to. */
  function addDelta(index: number, delta: AnthropicDelta): DeltaTarget | undefined {
    switch (delta.kind) {
      case "text":
      case "reasoning":
        return add(delta.kind, delta.text);
      case "input":
        return blocks.addInput(index, delta.text) ? undefined : calls.addInput(index, delta.text);
      case "signature":
        blocks.sign(delta.signature);
        return undefined;
      case "citation":
        blocks.cite(delta.citation);
        return undefined;
      case "unknown":
        blocks.spoil(index);
        return undefined;
    }
  }

  function add(kind: "text" | "reasoning", text: string): DeltaTarget | undefined {
    if (text === "") return undefined;
    answered = true;
    blocks.continue(kind);
    const target = kind === "text" ? textTarget : reasoningTarget;
    queue.add(target, text);
    return target;
  }

  function conclude(reason: string | undefined): void {
    deltas.forget();
    blocks.close();
    queue.flush();
    if (stopReason !== undefined) return;
    stopReason = stopReasonOf(reason, calls.hasAny());
    calls.close({ cutOff: reason !== "tool_use" && reason !== "end_turn" });
  }

  /** An answer without a reason for stopping counts if it says something; an empty one does not. */
  function finish(): void {
    done = true;
    if (answered || calls.hasAny()) conclude(undefined);
  }

  return {
    ...reader,
    take: queue.take,
    isDone: () => done,
    conclusion: () => (stopReason === undefined ? undefined : { stopReason, usage }),
  };
}

function stopReasonOf(reason: string | undefined, hasCalls: boolean): StopReason {
  switch (reason) {
    case "end_turn":
    case "stop_sequence":
      // Services that imitate this wire say so even when they ask for tools.
      return hasCalls ? "tool-calls" : "end";
    case "tool_use":
      return "tool-calls";
    case "pause_turn":
      // What waits for results of ours cannot go on without them.
      return hasCalls ? "tool-calls" : "paused";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "output-limit";
    case "refusal":
      return "refused";
    case undefined:
      return hasCalls ? "tool-calls" : "other";
    default:
      return "other";
  }
}

function learnable(frame: DeltaFrame, target: DeltaTarget): LearnableDelta | undefined {
  const { delta } = frame;
  if (!("text" in delta)) return undefined;
  return { text: delta.text, target, frameWith: (text) => ({ ...frame, delta: { ...delta, text } }) };
}
