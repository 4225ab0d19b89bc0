/** Turns the bytes of a Chat Completions answer into model events. */
import { type ModelRequest, noUsage, type StopReason } from "@kedge/protocol";
import { createDeltaLearner, type LearnableDelta } from "../wire/delta-learner.ts";
import { createDeltaQueue, type DeltaTarget, reasoningTarget, textTarget } from "../wire/delta-queue.ts";
import { createFrameReader } from "../wire/frame-reader.ts";
import { createToolCallDrafts, type ToolDelta } from "../wire/tool-call-drafts.ts";
import type { WireAnswer } from "../wire/wire-answer.ts";
import { type ChatFrame, parseChatFrame } from "./chat-frame.ts";
import { createReasoningGathering } from "./returned-reasoning.ts";
import { withThinkSpans } from "./think-spans.ts";

const doneMark = "[DONE]";

export type ChatAnswerRequest = Pick<ModelRequest, "requestId" | "model">;

export function createChatAnswer({ requestId, model }: ChatAnswerRequest): WireAnswer {
  const returned = model.quirks?.includes("reasoning-returned") === true;
  return model.quirks?.includes("think-spans") === true
    ? withThinkSpans(readAnswer(requestId, { reasoningReturned: false }), { returned })
    : readAnswer(requestId, { reasoningReturned: returned });
}

/** With `reasoningReturned`, the vendor wants the reasoning before a call back, in the member it came in. */
function readAnswer(requestId: string, { reasoningReturned }: { readonly reasoningReturned: boolean }): WireAnswer {
  const drafts = createToolCallDrafts();
  const queue = createDeltaQueue();
  const deltas = createDeltaLearner(queue, parseChatFrame);
  const reasoning = createReasoningGathering({ textReturned: reasoningReturned });
  let reasoningGathered = false;
  let responseId = "";
  let done = false;
  let stopReason: StopReason | undefined;
  let usage = noUsage;
  let refused = false;
  let answered = false;
  /** The first choice that said something; vendors that were not asked for several may still number it otherwise. */
  let choice: number | undefined;

  const reader = createFrameReader({
    deltas,
    ignores: () => done,
    parse: (data) => (data === doneMark ? doneMark : parseChatFrame(data)),
    read(frame, event) {
      if (frame === doneMark) return finish();
      read(frame);
      if (event !== undefined && reader.problem() === undefined && stopReason === undefined)
        deltas.learn(event, () => learnable(frame, (delta) => drafts.find(delta, responseId).draft));
    },
  });

  function read(frame: ChatFrame): void {
    if (frame.error !== undefined) {
      reader.fail({ kind: "vendor-error", error: frame.error });
      return;
    }
    responseId ||= frame.responseId;
    if (frame.usage !== undefined) usage = frame.usage;
    if (choice === undefined && saysSomething(frame)) choice = frame.choice;
    if (choice !== undefined && choice !== frame.choice) return;
    refused ||= frame.refusal !== "";
    gatherReasoning(frame);
    if (frame.reasoning !== "") add(reasoningTarget, frame.reasoning);
    const said = frame.text + frame.refusal;
    if (said !== "") {
      closeReasoning();
      add(textTarget, said);
    }
    for (const delta of frame.toolDeltas) readToolDelta(delta);
    if (frame.finishReason !== undefined) conclude(frame.finishReason);
  }

  /** What is gathered must be closed before anything else is reported, so whatever comes next must be parsed. */
  function gatherReasoning({ reasoningMember, reasoningDetails }: ChatFrame): void {
    if (reasoningDetails.length === 0 && (!reasoningReturned || reasoningMember === undefined)) return;
    reasoning.add({ member: reasoningMember, details: reasoningDetails });
    if (!reasoningGathered) deltas.forget();
    reasoningGathered = true;
  }

  function closeReasoning(): void {
    const signature = reasoning.takeSignature();
    if (signature === undefined) return;
    reasoningGathered = false;
    deltas.forget();
    queue.flush();
    queue.push({ type: "block-end", block: "reasoning", signature });
  }

  function add(target: DeltaTarget, text: string): void {
    answered = true;
    queue.add(target, text);
  }

  function readToolDelta(delta: ToolDelta): void {
    const { draft, started } = drafts.find(delta, responseId || requestId);
    if (started) {
      answered = true;
      deltas.forget();
      queue.flush();
      closeReasoning();
      for (const call of drafts.closeBefore(draft)) queue.push({ type: "tool-call", call });
    }
    if (delta.inputText === "") return;
    if (!draft.closed) add(draft, delta.inputText);
    else if (delta.inputText.trim() !== "")
      reader.fail({ kind: "malformed", what: `more input for the finished tool call ${draft.callId}` });
  }

  function conclude(finishReason: string | undefined): void {
    deltas.forget();
    queue.flush();
    if (stopReason !== undefined) return;
    stopReason = refused ? "refused" : stopReasonOf(finishReason, drafts.all().length > 0);
    const cutOff = finishReason !== "tool_calls" && finishReason !== "stop";
    if (cutOff && drafts.all().some((draft) => draft.tool === "")) {
      reader.fail({ kind: "malformed", what: "a tool call without a name" });
      return;
    }
    closeReasoning();
    for (const call of drafts.closeAll({ cutOff })) queue.push({ type: "tool-call", call });
  }

  /** Some vendors close the stream but give no reason: what they sent counts, an empty answer does not. */
  function finish(): void {
    done = true;
    if (answered) conclude(undefined);
  }

  return {
    ...reader,
    pushWhole(text) {
      reader.pushWhole(text);
      finish();
    },
    take: queue.take,
    isDone: () => done,
    conclusion: () => (stopReason === undefined ? undefined : { stopReason, usage }),
  };
}

function saysSomething(frame: ChatFrame): boolean {
  const { text, reasoning, refusal, toolDeltas, finishReason } = frame;
  return text !== "" || reasoning !== "" || refusal !== "" || toolDeltas.length > 0 || finishReason !== undefined;
}

/** The one string this frame adds, when it adds nothing else and so can serve as a template. */
function learnable(frame: ChatFrame, callOf: (delta: ToolDelta) => DeltaTarget): LearnableDelta | undefined {
  if (frame.refusal !== "" || frame.reasoningDetails.length > 0 || frame.toolDeltas.length > 1) return undefined;
  const toolDelta = frame.toolDeltas[0];
  if (toolDelta === undefined) {
    if (frame.text !== "" && frame.reasoning === "")
      return { target: textTarget, text: frame.text, frameWith: (text) => ({ ...frame, text }) };
    if (frame.reasoning !== "" && frame.text === "")
      return { target: reasoningTarget, text: frame.reasoning, frameWith: (reasoning) => ({ ...frame, reasoning }) };
    return undefined;
  }
  if (frame.text !== "" || frame.reasoning !== "" || toolDelta.id !== "" || toolDelta.name !== "") return undefined;
  if (toolDelta.inputText === "") return undefined;
  const frameWith = (inputText: string) => ({ ...frame, toolDeltas: [{ ...toolDelta, inputText }] });
  return { target: callOf(toolDelta), text: toolDelta.inputText, frameWith };
}

function stopReasonOf(finishReason: string | undefined, hasCalls: boolean): StopReason {
  switch (finishReason) {
    case "stop":
      // Some vendors say so even when they ask for tools.
      return hasCalls ? "tool-calls" : "end";
    case "tool_calls":
      return "tool-calls";
    case "length":
      return "output-limit";
    case "content_filter":
      return "refused";
    default:
      return hasCalls ? "tool-calls" : "other";
  }
}
