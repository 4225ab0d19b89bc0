/** The parts of an answer while it streams: what the deltas say beyond what is stored, and when that is over. */
import type { AssistantBlock } from "../content.ts";
import type { Fact } from "../facts/facts.ts";
import type { PartView, ViewChange } from "../view.ts";
import { answerOrder } from "../view-fold/answer-parts.ts";
import { partIdOf } from "../view-fold/view-ids.ts";
import type { ViewedStep, ViewState } from "../view-fold/view-state.ts";
import type { SignalOf } from "../wire/signals.ts";
import type { ViewEvent } from "./view-event.ts";

type Block =
  | { readonly type: "text" | "reasoning"; text: string }
  | { readonly type: "tool"; readonly callId: string; readonly tool: string; text: string };

/** Owned and changed by the functions of this file. */
export type Streamed = {
  /** The step whose deltas were all seen; of another one they would have holes. */
  stepId: string | undefined;
  /** What the deltas said and no stored fact did yet. */
  pending: Block[];
  /** Parts that the client has otherwise than the fold. The next change of the answer sends them whole. */
  readonly touched: Set<string>;
};

export type Delta = SignalOf<"text.delta" | "reasoning.delta" | "tool.input.delta">;

export function emptyStreamed(): Streamed {
  return { stepId: undefined, pending: [], touched: new Set() };
}

/** Its deltas are shown no more. */
export function loseStream(streamed: Streamed): void {
  streamed.stepId = undefined;
  streamed.pending = [];
}

export function showDelta(view: ViewState, streamed: Streamed, delta: Delta, time: number): readonly ViewEvent[] {
  const { step } = view;
  // The fold shows no empty texts.
  if (delta.text === "") return [];
  if (step === undefined || step.stepId !== delta.stepId || streamed.stepId !== delta.stepId || step.isAnswered) {
    return [];
  }
  const block = addToPending(streamed, delta);
  const piece = layOver(step, streamed.pending, time).find((laid) => laid.block === block);
  return piece === undefined ? [] : showPiece(streamed, piece, delta.text);
}

/** What has to be said again after a fact, so that the client has the parts of the fold and what streamed beyond them. */
export function settleStream(
  view: ViewState,
  streamed: Streamed,
  after: {
    readonly fact: Fact;
    readonly time: number;
    readonly changes: readonly ViewChange[];
    readonly before: { readonly step: ViewedStep | undefined; readonly shown: readonly PartView[] };
  },
): readonly ViewEvent[] {
  const { fact, time, changes, before } = after;
  const { step } = view;
  const isOver = step !== before.step || step?.isAnswered === true;
  const isStored = fact.type === "step.progressed" && fact.stepId === streamed.stepId;
  if (isStored && !takeStored(streamed.pending, fact.appended)) loseStream(streamed);
  if (isOver) loseStream(streamed);
  const events: ViewEvent[] = [];
  if (isOver || isStored || step?.shown !== before.shown) {
    events.push(...sendTouched(streamed, changes, before));
    for (const piece of step === undefined ? [] : layOver(step, streamed.pending, time)) {
      events.push(...showPiece(streamed, piece, piece.block.text));
    }
  }
  if (fact.type === "step.started") streamed.stepId = fact.stepId;
  return events;
}

function sendTouched(
  { touched }: Streamed,
  changes: readonly ViewChange[],
  before: { readonly step: ViewedStep | undefined; readonly shown: readonly PartView[] },
): readonly ViewEvent[] {
  const sent = new Set(
    changes.flatMap((change) =>
      change.kind === "part" ? change.part.id : change.kind === "part-removed" ? change.partId : [],
    ),
  );
  const events = [...touched].flatMap((partId): readonly ViewEvent[] => {
    if (sent.has(partId) || before.step === undefined) return [];
    const part = before.shown.find(({ id }) => id === partId);
    if (part !== undefined) return [{ type: "message.part.updated", part }];
    return [{ type: "message.part.removed", messageId: before.step.message.id, partId }];
  });
  touched.clear();
  return events;
}

