/** Turns the bytes of a Messages answer into model events. */
import { noUsage, type StopReason, type Usage } from "@kedge/protocol";
import { createDeltaLearner, type LearnableDelta } from "../wire/delta-learner.ts";
import { createDeltaQueue, type DeltaTarget, reasoningTarget, textTarget } from "../wire/delta-queue.ts";
import { createEventSplitter, eventData } from "../wire/server-sent-events.ts";
import { createToolCallDrafts } from "../wire/tool-call-drafts.ts";
import type { AnswerProblem, WireAnswer } from "../wire/wire-answer.ts";
import { createAnthropicBlocks } from "./anthropic-blocks.ts";
import {
  type AnthropicBlock,
  type AnthropicDelta,
  type AnthropicFrame,
  parseAnthropicFrame,
} from "./anthropic-frame.ts";

export function createAnthropicAnswer(requestId: string): WireAnswer {
  const drafts = createToolCallDrafts();
  const queue = createDeltaQueue();
  const deltas = createDeltaLearner(queue);
  const blocks = createAnthropicBlocks(queue);
  let responseId = requestId;
  let problem: AnswerProblem | undefined;
  let done = false;
  let stopReason: StopReason | undefined;
  let usage: Usage = noUsage;
  let answered = false;

  const splitter = createEventSplitter({
    take: deltas.take,
    event(event) {
      const data = eventData(event)?.trim();
      if (data === undefined || data === "" || done || problem !== undefined) return;
      const frame = parseAnthropicFrame(data);
      if (frame === undefined) return fail({ kind: "malformed", what: "an event that is not a JSON object" });
      const target = read(frame);
      if (target !== undefined && problem === undefined && stopReason === undefined)
        deltas.learn(event, () => learnable(frame, target));
    },
    tooLarge: () => fail({ kind: "malformed", what: "an event that does not end" }),
  });

  function fail(found: AnswerProblem): void {
    problem ??= found;
    deltas.forget();
  }

  /** Returns what the frame added to, if it was a delta. */
  function read(frame: AnthropicFrame): DeltaTarget | undefined {
    switch (frame.kind) {
      case "start":
        responseId = frame.responseId || requestId;
        usage = { ...usage, ...frame.usage };
        return undefined;
      case "begin":
        begin(frame.index, frame.block);
        return undefined;
      case "delta":
        return readDelta(frame.index, frame.delta);
      case "block-stop":
        blocks.close();
        return undefined;
      case "stopping":
        usage = { ...usage, ...frame.usage };
        if (frame.stopReason !== undefined) conclude(frame.stopReason);
        return undefined;
      case "stop":
        finish();
        return undefined;
      case "whole":
        responseId = frame.responseId || requestId;
        usage = { ...usage, ...frame.usage };
        for (const [index, block] of frame.blocks.entries()) begin(index, block);
        if (frame.stopReason !== undefined) conclude(frame.stopReason);
        finish();
        return undefined;
      case "error":
        fail({ kind: "vendor-error", error: frame.error });
        return undefined;
      case "unused":
        return undefined;
    }
  }

  /** Blocks follow each other, so one that begins shows that the calls before it are whole. */
  function begin(index: number, block: AnthropicBlock): void {
    deltas.forget();
    if (block.kind === "call") {
      blocks.interrupt();
      startCall(index, block);
      return;
    }
    closeCalls({ cutOff: false });
    blocks.begin(index, block);
    if (block.kind === "text") add(textTarget, block.text);
    else if (block.kind === "reasoning") add(reasoningTarget, block.text);
    else answered = true;
  }

  function readDelta(index: number, delta: AnthropicDelta): DeltaTarget | undefined {
    switch (delta.kind) {
      case "text":
        return add(textTarget, delta.text);
      case "reasoning":
        return add(reasoningTarget, delta.text);
      case "input":
        return blocks.addInput(index, delta.text) ? undefined : addInput(index, delta.text);
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

  function add(target: DeltaTarget, text: string): DeltaTarget | undefined {
    if (text === "") return undefined;
    answered = true;
    if (target.kind !== "tool") blocks.continue(target.kind);
    queue.add(target, text);
    return target;
  }

  function startCall(index: number, { id, name, inputText }: Extract<AnthropicBlock, { kind: "call" }>): void {
    if (name === "") {
      fail({ kind: "malformed", what: "a tool call without a name" });
      return;
    }
    const { draft } = drafts.find({ index, id, name, inputText: "" }, responseId);
    answered = true;
    queue.flush();
    for (const call of drafts.closeBefore(draft)) queue.push({ type: "tool-call", call });
    add(draft, inputText);
  }

  function closeCalls(options: { readonly cutOff: boolean }): void {
    queue.flush();
    for (const call of drafts.closeAll(options)) queue.push({ type: "tool-call", call });
  }

  function addInput(index: number, text: string): DeltaTarget | undefined {
    const { draft, started } = drafts.find({ index, id: "", name: "", inputText: text }, responseId);
    if (!started && !draft.closed) return add(draft, text);
    if (started) fail({ kind: "malformed", what: "input for a tool call that never began" });
    else if (text.trim() !== "")
      fail({ kind: "malformed", what: `more input for the finished tool call ${draft.callId}` });
    return undefined;
  }

  function conclude(reason: string | undefined): void {
    deltas.forget();
    blocks.close();
    queue.flush();
    if (stopReason !== undefined) return;
    stopReason = stopReasonOf(reason, drafts.all().length > 0);
    closeCalls({ cutOff: reason !== "tool_use" && reason !== "end_turn" });
  }

  /** An answer without a reason for stopping counts if it says something; an empty one does not. */
  function finish(): void {
    done = true;
    if (answered) conclude(undefined);
  }

  return {
    push: splitter.push,
    pushWhole(text) {
      const frame = parseAnthropicFrame(text);
      if (frame === undefined) return fail({ kind: "malformed", what: "a body that is not a JSON object" });
      read(frame);
    },
    pushEnd() {
      const data = done || problem !== undefined ? undefined : eventData(splitter.rest())?.trim();
      if (data === undefined) return;
      // An event cut off in the middle is no JSON; that the stream broke is reported by whoever saw it end.
      const frame = parseAnthropicFrame(data);
      if (frame !== undefined) read(frame);
    },
    take: queue.take,
    problem: () => problem,
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

function learnable(frame: AnthropicFrame, target: DeltaTarget): LearnableDelta | undefined {
  if (frame.kind !== "delta" || !("text" in frame.delta)) return undefined;
  const { delta } = frame;
  return {
    text: delta.text,
    target,
    reads: (probe, text) => {
      const probed = parseAnthropicFrame(eventData(probe) ?? "");
      return JSON.stringify(probed) === JSON.stringify({ ...frame, delta: { ...delta, text } });
    },
  };
}
