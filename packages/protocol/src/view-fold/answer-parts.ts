/** The parts that an answer and its calls are shown as, in the order of the answer. */
import type { AssistantBlock } from "../content.ts";
import type { PartView } from "../view.ts";
import { type Folding, putPart } from "./folding.ts";
import { partIdOf } from "./view-ids.ts";
import type { ToolPart, ViewedStep } from "./view-state.ts";

/** The start of the step comes before everything that is answered. */
export const answerOrder = 1;

/** Adds pieces that were stored one after another to what they continue. A signature closes its block. */
export function joinPieces(
  content: readonly AssistantBlock[],
  appended: readonly AssistantBlock[],
): readonly AssistantBlock[] {
  const joined = [...content];
  for (const piece of appended) {
    const last = joined.at(-1);
    if (isText(piece) && last !== undefined && isText(last) && last.type === piece.type && !("signature" in last)) {
      joined[joined.length - 1] = { ...piece, text: last.text + piece.text };
    } else joined.push(piece);
  }
  return joined;
}

/**
 * Shows what is known of the answer. A call may start before the answer is stored, so parts can move until then; the
 * parts that this changes are put, and those that are too many are removed.
 */
export function showAnswer(folding: Folding, step: ViewedStep): void {
  const before = step.shown;
  const after = layOut(step, folding.record.time);
  for (const [index, part] of after.entries()) {
    if (!isSamePart(before[index], part)) putPart(folding, part);
  }
  for (const { messageId, id: partId } of before.slice(after.length)) {
    folding.changes.push({ kind: "part-removed", messageId, partId });
  }
  step.shown = after;
  const entry = folding.view.entries.get(step.message.id);
  if (entry !== undefined) entry.nextOrder = answerOrder + after.length;
}

/** Calls that the answer does not name, such as calls inside a call, come after it. */
function layOut(step: ViewedStep, time: number): readonly PartView[] {
  const { message, calls, shown } = step;
  const parts: PartView[] = [];
  const placed = new Set<string>();
  const place = (part: PartView) => {
    const id = partIdOf(message.id, answerOrder + parts.length);
    parts.push(part.id === id ? part : { ...part, id });
  };
  const placeCall = (part: ToolPart) => {
    place(part);
    placed.add(part.callId);
    const moved = parts.at(-1);
    if (moved?.type === "tool") calls.set(part.callId, moved);
  };
  for (const block of step.content) {
    if (block.type === "tool-call") {
      if (!placed.has(block.callId)) placeCall(calls.get(block.callId) ?? pendingPart(block, { message, time }));
    } else if (isText(block) && block.text !== "") {
      const { type, text } = block;
      const same = shown[parts.length];
      place({ type, text, id: "", messageId: message.id, time: same?.type === type ? same.time : time });
    }
  }
  for (const part of [...calls.values()]) {
    if (!placed.has(part.callId)) placeCall(part);
  }
  return parts;
}

type Named = { readonly callId: string; readonly tool: string; readonly inputText: string };

/** Without an id as long as it has no place. */
export function pendingPart(
  { callId, tool, inputText }: Named,
  at: Pick<ViewedStep, "message"> & { time: number },
): ToolPart {
  const state = { status: "pending", raw: inputText } as const;
  return { type: "tool", callId, tool, state, id: "", messageId: at.message.id, time: at.time };
}

function isSamePart(before: PartView | undefined, after: PartView): boolean {
  if (before === after) return true;
  if (before === undefined || !isText(before) || !isText(after)) return false;
  return before.id === after.id && before.type === after.type && before.text === after.text;
}

/** Also false for what a newer kedge may have written. */
function isText<Typed extends { readonly type: string }>(
  typed: Typed,
): typed is Extract<Typed, { type: "text" | "reasoning" }> {
  return typed.type === "text" || typed.type === "reasoning";
}
