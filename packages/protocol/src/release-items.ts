/**
 * Releases the long texts of items that the model no longer sees, and takes them up again. The fold does neither by
 * itself: whoever holds a state for hours does, and recalls before it applies a fact that shows such items again.
 */
import type { FactType } from "./facts/facts.ts";
import type { ConversationItem, ReleasedItem, SessionState, TreeItem } from "./facts/session-state.ts";
import { jobsNamedIn } from "./jobs.ts";

/** Facts after which the model may see what was released. */
export const recallingFacts: ReadonlySet<FactType> = new Set<FactType>([
  "leaf.moved",
  "session.reverted",
  "session.unreverted",
  "conversation.rewound",
]);

/** Results of calls are nearly all of a long session; the contents of files in a summary, and its pictures, are next. */
export function releaseItems(state: SessionState): void {
  const shown = new Set<TreeItem>(state.items);
  for (const [id, entry] of state.tree) {
    const released = shown.has(entry.item) ? undefined : releasedOf(entry.item);
    if (released !== undefined) state.tree.set(id, { ...entry, item: released });
  }
}

/** Undefined for what stays as it is: what was said and called is short, and asked for at every compaction. */
function releasedOf(item: TreeItem): ReleasedItem | undefined {
  if (item.type === "compaction") return { type: "released", id: item.id };
  if (item.type !== "results") return undefined;
  const results = item.results.map(({ callId, outcome, output }) => ({ callId, outcome, jobIds: jobsNamedIn(output) }));
  return { type: "released", id: item.id, step: { stepId: item.stepId, results } };
}

export function hasReleased({ tree }: Pick<SessionState, "tree">): boolean {
  for (const { item } of tree.values()) if (item.type === "released") return true;
  return false;
}

/** `whole` is a state of the same session, folded from at least the same facts. */
export function recallItems(state: SessionState, whole: Pick<SessionState, "tree">): void {
  for (const [id, entry] of state.tree) {
    const known = entry.item.type === "released" ? whole.tree.get(id) : undefined;
    if (known !== undefined) state.tree.set(id, { ...entry, item: known.item });
  }
}

export function wholeItem(item: TreeItem): ConversationItem {
  if (item.type === "released") throw new Error(`${item.id} was released and not recalled`);
  return item;
}
