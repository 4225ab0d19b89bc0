/** The messages of one session as the screen has them: pages from the store, changed by view events. */
import type { MessageRow, MessageView, PartView, SessionView, ViewEvent, ViewEventOf } from "@kedge/protocol";

export interface MessageList {
  /** The newest page, in the place of everything. */
  begin(messages: readonly MessageView[], session: SessionView): void;
  addOlder(messages: readonly MessageView[]): void;
  apply(event: ViewEvent): void;
  /** Those on the way to where the conversation goes on, oldest first, waiting prompts last. The same array until something changes. */
  shown(): readonly MessageView[];
  /** False when the conversation went on at a place that is not among them. */
  knows(leafId: string | undefined): boolean;
}

export function createMessageList(): MessageList {
  /** In the order in which they were created, but that a prompt comes when the model saw it. */
  let messages = new Map<string, MessageView>();
  let leaf: string | undefined;
  let undoneFrom: string | undefined;
  let order: readonly string[] | undefined;
  let list: readonly MessageView[] | undefined;

  function put(message: MessageView, { isPlaced }: { readonly isPlaced: boolean }): void {
    if (isPlaced) messages.delete(message.id);
    messages.set(message.id, message);
    list = undefined;
  }

  function putRow(row: MessageRow): void {
    const known = messages.get(row.id);
    const isPlaced = known?.isQueued === true && row.isQueued !== true;
    if (known === undefined || isPlaced || known.treeParent !== row.treeParent) order = undefined;
    if (row.isQueued !== true && (known === undefined || isPlaced)) leaf = row.id;
    put({ ...row, parts: known?.parts ?? [] }, { isPlaced });
  }

  function changeParts(messageId: string, change: (parts: readonly PartView[]) => readonly PartView[]): void {
    const known = messages.get(messageId);
    if (known === undefined) return;
    const parts = change(known.parts);
    if (parts !== known.parts) put({ ...known, parts }, { isPlaced: false });
  }

  function takeSession({ leafId, revert }: SessionView): void {
    leaf = leafId;
    undoneFrom = revert?.messageId;
    order = undefined;
    list = undefined;
  }

  return {
    begin(page, session) {
      messages = new Map(page.map((message) => [message.id, message]));
      takeSession(session);
      // What streams has no place in the tree yet, and was begun after the leaf.
      const newest = page.findLast(({ isQueued }) => isQueued !== true);
      if (newest !== undefined && newest.completedAt === undefined && newest.treeParent === leaf) leaf = newest.id;
    },
    addOlder(page) {
      messages = new Map([...page.map((message) => [message.id, message] as const), ...messages]);
      order = undefined;
      list = undefined;
    },
    apply(event) {
      switch (event.type) {
        case "session.created":
        case "session.updated":
          return takeSession(event.session);
        case "message.updated":
          return putRow(event.message);
        case "message.removed":
          messages.delete(event.messageID);
          order = undefined;
          list = undefined;
          return;
        case "message.part.updated":
          return changeParts(event.part.messageId, (parts) => withPart(parts, event.part));
        case "message.part.removed":
          return changeParts(event.messageID, (parts) => parts.filter(({ id }) => id !== event.partID));
        case "message.part.delta":
          return changeParts(event.messageID, (parts) => withDelta(parts, event));
        default:
          return;
      }
    },
    shown() {
      order ??= orderOf(messages, leaf, undoneFrom);
      list ??= order.flatMap((id) => messages.get(id) ?? []);
      return list;
    },
    knows: (leafId) => leafId === undefined || messages.has(leafId),
  };
}

function withPart(parts: readonly PartView[], part: PartView): readonly PartView[] {
  const index = parts.findIndex(({ id }) => id === part.id);
  if (index >= 0) return parts.with(index, part);
  // Ids grow, so a new one nearly always comes last.
  const before = parts.findLastIndex(({ id }) => id < part.id);
  return parts.toSpliced(before + 1, 0, part);
}

function withDelta(parts: readonly PartView[], event: ViewEventOf<"message.part.delta">): readonly PartView[] {
  const index = parts.findIndex(({ id }) => id === event.partID);
  const part = parts[index];
  if (part === undefined) return parts;
  if (event.field === "text" && (part.type === "text" || part.type === "reasoning")) {
    return parts.with(index, { ...part, text: part.text + event.delta });
  }
  if (event.field === "raw" && part.type === "tool" && part.state.status === "pending") {
    return parts.with(index, { ...part, state: { ...part.state, raw: part.state.raw + event.delta } });
  }
  return parts;
}

function orderOf(
  messages: ReadonlyMap<string, MessageView>,
  leaf: string | undefined,
  undoneFrom: string | undefined,
): readonly string[] {
  const onTheWay = new Set<string>();
  for (let id = leaf; id !== undefined && !onTheWay.has(id); id = messages.get(id)?.treeParent) onTheWay.add(id);
  const shown: string[] = [];
  const waiting: string[] = [];
  for (const { id, isQueued } of messages.values()) {
    if (id === undoneFrom) break;
    if (isQueued === true) waiting.push(id);
    else if (onTheWay.has(id)) shown.push(id);
  }
  return [...shown, ...waiting];
}
