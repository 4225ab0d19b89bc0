/** The part of the fold that undo is made of: which files each prompt changed, and what was taken back. */
import type { FactOf } from "./facts.ts";
import { shelve, showFrom } from "./fold-tree.ts";
import type { SessionState, StepChanges, UndoPoint } from "./session-state.ts";

export function markUnfinished(state: SessionState, snapshot: string): void {
  const point = state.undoPoints.at(-1);
  if (point === undefined || point.unfinished !== undefined) return;
  state.undoPoints[state.undoPoints.length - 1] = { ...point, unfinished: snapshot };
}

/** The step is over and has told all it changed; what changes from here on is not its work. */
export function forgetUnfinished(state: SessionState): void {
  const point = state.undoPoints.at(-1);
  if (point?.unfinished === undefined) return;
  const { unfinished: _, ...settled } = point;
  state.undoPoints[state.undoPoints.length - 1] = settled;
}

/** The process died in the middle of a call. */
export function keepUnfinished(state: SessionState): void {
  const point = state.undoPoints.at(-1);
  if (point?.unfinished === undefined) return;
  const { unfinished, ...settled } = point;
  state.undoPoints[state.undoPoints.length - 1] = { ...settled, cut: point.cut ?? unfinished };
}

export function recordChanges(state: SessionState, fact: FactOf<"files.changed">): void {
  const point = state.undoPoints.at(-1);
  if (point === undefined) return;
  const { unfinished: _, ...settled } = point;
  state.undoPoints[state.undoPoints.length - 1] = {
    ...settled,
    changes: [...point.changes, changesOf(fact)],
  };
}

function changesOf({ before, after, files, uncovered, refs }: FactOf<"files.changed">): StepChanges {
  return { before, after, files, uncovered, ...(refs !== undefined && { refs }) };
}

export function revert(state: SessionState, fact: FactOf<"session.reverted">): void {
  const index = state.undoPoints.findIndex((point) => point.promptId === fact.promptId);
  const point = state.undoPoints[index];
  if (point === undefined) return;
  const { leaf } = state;
  state.reverts.push({
    promptId: fact.promptId,
    ...(fact.only !== undefined && { only: fact.only }),
    snapshot: fact.snapshot,
    files: fact.files,
    restores: fact.restores,
    ...(leaf !== undefined && { leaf }),
    undoPoints: state.undoPoints,
    ...(state.checkpoint !== undefined && { checkpoint: state.checkpoint }),
  });
  if (fact.only === "files") {
    state.undoPoints = state.undoPoints.map((kept, at) => (at < index ? kept : withoutChanges(kept)));
    return;
  }
  showFrom(state, point.parent);
  shelve(state, state.undoPoints.slice(index));
  state.undoPoints = state.undoPoints.slice(0, index);
  state.checkpoint = point.checkpoint;
}

/** Its files are back; what is left to undo of it is what was said. */
function withoutChanges({ changes: _, unfinished: __, cut: ___, ...point }: UndoPoint): UndoPoint {
  return { ...point, changes: [] };
}

export function unrevert(state: SessionState, fact: FactOf<"session.unreverted">): void {
  const newest = state.reverts.at(-1);
  if (newest?.promptId !== fact.promptId) return;
  state.reverts = state.reverts.slice(0, -1);
  state.undoPoints = [...newest.undoPoints];
  if (newest.only === "files") return;
  showFrom(state, newest.leaf);
  state.checkpoint = newest.checkpoint;
}
