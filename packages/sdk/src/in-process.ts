/** The in-process Client: commands and queries as they are, and stored facts joined to live events without a seam. */
import {
  type CallOptions,
  type Client,
  type CommandAnswer,
  type CommandOf,
  type CommandType,
  type Door,
  type Event,
  type EventsOptions,
  type FactRecord,
  FailureError,
  isDelta,
  type SendOptions,
  type Store,
} from "@kedge/protocol";
import { answerUnlessAborted, readUnlessAborted } from "./given-up.ts";
import { createOnceByKey } from "./once-by-key.ts";

/** A reader further behind than this loses signals, and gets its facts from the store again. */
export const eventsBufferedMax = 8192;

export type ReadableStore = Pick<Store, "read" | "session" | "sessions" | "messages" | "search" | "verify">;

export function connectInProcess(door: Door, store: ReadableStore): Client {
  const once = createOnceByKey();

  /** What is told of a session that is unknown or deleted is a failure here as well, and not an empty answer. */
  function readKnown<Value>(sessionId: string, read: () => Promise<Value>, options: CallOptions = {}): Promise<Value> {
    return readUnlessAborted(options.signal, async () => {
      await demandSession(store, sessionId);
      return read();
    });
  }

  async function send<Type extends CommandType>(
    command: CommandOf<Type>,
    { signal, idempotencyKey }: SendOptions = {},
  ): Promise<CommandAnswer<Type>> {
    const carryOut = () => door.send<Type>(command);
    const sent = idempotencyKey === undefined ? carryOut : () => once(idempotencyKey, command, carryOut);
    // What is no failure of ours is the answer of the door to this command.
    return (await answerUnlessAborted(signal, sent)) as CommandAnswer<Type>;
  }

  return {
    send,
    ask: (query, { signal } = {}) => answerUnlessAborted(signal, () => door.ask(query)),
    follow: (options) => door.follow(options),
    events: (sessionId, afterSeq, signal, options = {}) =>
      joinedEvents({ door, store, sessionId, afterSeq, signal, ...options }),
    sessions: (filter, { signal } = {}) => readUnlessAborted(signal, () => store.sessions(filter)),
    messages: (sessionId, page, options) => readKnown(sessionId, () => store.messages(sessionId, page), options),
    search: (query, { signal } = {}) => readUnlessAborted(signal, () => store.search(query)),
    facts: (sessionId) => readFacts(store, sessionId),
    verify: (sessionId, options) => readKnown(sessionId, () => store.verify(sessionId), options),
  };
}

async function* readFacts(store: ReadableStore, sessionId: string): AsyncGenerator<FactRecord, void> {
  await demandSession(store, sessionId);
  yield* store.read(sessionId, 0);
}

async function demandSession(store: ReadableStore, sessionId: string): Promise<void> {
  if ((await store.session(sessionId)) !== undefined) return;
  const message = `Session ${sessionId} not found.`;
  throw new FailureError({ code: "not_found", message, retryable: false });
}

type Reading = EventsOptions & {
  readonly door: Pick<Door, "subscribe">;
  readonly store: ReadableStore;
  readonly sessionId: string;
  readonly afterSeq: number | "newest";
  readonly signal: AbortSignal;
};

/** Listens before it reads, so no fact falls between the two; a fact seen twice is known by its number. */
async function* joinedEvents(reading: Reading): AsyncGenerator<Event, void> {
  const { door, store, sessionId, afterSeq, signal } = reading;
  if (signal.aborted) return;
  let lastSeq = afterSeq === "newest" ? undefined : afterSeq;
  const inbox = openInbox(reading);
  const unsubscribe = door.subscribe(sessionId, inbox.put);
  signal.addEventListener("abort", inbox.wake);
  try {
    await demandSession(store, sessionId);
    let behind = lastSeq !== undefined;
    while (!signal.aborted) {
      lastSeq ??= inbox.beforeFirst();
      if (behind && lastSeq !== undefined) {
        for await (const record of store.read(sessionId, lastSeq)) {
          lastSeq = record.seq;
          yield { kind: "fact", record };
          if (signal.aborted) return;
        }
      }
      const { events, overflowed } = await inbox.take(signal);
      for (const event of events) {
        if (event.kind === "fact") {
          if (lastSeq !== undefined && event.record.seq <= lastSeq) continue;
          lastSeq = event.record.seq;
        }
        yield event;
        if (signal.aborted) return;
      }
      behind = overflowed;
    }
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", inbox.wake);
  }
}

type Batch = { readonly events: readonly Event[]; readonly overflowed: boolean };

/** Keeps events for one reader up to a limit. What follows the first event too many is left out until the next take. */
function openInbox({ deltas }: EventsOptions) {
  let events: Event[] = [];
  let overflowed = false;
  let beforeFirst: number | undefined;
  let notify: (() => void) | undefined;
  let isWakePlanned = false;
  const wake = () => {
    isWakePlanned = false;
    notify?.();
    notify = undefined;
  };
  return {
    wake,
    /** The number before the first fact that came; undefined as long as none did. */
    beforeFirst: () => beforeFirst,
    put: (event: Event) => {
      if (event.kind === "fact") beforeFirst ??= event.record.seq - 1;
      else if (deltas === false && isDelta(event.signal)) return;
      if (events.length < eventsBufferedMax) events.push(event);
      else overflowed = true;
      // What the engine does next, such as sending a request, comes before whoever only reads of it.
      if (notify === undefined || isWakePlanned) return;
      isWakePlanned = true;
      setImmediate(wake);
    },
    /** Everything since the last take, waiting for the first event; empty when the signal aborts. */
    take: async (signal: AbortSignal): Promise<Batch> => {
      if (events.length === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
      const batch = { events, overflowed };
      events = [];
      overflowed = false;
      return batch;
    },
  };
}
