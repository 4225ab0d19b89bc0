/** Moves in the tree of a session: to another place, and names for places. Nothing is ever deleted by them. */
import {
  type BranchSummaryWish,
  type CommandAnswer,
  type CommandOf,
  type FactOf,
  type Failure,
  messageIdOf,
  type SessionState,
  type TreeItem,
} from "@kedge/protocol";
import type { BranchWish } from "../compaction/branch-summary.ts";
import type { Journal } from "../journal.ts";
import { askToMove, type OutsideMove } from "../moments/outside-move.ts";
import type { SessionParts } from "./session-parts.ts";
import { unknownEntry } from "./stored-sessions.ts";

const labelCharactersMax = 80;

export type MoveWish = Pick<CommandOf<"leaf.move">, "entryId" | "summary">;

/**
 * A prompt is chosen to be said again: the conversation goes on before it. Everything else is gone on from. Until a
 * summary that is wished for is written, everything is as it was.
 */
export async function moveLeaf(
  session: SessionParts,
  { entryId: named, summary = "none" }: MoveWish,
  signal: AbortSignal,
): Promise<CommandAnswer<"leaf.move">> {
  const { journal } = session;
  const { state } = journal;
  const entryId = named === undefined ? undefined : entryOf(state, named);
  const entry = entryId === undefined ? undefined : state.tree.get(entryId);
  if (entryId !== undefined && entry === undefined) return unknownEntry(entryId);
  const leafId = entry?.item.type === "prompt" ? placeBefore(state, entry.item.id) : entryId;
  const said = entry?.item.type === "prompt" ? { promptText: entry.item.text } : {};
  const target = leafId === undefined ? {} : { leafId };
  if (leafId === state.leaf) return { ok: true, value: { ...target, ...said } };
  const outside = await movedFrom(session, leafId, summary !== "none", signal);
  if (signal.aborted) return { ok: false, failure: stopped };
  if ("failure" in outside) return { ok: false, failure: outside.failure };
  const record =
    summary === "none" && outside.made === undefined
      ? ({ ok: true, facts: [] } as const)
      : await recordOf(session, leafId, { summary, ...outside }, signal);
  if (!record.ok) return record;
  await journal.emit({ type: "leaf.moved", ...target } satisfies FactOf<"leaf.moved">, ...record.facts);
  const leaf = record.facts[0]?.messageId;
  return { ok: true, value: { ...target, ...(leaf !== undefined && { leafId: leaf }), ...said } };
}

async function movedFrom(
  { engine, journal }: SessionParts,
  toLeafId: string | undefined,
  wantsSummary: boolean,
  signal: AbortSignal,
): Promise<OutsideMove> {
  if ((engine.sessionMoments ?? []).length === 0) return {};
  const { leaf } = journal.state;
  const places = { ...(leaf !== undefined && { fromLeafId: leaf }), ...(toLeafId !== undefined && { toLeafId }) };
  return askToMove({ engine, journal }, { ...places, wantsSummary }, signal);
}

/** Also before what the model was told because of the prompt. */
function placeBefore({ undoPoints, shelvedPoints, tree }: SessionState, promptId: string): string | undefined {
  const point = undoPoints.find((known) => known.promptId === promptId) ?? shelvedPoints.get(promptId);
  return point === undefined ? tree.get(promptId)?.parent : point.parent;
}

/** Clients that show messages know places by them: an answer stands for its last results. Other names stay as they are. */
function entryOf({ tree }: SessionState, id: string): string {
  if (tree.has(id)) return id;
  return [...tree.values()].findLast(({ item }) => ownerOf(item) === id)?.item.id ?? id;
}

type Recorded =
  | { readonly ok: true; readonly facts: readonly FactOf<"message.added">[] }
  | { readonly ok: false; readonly failure: Failure };

type RecordWish = { readonly summary: BranchSummaryWish; readonly made?: BranchWish["made"] };

/** The summary of the branch that is left, for the new place. A summary from outside needs no model and no setting. */
async function recordOf(
  { engine, journal, care }: SessionParts,
  targetId: string | undefined,
  { summary: wish, made }: RecordWish,
  signal: AbortSignal,
): Promise<Recorded> {
  const settings = engine.conversation?.branchSummary;
  if (settings === undefined && made === undefined) return { ok: false, failure: summariesOff };
  const found = await engine.models.find(journal.state.model);
  if (!found.ok) return found;
  const { reserveTokens } = settings ?? { reserveTokens: 0 };
  const instructions = typeof wish === "object" ? { instructions: wish.instructions } : {};
  const outcome = await care.summariseBranch(
    { targetId, model: found.model, reserveTokens, ...instructions, ...(made !== undefined && { made }) },
    signal,
  );
  switch (outcome.kind) {
    case "summarised":
      return { ok: true, facts: [outcome.record] };
    case "nothing":
      return { ok: true, facts: [] };
    case "aborted":
      return { ok: false, failure: stopped };
    case "failed":
      return { ok: false, failure: outcome.failure };
  }
}

const summariesOff: Failure = {
  code: "invalid_command",
  message: "Branch summaries are disabled.",
  recovery: "Set branchSummary.enabled to true, or move without one.",
  retryable: false,
};

const stopped: Failure = {
  code: "aborted",
  message: "Canceled. You are still on the same branch.",
  retryable: true,
};

/** An answer goes with the results of its calls, which would mean nothing without it. */
export async function removeMessage(journal: Journal, messageId: string): Promise<CommandAnswer<"message.remove">> {
  const entryIds = journal.state.items.flatMap((item) => (ownerOf(item) === messageId ? [item.id] : []));
  if (entryIds.length === 0) {
    const message = `Message ${messageId} is not in the model's context.`;
    return { ok: false, failure: { code: "not_found", message, retryable: false } };
  }
  await journal.emit({ type: "message.removed", messageId, entryIds });
  return { ok: true, value: {} };
}

/** Undefined for what stands for other messages, or belongs to no message alone. */
function ownerOf(item: TreeItem): string | undefined {
  if (item.type === "released") return item.step && messageIdOf(item.step.stepId);
  if (item.type === "answer" || item.type === "results") return messageIdOf(item.stepId);
  return item.type === "prompt" || item.type === "record" ? messageIdOf(item.id) : undefined;
}

export async function labelEntry(
  journal: Journal,
  named: string,
  label: string | undefined,
): Promise<CommandAnswer<"entry.label">> {
  const entryId = entryOf(journal.state, named);
  if (!journal.state.tree.has(entryId)) return unknownEntry(entryId);
  const name = label?.trim().slice(0, labelCharactersMax);
  const given = name === undefined || name === "" ? {} : { label: name };
  await journal.emit({ type: "entry.labelled", entryId, ...given });
  return { ok: true, value: {} };
}
