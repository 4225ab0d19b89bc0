/** One fact on its way into the view: where it is read from and where its changes go. */
import type { FactRecord } from "../facts/fact-record.ts";
import type { MessageRow, PartBody, PartView, ViewChange } from "../view.ts";
import { messageIdOf, partIdOf, summaryIdOf } from "./view-ids.ts";
import type { MessageEntry, ViewState } from "./view-state.ts";

export type Folding = { readonly view: ViewState; readonly record: FactRecord; readonly changes: ViewChange[] };

export function putMessage({ changes }: Folding, message: MessageRow): void {
  changes.push({ kind: "message", message });
}

export function putPart({ view, changes }: Folding, part: PartView): void {
  changes.push({ kind: "part", sessionId: view.sessionId, part });
}

export function refuse({ record, changes }: Folding, why: string): void {
  changes.push({ kind: "refused", seq: record.seq, why });
}

/** A message with its first parts, the one before it in the tree given. Tells what is to be remembered of it. */
export function addMessage(folding: Folding, message: MessageRow, bodies: readonly PartBody[]): MessageEntry {
  const { entries } = folding.view;
  putMessage(folding, message);
  const userMessageId = message.role === "user" ? message.id : message.parentId;
  const entry: MessageEntry = { userMessageId, nextOrder: 0, completed: [] };
  entries.set(message.id, entry);
  for (const body of bodies) appendPart(folding, message.id, body);
  return entry;
}

/** Behind the parts that the message has; a message that is not there gets none. */
export function appendPart(folding: Folding, messageId: string, body: PartBody): PartView | undefined {
  const entry = folding.view.entries.get(messageId);
  if (entry === undefined) return undefined;
  const part: PartView = {
    ...body,
    id: partIdOf(messageId, entry.nextOrder),
    messageId,
    time: folding.record.time,
  };
  entry.nextOrder += 1;
  putPart(folding, part);
  return part;
}

/** The message that shows a place of the tree. */
export function messageAt({ skeleton }: ViewState, entryId: string | undefined): string | undefined {
  for (let id = entryId; id !== undefined; id = skeleton.tree.get(id)?.parent) {
    const item = skeleton.tree.get(id)?.item;
    if (item === undefined) return undefined;
    // Reminders are parts of the message before them.
    if (item.type === "reminder") continue;
    if (item.type === "results") return messageIdOf(item.stepId);
    return item.type === "compaction" ? summaryIdOf(item.id) : messageIdOf(item.id);
  }
  return undefined;
}

/** The first message from a place of the tree on, on the way to the leaf: a reminder may stand before its message. */
export function firstMessageFrom(view: ViewState, entryId: string | undefined): string | undefined {
  const { leaf, tree } = view.skeleton;
  let first: string | undefined;
  for (let id = leaf; id !== undefined && entryId !== undefined; id = tree.get(id)?.parent) {
    if (tree.get(id)?.item.type !== "reminder") first = messageAt(view, id);
    if (id === entryId) return first;
  }
  return undefined;
}

/** The place in the tree of what was just added there. */
export function treeParentOf(view: ViewState, entryId: string): { readonly treeParent?: string } {
  const treeParent = messageAt(view, view.skeleton.tree.get(entryId)?.parent);
  return treeParent === undefined ? {} : { treeParent };
}
