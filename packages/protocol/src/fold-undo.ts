/** The part of the fold that undo is made of: which files each prompt changed, and what was taken back. */
import type { FactOf } from "./facts.ts";
import type { SessionState } from "./session-state.ts";

export function markUnfinished(state: SessionState, snapshot: string): void {
  const point = state.undoPoints.at(-1);
  if (point === undefined || point.unfinished !== undefined) return;
  state.undoPoints[state.undoPoints.length - 1] = { ...point, unfinished: snapshot };
}

export function recordChanges(state: SessionState, fact: FactOf<"files.changed">): void {
  const point = state.undoPoints.at(-1);
  if (point === undefined) return;
  const { unfinished: _, ...settled } = point;
  state.undoPoints[state.undoPoints.length - 1] = {
    ...settled,
    changes: [...point.changes, { before: fact.before, files: fact.files }],
  };
}

export function revert(state: SessionState, fact: FactOf<"session.reverted">): void {
  const index = state.undoPoints.findIndex((point) => point.promptId === fact.promptId);
  const point = state.undoPoints[index];
  if (point === undefined) return;
  state.reverts.push({
    promptId: fact.promptId,
    snapshot: fact.snapshot,
    files: fact.files,
    items: state.items,
    undoPoints: state.undoPoints,
    ...(state.checkpoint !== undefined && { checkpoint: state.checkpoint }),
  });
  state.items = point.itemsThen?.slice() ?? state.items.slice(0, point.itemsBefore);
  state.undoPoints = state.undoPoints.slice(0, index);
  state.checkpoint = point.checkpoint;
}

export function unrevert(state: SessionState, fact: FactOf<"session.unreverted">): void {
  const newest = state.reverts.at(-1);
  if (newest?.promptId !== fact.promptId) return;
  state.reverts = state.reverts.slice(0, -1);
  state.items = [...newest.items];
  state.undoPoints = [...newest.undoPoints];
  state.checkpoint = newest.checkpoint;
}