function addToPending({ pending }: Streamed, delta: Delta): Block {
  const { text } = delta;
  const last = pending.at(-1);
  if (delta.type === "tool.input.delta") {
    const { callId, tool } = delta;
    // Inputs of calls that are asked for at once come in turns.
    const known = pending.find((block) => block.type === "tool" && block.callId === callId);
    if (known !== undefined) return grown(known, text);
    pending.push({ type: "tool", callId, tool, text });
  } else {
    const type = delta.type === "text.delta" ? "text" : "reasoning";
    if (last?.type === type) return grown(last, text);
    pending.push({ type, text });
  }
  // It was pushed just now.
  return pending.at(-1) as Block;
}

function grown(block: Block, text: string): Block {
  block.text += text;
  return block;
}

type Piece = { readonly block: Block; readonly part: PartView; readonly isNew: boolean };

/**
 * The place of each pending block behind the parts that are shown: the one that the fold will give it. Calls that
 * started before the answer names them stand in the way until it does.
 */
function layOver(step: ViewedStep, pending: readonly Block[], time: number): readonly Piece[] {
  const { shown, content } = step;
  if (pending.length === 0 || shown.some((part) => part.type === "tool" && !names(content, part.callId))) return [];
  const pieces: Piece[] = [];
  let order = answerOrder + shown.length;
  for (const block of pending) {
    const last = shown.at(-1);
    if (pieces.length === 0 && last !== undefined && continues(content.at(-1), block)) {
      pieces.push({ block, part: last, isNew: false });
      continue;
    }
    const place = { id: partIdOf(step.message.id, order), messageId: step.message.id, time };
    pieces.push({ block, part: emptyPart(block, place), isNew: true });
    order += 1;
  }
  return pieces;
}

function names(content: readonly AssistantBlock[], callId: string): boolean {
  return content.some((block) => block.type === "tool-call" && block.callId === callId);
}

function continues(last: AssistantBlock | undefined, block: Block): boolean {
  if (last?.type !== "text" && last?.type !== "reasoning") return false;
  return last.type === block.type && last.text !== "" && !("signature" in last);
}

function emptyPart(block: Block, place: Pick<PartView, "id" | "messageId" | "time">): PartView {
  if (block.type !== "tool") return { type: block.type, text: "", ...place };
  const { callId, tool } = block;
  return { type: "tool", callId, tool, state: { status: "pending", raw: "" }, ...place };
}

function showPiece({ touched }: Streamed, { part, block, isNew }: Piece, delta: string): readonly ViewEvent[] {
  const isFirst = isNew && !touched.has(part.id);
  touched.add(part.id);
  const field = block.type === "tool" ? "raw" : "text";
  const { id: partId, messageId } = part;
  const event = { type: "message.part.delta", messageId, partId, field, delta } as const;
  return isFirst ? [{ type: "message.part.updated", part }, event] : [event];
}

/** Takes what is stored now out of what was pending. False when the two do not agree. */
function takeStored(pending: Block[], stored: readonly AssistantBlock[]): boolean {
  for (const block of stored) {
    if (block.type === "tool-call") {
      const index = pending.findIndex((held) => held.type === "tool" && held.callId === block.callId);
      if (index >= 0) pending.splice(index, 1);
    } else if (block.type === "text" || block.type === "reasoning") {
      if (!takeText(pending, block.type, block.text)) return false;
    }
  }
  return true;
}

function takeText(pending: Block[], type: "text" | "reasoning", stored: string): boolean {
  let text = stored;
  while (text !== "") {
    const head = pending[0];
    if (head?.type !== type) return false;
    if (head.text.startsWith(text)) {
      head.text = head.text.slice(text.length);
      text = "";
    } else if (text.startsWith(head.text)) {
      text = text.slice(head.text.length);
      head.text = "";
    } else return false;
    if (head.text === "") pending.shift();
  }
  return true;
}
