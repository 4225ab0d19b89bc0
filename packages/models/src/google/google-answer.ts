/** Turns the bytes of a generateContent answer into model events. */

import { noUsage, type StopReason, type ToolCallBlock } from "@kedge/protocol";
import { createDeltaLearner, type LearnableDelta } from "../wire/delta-learner.ts";
import { createDeltaQueue, type DeltaTarget, reasoningTarget, textTarget } from "../wire/delta-queue.ts";
import { createFrameReader } from "../wire/frame-reader.ts";
import { namelessTool } from "../wire/nameless-tool.ts";
import type { WireAnswer } from "../wire/wire-answer.ts";
import { makeCallId } from "./google-call-id.ts";
import { type GoogleFrame, type GooglePart, parseGoogleFrame } from "./google-frame.ts";

type TextPart = Exclude<GooglePart, { readonly kind: "call" }>;

export function createGoogleAnswer(requestId: string): WireAnswer {
  const queue = createDeltaQueue();
  const deltas = createDeltaLearner(queue, parseGoogleFrame);
  const begun = new Set<TextPart["kind"]>();
  /** A call without arguments: only what follows tells whether the answer was cut off before them. */
  let held: ToolCallBlock | undefined;
  let callCount = 0;
  let responseId = "";
  let stopReason: StopReason | undefined;
  let usage = noUsage;
  let done = false;

  // There is no closing mark. The event that says why the answer ends tells the usage too, or a later one does.
  const isDone = () => done;
  const reader = createFrameReader({
    deltas,
    ignores: isDone,
    parse: parseGoogleFrame,
    read(frame, event) {
      read(frame);
      if (event !== undefined && stopReason === undefined && reader.problem() === undefined)
        deltas.learn(event, () => learnable(frame));
    },
  });

  function read(frame: GoogleFrame): void {
    if (frame.error !== undefined) {
      reader.fail({ kind: "vendor-error", error: frame.error });
      return;
    }
    responseId ||= frame.responseId;
    if (frame.usage !== undefined) usage = frame.usage;
    if (stopReason !== undefined) {
      done = frame.usage !== undefined;
      return;
    }
    for (const part of frame.parts) readPart(part);
    if (frame.blockReason !== undefined) conclude("refused");
    else if (frame.finishReason !== undefined) {
      releaseCall({ cutOff: frame.finishReason !== "STOP" });
      conclude(stopReasonOf(frame.finishReason, callCount > 0));
    }
    done = stopReason !== undefined && frame.usage !== undefined;
  }

  function readPart(part: GooglePart): void {
    releaseCall({ cutOff: false });
    if (part.kind === "call") readCall(part);
    else if (part.signature !== "") readSigned(part);
    else {
      begun.add(part.kind);
      queue.add(targetOf(part), part.text);
    }
  }

  /** A signature counts for its own part only, so the parts before it become a block without one. */
  function readSigned(part: TextPart): void {
    const { kind: block, text, signature } = part;
    queue.flush();
    if (begun.has(block)) queue.push({ type: "block-end", block });
    queue.add(targetOf(part), text);
    queue.flush();
    queue.push({ type: "block-end", block, signature });
  }

  function readCall(part: Extract<GooglePart, { readonly kind: "call" }>): void {
    const { id, name, inputText, cutOff, signature } = part;
    const tool = name || namelessTool;
    const callId = id === "" ? makeCallId(responseId || requestId, callCount) : id;
    callCount++;
    queue.flush();
    queue.push({ type: "tool-input-delta", callId, tool, text: inputText === "" ? "{}" : inputText });
    const call: ToolCallBlock = {
      type: "tool-call",
      callId,
      tool,
      inputText,
      ...(signature !== "" && { signature }),
      ...(cutOff && { incomplete: true }),
    };
    if (inputText === "" && !cutOff) held = call;
    else queue.push({ type: "tool-call", call });
  }

  function releaseCall({ cutOff }: { readonly cutOff: boolean }): void {
    if (held === undefined) return;
    const call: ToolCallBlock = cutOff ? { ...held, incomplete: true } : { ...held, inputText: "{}" };
    held = undefined;
    queue.push({ type: "tool-call", call });
  }

  function conclude(reason: StopReason): void {
    deltas.forget();
    queue.flush();
    stopReason = reason;
  }

  return {
    ...reader,
    take: queue.take,
    isDone,
    conclusion: () => (stopReason === undefined ? undefined : { stopReason, usage }),
  };
}

function stopReasonOf(finishReason: string, hasCalls: boolean): StopReason {
  switch (finishReason) {
    case "STOP":
      return hasCalls ? "tool-calls" : "end";
    case "MAX_TOKENS":
      return "output-limit";
    case "SAFETY":
    case "RECITATION":
    case "PROHIBITED_CONTENT":
    case "BLOCKLIST":
    case "SPII":
      return "refused";
    default:
      return "other";
  }
}

function targetOf({ kind }: TextPart): DeltaTarget {
  return kind === "text" ? textTarget : reasoningTarget;
}

function learnable(frame: GoogleFrame): LearnableDelta | undefined {
  const [part, ...others] = frame.parts;
  if (part === undefined || part.kind === "call" || part.signature !== "" || others.length > 0) return undefined;
  const frameWith = (text: string) => ({ ...frame, parts: [{ ...part, text }] });
  return { text: part.text, target: targetOf(part), frameWith };
}
