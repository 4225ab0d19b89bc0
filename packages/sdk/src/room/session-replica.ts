/** A session as a guest knows it: the facts that came so far, in order, and what they add up to. */
import {
  applyRecord,
  applyToView,
  beginTelling,
  collectChange,
  type Event,
  emptyCollection,
  emptySession,
  emptyView,
  type FactRecord,
  type MessagePage,
  messagesOf,
  type SessionState,
  type Signal,
  tellFact,
  tellSignal,
  type ViewCollection,
  type ViewEvent,
} from "@kedge/protocol";

export interface SessionReplica {
  readonly records: readonly FactRecord[];
  readonly state: Readonly<SessionState>;
  readonly view: Readonly<ViewCollection>;
  lastSeq(): number;
  /** Takes what continues it and keeps the rest; false while something between is missing. */
  take(records: readonly FactRecord[]): boolean;
  signal(signal: Signal): void;
  /** Everything from now on, in both vocabularies; returns the way to stop. */
  listen(listener: ReplicaListener): () => void;
  page(page: { readonly before?: string; readonly limit: number }): MessagePage;
}

export type ReplicaListener = {
  readonly onEvent?: (event: Event) => void;
  readonly onView?: (event: ViewEvent) => void;
};

export function createReplica(sessionId: string, now: () => number): SessionReplica {
  const records: FactRecord[] = [];
  const early = new Map<number, FactRecord>();
  const listeners = new Set<ReplicaListener>();
  const state = emptySession(sessionId);
  const folded = emptyView(sessionId);
  const view = emptyCollection();
  const telling = beginTelling(sessionId);
  let told: Promise<unknown> = Promise.resolve();

  /** One after the other, because a few facts read the records again. */
  function tell(events: () => readonly ViewEvent[] | Promise<readonly ViewEvent[]>): void {
    told = told.then(async () => {
      for (const event of await events()) for (const { onView } of listeners) onView?.(event);
    });
  }

  function apply(record: FactRecord): void {
    records.push(record);
    applyRecord(state, record);
    for (const change of applyToView(folded, record)) collectChange(view, change);
    for (const { onEvent } of listeners) onEvent?.({ kind: "fact", record });
    tell(() => tellFact(telling, record, () => records.filter(({ seq }) => seq <= record.seq)));
  }

  return {
    records,
    state,
    view,
    lastSeq: () => records.length,
    take(given) {
      for (const record of given) if (record.seq > records.length) early.set(record.seq, record);
      for (;;) {
        const next = early.get(records.length + 1);
        if (next === undefined) return early.size === 0;
        early.delete(next.seq);
        apply(next);
      }
    },
    signal(signal) {
      for (const { onEvent } of listeners) onEvent?.({ kind: "signal", signal });
      tell(() => tellSignal(telling, signal, now()));
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    page({ before, limit }) {
      const all = messagesOf(view);
      const place = before === undefined ? -1 : all.findIndex(({ id }) => id === before);
      const end = place === -1 ? all.length : place;
      const messages = all.slice(Math.max(0, end - limit), end);
      const [oldest] = messages;
      return { messages, ...(end > limit && oldest !== undefined && { before: oldest.id }) };
    },
  };
}
