/** One who follows: its place in the stream, and the way from there to the newest event at its own pace. */
import type { EventFrame, JsonObject, ServerFrame } from "@kedge/protocol";
import { createDeltaFilter, type DeltaFilter } from "./delta-filter.ts";
import { type EventLog, type LogEntry, resumedCharactersMax } from "./event-log.ts";
import { frameIdOf, type StreamPlace } from "./frame-id.ts";
import { aliasOf, type SentFrame, sentFrame } from "./sent-frame.ts";
import { type Batch, batchCharactersMax, type StoredBatchesParts, storedBatches } from "./stored-batches.ts";

/** Backlogs in characters, which are bytes but for other alphabets. */
const droppingDeltasFrom = 5 * 1024 * 1024;
const givingUpFrom = 20 * 1024 * 1024;

export type FollowerParts = StoredBatchesParts & {
  readonly log: EventLog;
  readonly directory: string;
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
  /** The id of the last frame that the client saw. */
  readonly seen?: string;
  /** Everything that came after the place is known to be in the log, but for facts. */
  readonly isExact: boolean;
  /** The client has to be told that signals or view events are missing. */
  readonly isResync: boolean;
  /** The client has everything that was said before. */
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
  lastWord(): SentFrame;
  /** Nothing of the log is kept for it any more. */
  close(): void;
}

export function createFollower(parts: FollowerParts, start: FollowerStart): Follower {
  const { log } = parts;
  const { signal } = start;
  let place = start.place;
  /** The next entry of the log. */
  let index = nextUnseen();
  const close = log.keepFor(() => index);
  /** Facts up to here are read from the store. */
  let storeUpTo = 0;
  /** False before the beginning and while facts are read from the store: then nothing of the log is held up. */
  let isInLog = false;
  let heartbeat = parts.heartbeats();
  let filter: DeltaFilter = createDeltaFilter({ knowsAll: start.view === "facts" || start.knowsAll });

  function word(type: ServerFrame, properties: JsonObject = {}): SentFrame {
    return sentFrame({ id: frameIdOf(place, parts.life), type, directory: parts.directory, properties });
  }

  function lastWord(): SentFrame {
    return word("server.resync", { reason: "slow" });
  }

  function isUnseen(entry: LogEntry): boolean {
    return entry.isFact ? entry.position > place.position : entry.number > place.number;
  }

  function nextUnseen(): number {
    let next = log.end;
    for (let entry = log.at(next - 1); entry !== undefined && isUnseen(entry); entry = log.at(next - 1)) next -= 1;
    return next;
  }

  function isTooSlow(): boolean {
    return isInLog && log.charactersFrom(index) > givingUpFrom;
  }

  /** Moves past everything that is in the log, up to a batch; nothing is left to read when it is empty. */
  function fromLog(): Batch {
    const batch: SentFrame[] = [];
    let characters = 0;
    const isBehind = log.charactersFrom(index) > droppingDeltasFrom;
    for (let entry = log.at(index); entry !== undefined; entry = log.at(index)) {
      index += 1;
      if (!isUnseen(entry)) continue;
      place = { position: Math.max(place.position, entry.position), number: Math.max(place.number, entry.number) };
      const isWanted = start.sessionId === undefined || entry.sessionId === start.sessionId;
      if (!isWanted || !filter.lets(entry, { isBehind })) continue;
      batch.push(start.hasAliases ? aliasOf(entry) : entry);
      characters += entry.characters;
      if (characters >= batchCharactersMax) break;
    }
    return batch;
  }

  /** The facts that are no longer in the log. */
  async function* fromStore(): AsyncGenerator<Batch> {
    isInLog = false;
    const onRead = (position: number) => {
      place = { ...place, position };
    };
    yield* storedBatches(parts, { ...start, place, upTo: storeUpTo, onRead });
    place = { ...place, position: Math.max(place.position, storeUpTo) };
    index = nextUnseen();
  }

  /** Goes on without the signals or view events that are missed, so that whoever needs them asks for the state again. */
  function resync(reason: string, missedUpTo: StreamPlace): SentFrame {
    place = start.view === "parts" ? parts.newest() : { ...place, number: missedUpTo.number };
    filter = createDeltaFilter({ knowsAll: start.view === "facts" });
    index = nextUnseen();
    return word("server.resync", { reason });
  }

  async function* catchUp(): AsyncGenerator<Batch> {
    if (log.lost.number > place.number) yield [resync("behind", log.lost)];
    if (start.view === "parts") return;
    storeUpTo = Math.max(storeUpTo, log.lost.position);
    while (place.position < storeUpTo && !signal.aborted) {
      yield* fromStore();
      storeUpTo = Math.max(storeUpTo, log.lost.position);
    }
  }

  function begin(): Batch {
    // Until the client has seen what comes next, it is where it was.
    const id = start.seen ?? frameIdOf(place, parts.life);
    const properties = { boot: parts.life };
    const connected = sentFrame({ id, type: "server.connected", directory: parts.directory, properties });
    // What a client missed may be too much to be sent from the log as well.
    const isTooMuch = log.charactersFrom(index) > resumedCharactersMax;
    if (start.isExact && !isTooMuch) return [connected];
    storeUpTo = parts.newest().position;
    const missing = resync(start.isExact ? "behind" : "unknown", parts.newest());
    return start.isExact || start.isResync ? [connected, missing] : [connected];
  }

  async function* follow(): AsyncGenerator<Batch> {
    yield begin();
    while (!signal.aborted) {
      const news = parts.news();
      yield* catchUp();
      isInLog = true;
      if (isTooSlow()) {
        yield [lastWord()];
        return;
      }
      const batch = fromLog();
      if (batch.length > 0) yield batch;
      else if (parts.isClosed()) {
        yield [word("server.instance.disposed")];
        return;
      } else if (heartbeat !== parts.heartbeats()) {
        heartbeat = parts.heartbeats();
        yield [word("server.heartbeat")];
      } else if (index >= log.end) await orAborted(news, signal);
    }
  }

  return { batches: follow(), isTooSlow, lastWord, close };
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
