/** What clients make of a stream: records from facts, or messages and parts from view events. Both check what they get. */
import {
  collectView,
  type EventFrame,
  emptyCollection,
  eventOfFrame,
  type FactRecord,
  type MessageView,
  messagesOf,
  type Store,
  type ViewCollection,
  viewEventOfFrame,
} from "@kedge/protocol";
import { applyViewEvent } from "@kedge/testing";

/** Throws when a fact is missing, comes twice or out of order, or a delta comes before the step it belongs to. */
export function createFactFold() {
  const sessions = new Map<string, FactRecord[]>();
  const seen = { facts: 0, signals: 0, resyncs: 0 };
  let position = 0;
  return {
    seen,
    sessions,
    take(frame: EventFrame): void {
      if (frame.type === "server.resync") seen.resyncs += 1;
      const event = eventOfFrame(frame);
      if (event === undefined) return;
      const { sessionId } = event.kind === "fact" ? event.record : event.signal;
      const records = sessions.get(sessionId) ?? [];
      sessions.set(sessionId, records);
      if (event.kind === "signal") {
        seen.signals += 1;
        if ("stepId" in event.signal) expectStep(records, event.signal.stepId);
        return;
      }
      seen.facts += 1;
      const place = Number(frame.id.split("-")[0]);
      if (place <= position) throw new Error(`position ${place} after ${position}`);
      position = place;
      const last = records.at(-1)?.seq ?? 0;
      if (event.record.seq !== last + 1) throw new Error(`${sessionId}: ${event.record.seq} after ${last}`);
      records.push(event.record);
    },
  };
}

function expectStep(records: readonly FactRecord[], stepId: string): void {
  const step = records.findLast(({ fact }) => fact.type === "step.started" || fact.type === "step.ended")?.fact;
  if (step?.type !== "step.started" || step.stepId !== stepId)
    throw new Error(`a signal of ${stepId} out of its place`);
}

/** Asks for everything anew when the stream says that something is missing. */
export function createPartsFold(reload: (sessionId: string) => Promise<ViewCollection>) {
  const sessions = new Map<string, ViewCollection>();
  const seen = { events: 0, deltas: 0, resyncs: 0 };
  let work: Promise<void> = Promise.resolve();

  async function apply(frame: EventFrame): Promise<void> {
    if (frame.type === "server.resync") {
      seen.resyncs += 1;
      for (const sessionId of sessions.keys()) sessions.set(sessionId, await reload(sessionId));
    }
    const { sessionId } = frame;
    if (sessionId === undefined) return;
    seen.events += 1;
    if (frame.type === "message.part.delta") seen.deltas += 1;
    const collection = sessions.get(sessionId) ?? emptyCollection();
    sessions.set(sessionId, collection);
    applyViewEvent(collection, sessionId, viewEventOfFrame(frame));
  }

  return {
    seen,
    sessions,
    take(frame: EventFrame): void {
      work = work.then(() => apply(frame));
    },
    settled: () => work,
  };
}

export async function recordsIn(store: Store, sessionId: string): Promise<readonly FactRecord[]> {
  const records: FactRecord[] = [];
  for await (const record of store.read(sessionId, 0)) records.push(record);
  return records;
}

export async function messagesIn(store: Store, sessionId: string): Promise<readonly MessageView[]> {
  return messagesOf(collectView(sessionId, await recordsIn(store, sessionId)));
}
