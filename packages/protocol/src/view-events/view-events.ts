/** From facts and signals to view events, by the same fold that clients and exports use. */
import type { FactRecord } from "../facts/fact-record.ts";
import type { Fact } from "../facts/facts.ts";
import type { SessionView, ViewChange } from "../view.ts";
import { applyToView } from "../view-fold/apply-to-view.ts";
import { emptyView, type ViewState } from "../view-fold/view-state.ts";
import type { Signal } from "../wire/signals.ts";
import { eventsBesideRows, eventsOfOtherSignal, type RunFiles } from "./fact-events.ts";
import { rereadCleared, rereadRemoved } from "./reread-parts.ts";
import { emptyStreamed, loseStream, type Streamed, settleStream, showDelta } from "./streamed-parts.ts";
import type { ViewEvent } from "./view-event.ts";

/** All records of the session as they read now, from the first one on. */
export type ReadRecords = () => AsyncIterable<FactRecord> | Iterable<FactRecord>;

/** Of one session. Owned and changed by the functions of this file. */
export type ViewTelling = { view: ViewState; readonly streamed: Streamed; readonly runFiles: RunFiles };

export function beginTelling(sessionId: string): ViewTelling {
  return { view: emptyView(sessionId), streamed: emptyStreamed(), runFiles: new Map() };
}

/** Brings it up to a record whose events nobody needs. Every record of the session must pass, in order. */
export function passOver(telling: ViewTelling, record: FactRecord): void {
  const { view, streamed, runFiles } = telling;
  applyToView(view, record);
  eventsBesideRows(view, record, runFiles);
  streamed.touched.clear();
  loseStream(streamed);
}

/**
 * What the next record changes for whoever shows the session. The fold keeps no texts, so a few facts that change
 * earlier parts need the records once more.
 */
export async function tellFact(
  telling: ViewTelling,
  record: FactRecord,
  records: ReadRecords,
): Promise<readonly ViewEvent[]> {
  const { view, streamed, runFiles } = telling;
  if (record.seq <= view.skeleton.lastSeq) return [];
  const before = { session: view.session, step: view.step, shown: view.step?.shown ?? [] };
  const changes = applyToView(view, record);
  const { fact, time } = record;
  const rows = changes.flatMap(eventsOfChange);
  const settled = settleStream(view, streamed, { fact, time, changes, before });
  const reread = await eventsOfReread(telling, record, { changes, records });
  const session = eventsOfSession(before.session, telling.view.session, fact);
  return [...rows, ...settled, ...reread, ...session, ...eventsBesideRows(telling.view, record, runFiles)];
}

/** `time` is when a part that only streams yet was begun. */
export function tellSignal({ view, streamed }: ViewTelling, signal: Signal, time: number): readonly ViewEvent[] {
  switch (signal.type) {
    case "text.delta":
    case "reasoning.delta":
    case "tool.input.delta":
      return showDelta(view, streamed, signal, time);
    default:
      return eventsOfOtherSignal(view, signal);
  }
}

async function eventsOfReread(
  telling: ViewTelling,
  { seq, fact }: FactRecord,
  { changes, records }: { readonly changes: readonly ViewChange[]; readonly records: ReadRecords },
): Promise<readonly ViewEvent[]> {
  if (fact.type === "context.cleared") return rereadCleared(telling.view.sessionId, { seq, changes }, records());
  if (fact.type !== "content.removed") return [];
  const { view, events } = await rereadRemoved(telling, { seq, digests: fact.digests }, records());
  telling.view = view;
  telling.streamed.touched.clear();
  loseStream(telling.streamed);
  return events;
}

function eventsOfChange(change: ViewChange): readonly ViewEvent[] {
  switch (change.kind) {
    case "message":
      return [{ type: "message.updated", message: change.message }];
    case "part":
      return [{ type: "message.part.updated", part: change.part }];
    case "message-removed":
      return [{ type: "message.removed", messageId: change.messageId }];
    case "part-removed":
      return [{ type: "message.part.removed", messageId: change.messageId, partId: change.partId }];
    // These are told apart: of the session only what has no event of its own, of the others what reading again shows.
    case "session":
    case "output-cleared":
    case "content-removed":
    case "refused":
      return [];
  }
}

/** Of the row of the session, what no other event tells. */
const toldBySession = [
  "title",
  "model",
  "mode",
  "brevity",
  "isArchived",
  "revert",
  "labels",
] as const satisfies (keyof SessionView)[];

const alwaysTold: ReadonlySet<Fact["type"]> = new Set<Fact["type"]>([
  "session.updated",
  "mode.changed",
  "model.changed",
  "leaf.moved",
  "session.reverted",
  "session.unreverted",
]);

function eventsOfSession(
  before: SessionView | undefined,
  session: SessionView | undefined,
  fact: Fact,
): readonly ViewEvent[] {
  if (session === undefined) return [];
  if (fact.type === "session.created") return [{ type: "session.created", session }];
  if (fact.type === "session.deleted") return [{ type: "session.deleted" }];
  const events: ViewEvent[] = [];
  if (alwaysTold.has(fact.type) || toldBySession.some((key) => before?.[key] !== session[key])) {
    events.push({ type: "session.updated", session });
  }
  const { usage, cost } = session;
  // Reading again makes the totals again, but does not change them.
  if (fact.type === "content.removed") return events;
  if (before?.usage !== usage || before.cost !== cost) events.push({ type: "cost.updated", usage, cost });
  return events;
}
