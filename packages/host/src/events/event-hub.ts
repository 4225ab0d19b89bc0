/** All events of a place of work in one order: facts as they were committed, signals between them, for any number of followers. */
import {
  type Event,
  type EventFrame,
  type FactRecord,
  type FrameBody,
  frameOfRecord,
  frameOfSignal,
  frameOfViewEvent,
  type Signal,
  type Store,
} from "@kedge/protocol";
import { encodeFrame } from "./encoded-frame.ts";
import { createEventLog, type EventLog, keptMs, type LogEntry } from "./event-log.ts";
import { createFollower, type Follower, framesOf, orAborted } from "./follower.ts";
import { frameIdOf, parseFrameId, type StreamPlace } from "./frame-id.ts";
import type { EventSource } from "./join-engines.ts";
import { createSessionPlaces, type SessionPlace } from "./session-places.ts";
import { createViewTellers } from "./view-tellers.ts";

export const heartbeatMs = 10_000;
/** How often facts of other processes are looked for while somebody follows. */
export const otherProcessesMs = 500;

/** Calls the work again and again until the function given back is called. Keeps no process alive. */
export type Repeat = (work: () => void, everyMs: number) => () => void;

export type EventHubParts = {
  readonly engine: EventSource;
  readonly store: Store;
  readonly boot: string;
  /** What the words of the server are about; events name it too when the hub is that of one project. */
  readonly directory: string;
  /** Whose sessions are told of; all there are without it. */
  readonly projectId?: string;
  readonly now: () => number;
  readonly repeat?: Repeat;
  /** Told when the store could not be read; the hub tries again with the next event. */
  readonly onFailure?: (error: unknown) => void;
};

export type HubFollowOptions = {
  /** The id of the last frame that was seen. */
  readonly after?: string;
  readonly sessionId?: string;
  /** A number of that session, in the place of an id. */
  readonly afterSeq?: number;
  /** Messages and parts in the place of facts and signals. */
  readonly view?: "parts";
  /** With the other names of view events. */
  readonly hasAliases?: boolean;
  readonly signal: AbortSignal;
};

export interface EventHub {
  follow(options: HubFollowOptions): AsyncIterable<EventFrame>;
  /** The same as encoded batches, for whoever sends them on. */
  open(options: HubFollowOptions): Promise<OpenFollower>;
  /** Resolves when a fact behind this position is stored, the hub closes or the signal aborts. */
  moved(position: number, signal: AbortSignal): Promise<void>;
  /** Facts are looked for until the function given back is called. */
  enter(): () => void;
  readonly isClosed: boolean;
  readonly store: Store;
  readonly life: string;
  readonly directory: string;
  /** Followers get everything that was published before, then the word that it is over. */
  close(): Promise<void>;
}

export type OpenFollower = Follower & {
  /** Calls when the follower is given up because it is too slow, once. */
  onTooSlow(listener: () => void): void;
  close(): void;
};

type Vocabulary = { readonly log: EventLog; followers: number; isActive: boolean; leftAt: number };

type Waiting = { readonly signal: Signal; readonly afterSeq: number; readonly order: number };

