/** The part of the fold that the session's tree is made of: what hangs where, and the way from the root to a leaf. */

import { wholeItem } from "../release-items.ts";
import type { FactOf } from "./facts.ts";
import type { ConversationItem, SessionState, TreeItem } from "./session-state.ts";

/** Everything new hangs at the leaf and becomes the leaf. */
export function addItem(state: SessionState, item: ConversationItem, time: number): void {
  const { leaf } = state;
  state.tree.set(item.id, leaf === undefined ? { item, time } : { item, parent: leaf, time });
  state.items.push(item);
  state.leaf = item.id;
}

/** A summary takes the place of what it sums up; what was kept follows it. */
export function addBoundary(state: SessionState, item: ConversationItem, time: number): void {
  addItem(state, item, time);
  showFrom(state, item.id);
}

/** Has the model see the way to this leaf, or nothing without one. */
export function showFrom(state: SessionState, leaf: string | undefined): void {
  const path = wholePath(state, leaf);
  const items = itemsOf(path);
  const sighted = state.hidden.size === 0 ? items : items.filter(({ id }) => !state.hidden.has(id));
  state.items = sighted.map(wholeItem);
  state.leaf = leaf;
  state.anchor = undefined;
  if (state.todosAt.size > 0) state.todos = todosOn(path, state.todosAt);
}

/** The way stays as it is; only the model no longer sees these places of it. */
export function hideEntries(state: SessionState, { entryIds }: FactOf<"message.removed">): void {
  for (const id of entryIds) state.hidden.add(id);
  showFrom(state, state.leaf);
}

/** They belong to the place where they were written: another branch has others. */
export function replaceTodos(state: SessionState, { todos }: FactOf<"todos.replaced">): void {
  state.todos = todos;
  state.stepsSinceTodos = 0;
  if (state.leaf !== undefined) state.todosAt.set(state.leaf, todos);
}

const noTodos: SessionState["todos"] = [];

function todosOn(path: readonly TreeItem[], todosAt: SessionState["todosAt"]): SessionState["todos"] {
  const last = path.findLast(({ id }) => todosAt.has(id));
  return (last && todosAt.get(last.id)) ?? noTodos;
}

/** The same items with other content, wherever they hang. */
export function replaceItems(state: SessionState, change: (item: ConversationItem) => ConversationItem): void {
  state.items = state.items.map((item) => {
    const changed = change(item);
    const entry = state.tree.get(item.id);
    if (changed !== item && entry !== undefined) state.tree.set(item.id, { ...entry, item: changed });
    return changed;
  });
  state.anchor = undefined;
}

/** All items from the root to the leaf, also those that a summary stands for. */
export function wholePath({ tree }: Pick<SessionState, "tree">, leaf: string | undefined): TreeItem[] {
  const path: TreeItem[] = [];
  for (let entry = entryAt(tree, leaf); entry !== undefined; entry = entryAt(tree, entry.parent)) {
    path.push(entry.item);
  }
  return path.reverse();
}

/** Like the whole path, but without what a person took out of the model's sight. */
export function sightedPath(state: Pick<SessionState, "tree" | "hidden">, leaf: string | undefined): TreeItem[] {
  const path = wholePath(state, leaf);
  return state.hidden.size === 0 ? path : path.filter(({ id }) => !state.hidden.has(id));
}

/** What the model sees at the end of a path: nothing before the last summary but what that one kept. */
function itemsOf(path: TreeItem[]): TreeItem[] {
  const at = path.findLastIndex((item) => item.type === "compaction");
  const boundary = path[at];
  if (boundary?.type !== "compaction") return path;
  const keptFrom = path.findIndex((item) => item.id === boundary.firstKeptId);
  const kept = keptFrom === -1 ? [] : path.slice(keptFrom, at);
  return [boundary, ...kept, ...path.slice(at + 1)];
}

function entryAt(tree: SessionState["tree"], id: string | undefined) {
  return id === undefined ? undefined : tree.get(id);
}

/** Goes on somewhere else in the tree. What can be undone is what was asked on the way there. */
export function moveLeaf(state: SessionState, { leafId }: FactOf<"leaf.moved">): void {
  if (leafId !== undefined && !state.tree.has(leafId)) return;
  shelve(state, state.undoPoints);
  showFrom(state, leafId);
  state.undoPoints = wholePath(state, leafId).flatMap(({ id }) => state.shelvedPoints.get(id) ?? []);
  state.reverts = [];
  const place = state.checkpoint?.placeId;
  if (place !== undefined && !state.items.some(({ id }) => id === place)) state.checkpoint = undefined;
}

/** Keeps what undo knows of prompts that are no longer on the way to the leaf. */
export function shelve({ shelvedPoints }: SessionState, points: SessionState["undoPoints"]): void {
  for (const point of points) shelvedPoints.set(point.promptId, point);
}
