/** The tree of a session as rows: every branch, the way to the leaf, and the names that the user gave to places. */
import type { MessageView, SessionView } from "@kedge/protocol";
import { messageText, workText } from "./message-text.ts";

export type TreeRow = {
  readonly entryId: string;
  /** How many branches it lies away from the root. */
  readonly depth: number;
  readonly text: string;
  readonly label?: string;
  readonly isOnPath: boolean;
  readonly isLeaf: boolean;
  readonly role: MessageView["role"];
};

type Place = { readonly message: MessageView; readonly depth: number };

/** Parents before children, siblings by time. Answers that only call tools are left out, unless they are the leaf or have a name. */
export function treeRowsOf(
  messages: readonly MessageView[],
  leafId: string | undefined,
  labels: SessionView["labels"],
): readonly TreeRow[] {
  const placed = messages.filter(({ isQueued }) => isQueued !== true);
  const byId = new Map(placed.map((message) => [message.id, message]));
  const children = childrenOf(placed, byId);
  const path = pathIds(byId, leafId);
  const names = new Map(labels.map(({ messageId, label }) => [messageId, label]));
  const rows: TreeRow[] = [];
  const open = withDepth(children.get(undefined) ?? [], 0);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { message, depth } = next;
    const { id: entryId, role } = message;
    open.push(...withDepth(children.get(entryId) ?? [], depth));
    const text = messageText(message);
    const label = names.get(entryId);
    const isLeaf = entryId === leafId;
    if (text === undefined && label === undefined && !isLeaf) continue;
    const row = { entryId, depth, text: text ?? workText(message), isOnPath: path.has(entryId), isLeaf, role };
    rows.push(label === undefined ? row : { ...row, label });
  }
  return rows;
}

/** The messages from the leaf to the root, as far as they are known. */
export function pathIds(byId: ReadonlyMap<string, MessageView>, leafId: string | undefined): ReadonlySet<string> {
  const path = new Set<string>();
  let at = leafId;
  while (at !== undefined && !path.has(at) && byId.has(at)) {
    path.add(at);
    at = byId.get(at)?.treeParent;
  }
  return path;
}

/** Who has a parent that is not known stands at the root. */
function childrenOf(
  messages: readonly MessageView[],
  byId: ReadonlyMap<string, MessageView>,
): ReadonlyMap<string | undefined, readonly MessageView[]> {
  const children = new Map<string | undefined, MessageView[]>();
  for (const message of messages) {
    const { treeParent } = message;
    const parent = treeParent !== undefined && byId.has(treeParent) ? treeParent : undefined;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [message]);
    else siblings.push(message);
  }
  return children;
}

/** The first on top, as they are taken from the end. */
function withDepth(messages: readonly MessageView[], depth: number): Place[] {
  const isBranching = messages.length > 1;
  return messages.map((message) => ({ message, depth: isBranching ? depth + 1 : depth })).reverse();
}
