/** The part of the fold that checkpoints are made of: where the open one lies, and the way back to it. */
import type { FactOf, FileChange } from "./facts.ts";
import type { OpenCheckpoint, SessionState, UndoPoint } from "./session-state.ts";

export function openCheckpoint(state: SessionState, fact: FactOf<"checkpoint.opened">, startedAt: number): void {
  const { goal, callId, stepId } = fact;
  state.checkpoint = { goal, callId, stepId, startedAt, files: [] };
}

/** The place lies after the results of the checkpoint's own step, so that the model still sees its goal afterwards. */
export function markPlace(state: SessionState, checkpoint: OpenCheckpoint): void {
  state.checkpoint = { ...checkpoint, itemsKept: state.items.length };
}

export function addChangedFiles(state: SessionState, { stepId, files }: FactOf<"files.changed">): void {
  const { checkpoint } = state;
  if (checkpoint === undefined || checkpoint.stepId === stepId) return;
  const byPath = new Map(checkpoint.files.map((file) => [file.path, file]));
  for (const file of files) {
    const whole = changeInAll(byPath.get(file.path), file);
    if (whole === undefined) byPath.delete(file.path);
    else byPath.set(file.path, whole);
  }
  state.checkpoint = { ...checkpoint, files: [...byPath.values()] };
}

/** What two changes of a file in a row come to; undefined when it was never there at either end. */
function changeInAll(before: FileChange | undefined, after: FileChange): FileChange | undefined {
  const { path } = after;
  if (before?.status === "added") return after.status === "deleted" ? undefined : { path, status: "added" };
  if (before?.status === "deleted" && after.status === "added") return { path, status: "modified" };
  return after;
}

/** The report takes the place of what the model did since; what the user said since stays before it. */
export function rewind(state: SessionState, { report, files }: FactOf<"conversation.rewound">): void {
  const itemsKept = state.checkpoint?.itemsKept;
  if (itemsKept === undefined) return;
  const said = state.items.slice(itemsKept).filter((item) => item.type === "prompt");
  state.undoPoints = state.undoPoints.map((point) => withItemsThen(point, state, itemsKept));
  state.items = [...state.items.slice(0, itemsKept), ...said, { type: "report", report, files }];
  state.checkpoint = undefined;
}

/** A prompt of the stretch that vanishes is still undone to exactly what was before it. */
function withItemsThen(point: UndoPoint, { items }: SessionState, itemsKept: number): UndoPoint {
  if (point.itemsThen !== undefined || point.itemsBefore <= itemsKept) return point;
  return { ...point, itemsThen: items.slice(0, point.itemsBefore) };
}
