/** Whole messages out of the changes of the view fold, for exports and for whoever wants a session at once. */
import type { FactRecord } from "../facts/fact-record.ts";
import type { MessageRow, MessageView, PartView, SessionView, ViewChange } from "../view.ts";
import { applyToView } from "./apply-to-view.ts";
import { emptyView } from "./view-state.ts";

/** Changed by `collectChange` alone. */
export type ViewCollection = {
  session: SessionView | undefined;
  /** By id, in the order they were created. */
  readonly messages: Map<string, { row: MessageRow; readonly parts: Map<string, PartView> }>;
  /** What the fold refused. */
  readonly refused: Extract<ViewChange, { kind: "refused" }>[];
};

export function emptyCollection(): ViewCollection {
  return { session: undefined, messages: new Map(), refused: [] };
}

/** The records must be all of a session, from the first one on. */
export function collectView(sessionId: string, records: Iterable<FactRecord>): ViewCollection {
  const view = emptyView(sessionId);
  const collection = emptyCollection();
  for (const record of records) {
    for (const change of applyToView(view, record)) collectChange(collection, change);
  }
  return collection;
}

export function collectChange(collection: ViewCollection, change: ViewChange): void {
  const { messages } = collection;
  switch (change.kind) {
    case "session":
      collection.session = change.session;
      return;
    case "message": {
      const known = messages.get(change.message.id);
      if (known === undefined) messages.set(change.message.id, { row: change.message, parts: new Map() });
      else known.row = change.message;
      return;
    }
    case "part":
      messages.get(change.part.messageId)?.parts.set(change.part.id, change.part);
      return;
    case "message-removed":
      messages.delete(change.messageId);
      return;
    case "part-removed":
      messages.get(change.messageId)?.parts.delete(change.partId);
      return;
    case "output-cleared": {
      const parts = messages.get(change.messageId)?.parts;
      const part = parts?.get(change.partId);
      if (part?.type !== "tool" || part.state.status !== "completed") return;
      parts?.set(part.id, { ...part, state: { ...part.state, compactedAt: change.compactedAt } });
      return;
    }
    case "refused":
      collection.refused.push(change);
      return;
    // Whoever collects reads the records again, and so has what is left of them.
    case "content-removed":
      return;
  }
}

/** All messages of the whole tree in the order they were created, each with its parts in the order of their ids. */
export function messagesOf({ messages }: ViewCollection): readonly MessageView[] {
  return [...messages.values()].map(({ row, parts }) => ({
    ...row,
    parts: [...parts.values()].sort((left, right) => (left.id < right.id ? -1 : 1)),
  }));
}
