/** One who follows: its place in the stream, and the way from there to the newest event at its own pace. */
import { type EventFrame, type JsonObject, type ServerFrame, frameOfRecord, type Store } from "@kedge/protocol";
import { createDeltaGate, type DeltaGate } from "./delta-gate.ts";
import { aliasOf, type EncodedFrame, encodeFrame } from "./encoded-frame.ts";
import type { EventLog } from "./event-log.ts";
import { frameIdOf, type StreamPlace } from "./frame-id.ts";
import type { SessionPlace } from "./session-places.ts";

/** Backlogs in characters, which are bytes but for other alphabets. */
export const droppingDeltasFrom = 5 * 1024 * 1024;
export const givingUpFrom = 20 * 1024 * 1024;

/** Sent at once, so that many small frames cost one write. */
const batchCharactersMax = 64 * 1024;

export type Batch = readonly EncodedFrame[];

/** How many records are read from the store before others get their turn. */
const recordsPerTurn = 256;

export type FollowerParts = {
  readonly store: Pick<Store, "tail">;
  readonly log: EventLog;
  readonly life: string;
  readonly directory: string;
  /** Where a session belongs, or undefined when it does not belong here. */
  readonly placeOf: (sessionId: string) => Promise<SessionPlace | undefined>;
  /** What the newest event left the hub at. */
  readonly newest: () => StreamPlace;
  /** Resolves with the next event, heartbeat or end. */
  readonly news: () => Promise<void>;
  readonly isClosed: () => boolean;
  /** Counts up with every heartbeat. */
  readonly heartbeats: () => number;
};

export type FollowerStart = {
  readonly place: StreamPlace;
  /** Signals or view events are missing between what the client has and this place. */
  readonly isResync: boolean;
  readonly knowsAll: boolean;
  readonly view: "facts" | "parts";
  readonly sessionId?: string;
  readonly hasAliases: boolean;
  readonly signal: AbortSignal;
};

export interface Follower {
  readonly batches: AsyncIterable<Batch>;
  /** More of the log waits for it than a client may have waiting. */
  isTooSlow(): boolean;
  /** The word that says so. */
  lastWord(): EncodedFrame;
}

export function createFollower(parts: FollowerParts, start: FollowerStart): Follower {
  const { log, store } = parts;
  const { signal } = start;
  let place = start.place;
  /** The next entry of the log; the end of it until the log is reached. */
  let index = log.first;
  let isReadingStore = false;
  let heartbeat = parts.heartbeats();
  let gate: DeltaGate = createDeltaGate({ knowsAll: start.view === "facts" || start.knowsAll });

  function word(type: ServerFrame, properties: JsonObject = {}): EncodedFrame {
    return encodeFrame({ id: frameIdOf(place, parts.life), type, directory: parts.directory, properties });
  }

  function isTooSlow(): boolean {
    return !isReadingStore && log.charactersFrom(index) > givingUpFrom;
  }

  /** Moves past everything that is in the log, up to a batch; nothing is left to read when it is empty. */
  function fromLog(): Batch {
    const batch: EncodedFrame[] = [];
    let characters = 0;
    const isBehind = log.charactersFrom(index) > droppingDeltasFrom;
    for (let entry = log.at(index); entry !== undefined; entry = log.at(index)) {
      index += 1;
      const isNew = entry.isFact ? entry.position > place.position : entry.number > place.number;
      if (!isNew) continue;
      place = { position: Math.max(place.position, entry.position), number: Math.max(place.number, entry.number) };
      const isWanted = start.sessionId === undefined || entry.sessionId === start.sessionId;
      if (!isWanted || !gate.lets(entry, { isBehind })) continue;
      batch.push(start.hasAliases ? aliasOf(entry) : entry);
      characters += entry.text.length;
      if (characters >= batchCharactersMax) break;
    }
    return batch;
  }

  /** The facts that are no longer in the log. */
  async function* fromStore(): AsyncGenerator<Batch> {
    isReadingStore = true;
    let batch: EncodedFrame[] = [];
    let characters = 0;
    let read = 0;
    for await (const { position, record } of store.tail(place.position, start.sessionId)) {
      if (signal.aborted || position > log.lost.position) break;
      read += 1;
      if (read % recordsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
      const session = await parts.placeOf(record.sessionId);
      place = { ...place, position };
      if (session === undefined) continue;
      const id = frameIdOf(place, parts.life);
      const encoded = encodeFrame({ id, directory: session.directory, ...frameOfRecord(record) });
      batch.push(encoded);
      characters += encoded.text.length;
      if (characters < batchCharactersMax) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
    if (batch.length > 0) yield batch;
    place = { ...place, position: Math.max(place.position, log.lost.position) };
    index = log.first;
    isReadingStore = false;
  }

  /** Behind what is still there: facts are read again, everything else is missed. */
  async function* catchUp(): AsyncGenerator<Batch> {
    const { lost } = log;
    if (lost.number > place.number) {
      place = start.view === "parts" ? parts.newest() : { ...place, number: lost.number };
      gate = createDeltaGate({ knowsAll: start.view === "facts" });
      yield [word("server.resync", { reason: "behind" })];
    }
    if (index < log.first) index = log.first;
    while (start.view === "facts" && place.position < log.lost.position && !signal.aborted) yield* fromStore();
  }

  async function* follow(): AsyncGenerator<Batch> {
    yield [word("server.connected", { boot: parts.life }), ...(start.isResync ? [word("server.resync", { reason: "unknown" })] : [])];
    while (!signal.aborted) {
      const news = parts.news();
      if (isTooSlow()) {
        yield [word("server.resync", { reason: "slow" })];
        return;
      }
      yield* catchUp();
      const batch = fromLog();
      if (batch.length > 0) yield batch;
      else if (parts.isClosed()) {
        yield [word("server.instance.disposed")];
        return;
      } else if (heartbeat !== parts.heartbeats()) {
        heartbeat = parts.heartbeats();
        yield [word("server.heartbeat")];
      } else if (index >= log.end && log.first <= index) await orAborted(news, signal);
    }
  }

  return { batches: follow(), isTooSlow, lastWord: () => word("server.resync", { reason: "slow" }) };
}

/** The frames one by one, for followers in the same process. */
export async function* framesOf({ batches }: Follower): AsyncGenerator<EventFrame> {
  for await (const batch of batches) for (const { frame } of batch) yield frame;
}

export async function orAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
