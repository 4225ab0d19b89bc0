/** The messages of one session as the screen has them: pages from the store, changed by view events. */
import type { MessageRow, MessageView, PartView, SessionView, ViewEvent, ViewEventOf } from "@kedge/protocol";

export interface MessageList {
  /** Forgets everything, as before another session is read. */
  clear(): void;
  /** The newest page, in the place of everything. */
  begin(messages: readonly MessageView[], session: SessionView): void;
  addOlder(messages: readonly MessageView[]): void;
  apply(event: ViewEvent): void;
  /** Those on the way to where the conversation goes on, oldest first, waiting prompts last. The same array until something changes. */
  shown(): readonly MessageView[];
  /** Whose message it is; undefined for one that is not among them. */
  roleOf(messageId: string): MessageView["role"] | undefined;
  /** False when the conversation went on at a place that is not among them. */
  knows(leafId: string | undefined): boolean;
}

export function createMessageList(): MessageList {
  /** In the order in which they were created. */
  let messages = new Map<string, MessageView>();
  let leaf: string | undefined;
  let order: readonly string[] | undefined;
  let list: readonly MessageView[] | undefined;

  function put(message: MessageView): void {
    messages.set(message.id, message);
    list = undefined;
  }

  function reorder(): void {
    order = undefined;
    list = undefined;
  }

  function putRow(row: MessageRow): void {
    const known = messages.get(row.id);
    const isEntering = row.isQueued !== true && (known === undefined || known.isQueued === true);
    if (known === undefined || isEntering || isElsewhere(known, row)) order = undefined;
    if (isEntering || (known !== undefined && known.completedAt !== row.completedAt && leaf === row.treeParent)) {
      leaf = row.id;
    }
    put({ ...row, parts: known?.parts ?? [] });
  }

  function changeParts(messageId: string, change: (parts: readonly PartView[]) => readonly PartView[]): void {
    const known = messages.get(messageId);
    if (known === undefined) return;
    const parts = change(known.parts);
    if (parts !== known.parts) put({ ...known, parts });
  }

  function remove(messageId: string): void {
    if (leaf === messageId) leaf = messages.get(messageId)?.treeParent;
    messages.delete(messageId);
    reorder();
  }

  return {
    clear() {
      messages = new Map();
      leaf = undefined;
      reorder();
    },
    begin(page, session) {
      messages = new Map(page.map((message) => [message.id, message]));
      leaf = session.leafId;
      reorder();
    },
    addOlder(page) {
      // News of an older one may have come before the one itself.
      const older = page.map((message) => joined(message, messages.get(message.id)));
      messages = new Map([...older.map((message) => [message.id, message] as const), ...keptOf(messages, older)]);
      reorder();
    },
    apply(event) {
      switch (event.type) {
        case "session.created":
        case "session.updated":
          leaf = event.session.leafId;
          return reorder();
        case "message.updated":
          return putRow(event.message);
        case "message.removed":
          return remove(event.messageId);
        case "message.part.updated":
          return changeParts(event.part.messageId, (parts) => withPart(parts, event.part));
        case "message.part.removed":
          return changeParts(event.messageId, (parts) => withoutPart(parts, event.partId));
        case "message.part.delta":
          return changeParts(event.messageId, (parts) => withDelta(parts, event));
        default:
          return;
      }
    },
    shown() {
      order ??= orderOf(messages, leaf);
      list ??= order.flatMap((id) => messages.get(id) ?? []);
      return list;
    },
    roleOf: (messageId) => messages.get(messageId)?.role,
    knows: (leafId) => leafId === undefined || messages.has(leafId),
  };
}

function joined(read: MessageView, told: MessageView | undefined): MessageView {
  return told === undefined ? read : { ...told, parts: told.parts.reduce(withPart, read.parts) };
}

function keptOf(messages: ReadonlyMap<string, MessageView>, others: readonly MessageView[]) {
  const ids = new Set(others.map(({ id }) => id));
  return [...messages].filter(([id]) => !ids.has(id));
}

/** Whether the row stands or ends at another place than before. */
function isElsewhere(before: MessageRow, row: MessageRow): boolean {
  return before.treeParent !== row.treeParent || before.completedAt !== row.completedAt;
}

function withoutPart(parts: readonly PartView[], partId: string): readonly PartView[] {
  return parts.some(({ id }) => id === partId) ? parts.filter(({ id }) => id !== partId) : parts;
}

function withPart(parts: readonly PartView[], part: PartView): readonly PartView[] {
  const index = parts.findIndex(({ id }) => id === part.id);
  if (index >= 0) return parts.with(index, part);
  // Ids grow, so a new one nearly always comes last.
  const before = parts.findLastIndex(({ id }) => id < part.id);
  return parts.toSpliced(before + 1, 0, part);
}

function withDelta(parts: readonly PartView[], event: ViewEventOf<"message.part.delta">): readonly PartView[] {
  const index = parts.findIndex(({ id }) => id === event.partId);
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

function orderOf(messages: ReadonlyMap<string, MessageView>, leaf: string | undefined): readonly string[] {
  const all = [...messages.values()];
  const tip = all.findLast(({ isQueued }) => isQueued !== true);
  const onTheWay = new Set<string>();
  const begin = tip !== undefined && isLoose(tip) && tip.treeParent === leaf ? tip.id : leaf;
  for (let id = begin; id !== undefined && messages.has(id) && !onTheWay.has(id); id = messages.get(id)?.treeParent) {
    onTheWay.add(id);
  }
  const waiting = all.filter(({ isQueued }) => isQueued === true).map(({ id }) => id);
  return [...[...onTheWay].reverse(), ...waiting];
}

/** What streams has no place in the tree yet, and an answer that failed or says nothing never gets one. */
function isLoose({ role, completedAt, failure, parts }: MessageView): boolean {
  if (role !== "assistant") return false;
  if (completedAt === undefined || failure !== undefined) return true;
  return !parts.some(({ type }) => type === "text" || type === "reasoning" || type === "tool");
}
