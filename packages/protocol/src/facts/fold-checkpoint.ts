/** The part of the fold that checkpoints are made of: where the open one lies, and the way back to it. */

import type { FileChange } from "./fact-words.ts";
import type { FactOf } from "./facts.ts";
import { addItem, showFrom, wholePath } from "./fold-tree.ts";
import type { OpenCheckpoint, PromptItem, SessionState, TreeItem } from "./session-state.ts";

export function openCheckpoint(state: SessionState, fact: FactOf<"checkpoint.opened">, startedAt: number): void {
  const { goal, callId, stepId } = fact;
  state.checkpoint = { goal, callId, stepId, startedAt, files: [] };
}

/** The place lies after the results of the checkpoint's own step, so that the model still sees its goal afterwards. */
export function markPlace(state: SessionState, checkpoint: OpenCheckpoint): void {
  const placeId = state.leaf;
  if (placeId !== undefined) state.checkpoint = { ...checkpoint, placeId };
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
export function rewind(state: SessionState, fact: FactOf<"conversation.rewound">, time: number): void {
  const placeId = state.checkpoint?.placeId;
  if (placeId === undefined) return;
  const path = wholePath(state, state.leaf);
  const since = path.slice(path.findIndex(({ id }) => id === placeId) + 1);
  const { stepId, report, files } = fact;
  showFrom(state, placeId);
  addItem(state, { type: "report", id: `${stepId}.report`, said: since.flatMap(promptsOf), report, files }, time);
  state.checkpoint = undefined;
}

/** What the user said, also before an earlier return. */
function promptsOf(item: TreeItem): readonly PromptItem[] {
  if (item.type === "prompt") return [item];
  return item.type === "report" ? item.said : [];
}