export function createEventHub(parts: EventHubParts): EventHub {
  const { engine, store, now, directory, projectId } = parts;
  const repeat = parts.repeat ?? repeatUnheld;
  const life = `${parts.boot}.${now().toString(36)}${projectId === undefined ? "p" : ""}`;
  const places = createSessionPlaces(store);
  const tellers = createViewTellers(store, now);
  const vocabularies = { facts: emptyVocabulary(now), parts: emptyVocabulary(now) };
  const slow = new Map<Follower, () => void>();
  /** The last number of each session that was published here. */
  const published = new Map<string, number>();
  let newest: StreamPlace = { position: 0, number: 0 };
  let waiting: Waiting[] = [];
  let order = 0;
  let hasFacts = false;
  let pumping: Promise<void> | undefined;
  let opening: Promise<void> | undefined;
  let sleep: (() => void) | undefined;
  let present = 0;
  let heartbeats = 0;
  let isClosed = false;
  let news = Promise.withResolvers<void>();

  function tell(): void {
    news.resolve();
    news = Promise.withResolvers();
    for (const [follower, listener] of slow) {
      if (!follower.isTooSlow()) continue;
      slow.delete(follower);
      listener();
    }
  }

  function belongs(place: SessionPlace | null): place is SessionPlace {
    return place !== null && (projectId === undefined || place.projectId === projectId);
  }

  function push(body: FrameBody, place: SessionPlace, kind: Pick<LogEntry, "isFact" | "isDelta"> & { readonly log: EventLog }): void {
    if (!kind.isFact) newest = { ...newest, number: newest.number + 1 };
    const id = frameIdOf(newest, life);
    const frame = { id, directory: projectId === undefined ? place.directory : directory, ...body };
    const { log, ...what } = kind;
    log.push({ ...encodeFrame(frame), ...newest, ...what, sessionId: body.sessionID ?? "" });
  }

  async function takeFact(position: number, record: FactRecord): Promise<void> {
    const place = await places.find(record.sessionId, record.fact);
    if (!belongs(place)) {
      newest = { ...newest, position };
      return;
    }
    const events = vocabularies.parts.isActive ? await tellers.fact(record) : [];
    newest = { ...newest, position };
    if (vocabularies.facts.isActive) {
      push(frameOfRecord(record), place, { isFact: true, isDelta: false, log: vocabularies.facts.log });
    }
    for (const event of events) {
      const isDelta = event.type === "message.part.delta";
      push(frameOfViewEvent(record.sessionId, event), place, { isFact: false, isDelta, log: vocabularies.parts.log });
    }
  }

  function takeSignal(signal: Signal, place: SessionPlace): void {
    if (vocabularies.facts.isActive) {
      const isDelta = signal.type.endsWith(".delta") || signal.type === "tool.progress";
      push(frameOfSignal(signal), place, { isFact: false, isDelta, log: vocabularies.facts.log });
    }
    for (const event of vocabularies.parts.isActive ? tellers.signal(signal) : []) {
      const isDelta = event.type === "message.part.delta" || event.type === "task.progress";
      push(frameOfViewEvent(signal.sessionId, event), place, { isFact: false, isDelta, log: vocabularies.parts.log });
    }
  }

  async function release(isDue: (waiting: Waiting) => boolean): Promise<void> {
    if (waiting.length === 0) return;
    const due = waiting.filter(isDue);
    if (due.length === 0) return;
    waiting = waiting.filter((held) => !isDue(held));
    for (const { signal } of due) {
      const place = await places.find(signal.sessionId);
      if (belongs(place)) takeSignal(signal, place);
    }
  }

  /**
   * A fact is published after it was committed, so a signal that was published before the reading began comes before
   * whatever is committed after its end. One that was published meanwhile waits, unless the next fact of its session is
   * there already.
   */
  async function drain(): Promise<void> {
    hasFacts = false;
    const orderAtStart = order;
    for await (const { position, record } of store.tail(newest.position)) {
      const { sessionId, seq } = record;
      await release((held) => held.signal.sessionId === sessionId && held.afterSeq < seq);
      await takeFact(position, record);
    }
    await release((held) => held.order <= orderAtStart);
    tell();
  }

  async function pump(): Promise<void> {
    try {
      do await drain();
      while (hasFacts || waiting.length > 0);
    } catch (error) {
      hasFacts = true;
      parts.onFailure?.(error);
    } finally {
      pumping = undefined;
    }
  }

  function wake(): void {
    pumping ??= pump();
  }

  function onEvent(sessionId: string, event: Event): void {
    if (event.kind === "fact") {
      published.set(sessionId, event.record.seq);
      hasFacts = true;
      wake();
      return;
    }
    const place = places.known(sessionId);
    if (pumping === undefined && !hasFacts && place !== undefined) {
      // Everything that was published is told already: the usual case while an answer streams.
      if (!belongs(place)) return;
      takeSignal(event.signal, place);
      tell();
      return;
    }
    order += 1;
    waiting.push({ signal: event.signal, afterSeq: published.get(sessionId) ?? 0, order });
    wake();
  }

  async function lookForOthers(): Promise<void> {
    if (present === 0 || pumping !== undefined) return;
    try {
      if ((await store.lastPosition()) > newest.position) wake();
    } catch (error) {
      parts.onFailure?.(error);
    }
  }

  /** Whatever nobody came back to for so long cannot be resumed any more. */
  function rest(): void {
    for (const vocabulary of Object.values(vocabularies)) {
      if (!vocabulary.isActive || vocabulary.followers > 0 || now() - vocabulary.leftAt < keptMs) continue;
      vocabulary.isActive = false;
      vocabulary.log.restart(newest);
      if (vocabulary === vocabularies.parts) tellers.forgetAll();
    }
    if (present === 0 && !vocabularies.facts.isActive && !vocabularies.parts.isActive) sleep?.();
  }

  async function begin(): Promise<void> {
    const stops = [
      engine.subscribeAll(onEvent),
      repeat(() => void lookForOthers(), otherProcessesMs),
      repeat(() => {
        heartbeats += 1;
        tell();
        rest();
      }, heartbeatMs),
    ];
    sleep = () => {
      for (const stop of stops) stop();
      sleep = undefined;
      opening = undefined;
    };
    // Nothing is told before the place is known where telling begins.
    const beginning = store.lastPosition();
    pumping = beginning.then(
      () => undefined,
      () => undefined,
    );
    try {
      newest = { ...newest, position: await beginning };
    } catch (error) {
      sleep();
      throw error;
    } finally {
      pumping = undefined;
    }
    if (hasFacts || waiting.length > 0) wake();
  }

  function enter(): () => void {
    present += 1;
    let isGone = false;
    return () => {
      if (!isGone) present -= 1;
      isGone = true;
    };
  }

  async function ready(): Promise<void> {
    opening ??= begin();
    await opening;
    await pumping;
  }

  async function startOf(options: HubFollowOptions, vocabulary: Vocabulary) {
    const { after, sessionId, afterSeq } = options;
    const isParts = options.view === "parts";
    const seen = after === undefined ? undefined : parseFrameId(after);
    if (seen !== undefined) {
      const isHere = seen.life === life && seen.number <= newest.number && seen.number >= vocabulary.log.lost.number;
      const place = { position: Math.min(seen.position, newest.position), number: seen.number };
      if (isHere) return { place, isResync: false, knowsAll: true };
      return { place: isParts ? newest : { ...newest, position: place.position }, isResync: true, knowsAll: false };
    }
    if (after !== undefined) return { place: newest, isResync: true, knowsAll: false };
    if (sessionId === undefined || afterSeq === undefined) {
      return { place: newest, isResync: false, knowsAll: false };
    }
    const position = await store.positionOf(sessionId, afterSeq);
    if (!isParts) return { place: { ...newest, position }, isResync: false, knowsAll: false };
    const last = await store.positionOf(sessionId, Number.MAX_SAFE_INTEGER);
    return { place: newest, isResync: position < last, knowsAll: false };
  }

  async function open(options: HubFollowOptions): Promise<OpenFollower> {
    const leave = enter();
    await ready();
    const vocabulary = vocabularies[options.view ?? "facts"];
    if (!vocabulary.isActive) {
      vocabulary.isActive = true;
      vocabulary.log.restart(newest);
    }
    vocabulary.followers += 1;
    const { sessionId, signal, view = "facts", hasAliases = false } = options;
    const follower = createFollower(
      {
        ...{ store, life, directory, log: vocabulary.log },
        placeOf: async (id) => {
          const place = await places.find(id);
          if (!belongs(place)) return undefined;
          return projectId === undefined ? place : { ...place, directory };
        },
        newest: () => newest,
        news: () => news.promise,
        isClosed: () => isClosed,
        heartbeats: () => heartbeats,
      },
      { ...(await startOf(options, vocabulary)), view, hasAliases, signal, ...(sessionId !== undefined && { sessionId }) },
    );
    let isOpen = true;
    return {
      ...follower,
      onTooSlow: (listener) => slow.set(follower, listener),
      close() {
        if (!isOpen) return;
        isOpen = false;
        slow.delete(follower);
        vocabulary.followers -= 1;
        vocabulary.leftAt = now();
        leave();
      },
    };
  }

  return {
    ...{ open, enter, store, life, directory },
    get isClosed() {
      return isClosed;
    },
    async *follow(options) {
      const follower = await open(options);
      try {
        yield* framesOf(follower);
      } finally {
        follower.close();
      }
    },
    async moved(position, signal) {
      await ready();
      while (newest.position <= position && !isClosed && !signal.aborted) await orAborted(news.promise, signal);
    },
    async close() {
      if (isClosed) return;
      if (opening !== undefined) {
        await opening.catch(() => undefined);
        wake();
        await pumping;
      }
      isClosed = true;
      sleep?.();
      tell();
    },
  };
}

function emptyVocabulary(now: () => number): Vocabulary {
  return { log: createEventLog(now), followers: 0, isActive: false, leftAt: 0 };
}

const repeatUnheld: Repeat = (work, everyMs) => {
  const timer = setInterval(work, everyMs).unref();
  return () => clearInterval(timer);
};
