/** All events of a place of work in one order, for any number of followers. */
import {
  type EventFrame,
  type FactRecord,
  type FrameBody,
  frameOfRecord,
  frameOfSignal,
  frameOfViewEvent,
  isDelta,
  type Signal,
  type Store,
  type ViewEvent,
} from "@kedge/protocol";
import { createEventLog, type EventLog, keptMs } from "./event-log.ts";
import { createEventOrder, type EventSource } from "./event-order.ts";
import { createFollower, type Follower, framesOf, orAborted } from "./follower.ts";
import { frameIdOf, type StreamPlace } from "./frame-id.ts";
import { createNews } from "./news.ts";
import { sentFrame } from "./sent-frame.ts";
import { createSessionPlaces, type SessionPlace } from "./session-places.ts";
import { type HubFollowOptions, startOf } from "./start-place.ts";
import { createViewTellers } from "./view-tellers.ts";

export const heartbeatMs = 10_000;
/** How often facts of other processes are looked for while somebody follows. */
export const otherProcessesMs = 500;

/** What is put into the log before followers get their turn. */
const turnCharactersMax = 2 * 1024 * 1024;

/** Calls the work again and again until the function given back is called. Keeps no process alive. */
export type Repeat = (work: () => void, everyMs: number) => () => void;

export type EventHubParts = {
  readonly engine: EventSource;
  readonly store: Store;
  readonly boot: string;
  /** What the words of the server are about, and all events of a hub that has a project. */
  readonly directory: string;
  /** Whose sessions are told of; all there are without it. */
  readonly projectId?: string;
  readonly now: () => number;
  readonly repeat?: Repeat;
  /** Told when the store could not be read; the hub tries again with the next event. */
  readonly onFailure?: (error: unknown) => void;
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
  /** Followers get everything that was published before, then the word that it is over. The store must still be open. */
  close(): Promise<void>;
}

export type OpenFollower = Follower & {
  /** Called once, when more waits for the follower than a client may have waiting. */
  onTooSlow(listener: () => void): void;
  close(): void;
};

/** Facts and signals under their own names, or view events. Written only while somebody follows or may come back. */
type Vocabulary = { readonly log: EventLog; followers: number; isActive: boolean; leftAt: number };

export function createEventHub(parts: EventHubParts): EventHub {
  const { store, now, directory, projectId } = parts;
  const repeat = parts.repeat ?? repeatUnheld;
  const life = `${parts.boot}.${now().toString(36)}${projectId === undefined ? "p" : ""}`;
  const places = createSessionPlaces(store);
  const tellers = createViewTellers(store, now);
  const facts = emptyVocabulary(now);
  const views = emptyVocabulary(now);
  const watched = new Map<Follower, () => void>();
  // The first who follows makes it 0.
  let newest: StreamPlace = { position: 0, number: -1 };
  let opening: Promise<void> | undefined;
  let stop: (() => void) | undefined;
  let present = 0;
  let heartbeats = 0;
  let isClosed = false;
  let sinceTurn = 0;
  const news = createNews(() => {
    for (const [follower, onTooSlow] of watched) {
      if (!follower.isTooSlow()) continue;
      watched.delete(follower);
      onTooSlow();
    }
  });

  /** With the directory that frames name; undefined for a session of elsewhere. */
  function ownPlace(place: SessionPlace | null): SessionPlace | undefined {
    if (place === null || (projectId !== undefined && place.projectId !== projectId)) return undefined;
    return projectId === undefined ? place : { projectId, directory };
  }

  function push(
    log: EventLog,
    body: FrameBody,
    kind: { isFact: boolean; isDelta: boolean; place: SessionPlace },
  ): void {
    const { isFact, isDelta, place } = kind;
    if (!isFact) newest = { ...newest, number: newest.number + 1 };
    const frame = { id: frameIdOf(newest, life), directory: place.directory, ...body };
    const sent = sentFrame(frame);
    sinceTurn += sent.characters;
    log.push({ ...sent, ...newest, isFact, isDelta, sessionId: body.sessionId ?? "" });
  }

  function pushViews(sessionId: string, events: readonly ViewEvent[], place: SessionPlace): void {
    for (const event of events) {
      const isDelta = event.type === "message.part.delta" || event.type === "task.progress";
      push(views.log, frameOfViewEvent(sessionId, event), { isFact: false, isDelta, place });
    }
  }

  /** Much that another process wrote at once must not look like a backlog of those who read all the time. */
  async function nextTurn(): Promise<void> {
    sinceTurn = 0;
    const told = news.next();
    news.tell();
    await told;
    // Those who were woken write now.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Whoever shows messages and parts needs the fold of the session, which may have to be read. */
  function takeFactNow(position: number, record: FactRecord): boolean {
    const place = places.known(record.sessionId);
    if (place === undefined || views.isActive) return false;
    pushFact(position, record, ownPlace(place));
    return true;
  }

  async function takeFact(position: number, record: FactRecord): Promise<void> {
    if (sinceTurn > turnCharactersMax) await nextTurn();
    const place = ownPlace(await places.find(record.sessionId, record.fact));
    const events = place !== undefined && views.isActive ? await tellers.fact(record) : [];
    pushFact(position, record, place);
    if (place !== undefined) pushViews(record.sessionId, events, place);
  }

  function pushFact(position: number, record: FactRecord, place: SessionPlace | undefined): void {
    newest = { ...newest, position };
    if (place === undefined || !facts.isActive) return;
    push(facts.log, frameOfRecord(record), { isFact: true, isDelta: false, place });
  }

  function takeFrom(signal: Signal, place: SessionPlace | undefined): void {
    if (place === undefined) return;
    if (facts.isActive) push(facts.log, frameOfSignal(signal), { isFact: false, isDelta: isDelta(signal), place });
    if (views.isActive) pushViews(signal.sessionId, tellers.signal(signal), place);
  }

  const order = createEventOrder({
    engine: parts.engine,
    store,
    position: () => newest.position,
    takeFactNow,
    takeFact,
    takeSignalNow(signal) {
      const place = places.known(signal.sessionId);
      if (place === undefined) return false;
      takeFrom(signal, ownPlace(place));
      return true;
    },
    takeSignal: async (signal) => takeFrom(signal, ownPlace(await places.find(signal.sessionId))),
    onTaken() {
      sinceTurn = 0;
      news.tell();
    },
    onFailure(error) {
      // A fact may have been folded and not told, so whoever follows the folds has to begin anew.
      tellers.forgetAll();
      newest = { ...newest, number: newest.number + 1 };
      views.log.restart(newest);
      parts.onFailure?.(error);
    },
  });

  async function lookForOthers(): Promise<void> {
    if (present === 0) return;
    try {
      order.read(await store.lastPosition());
    } catch (error) {
      parts.onFailure?.(error);
    }
  }

  /** Whatever nobody came back to for so long cannot be resumed any more. */
  function rest(): void {
    for (const vocabulary of [facts, views]) {
      if (!vocabulary.isActive || vocabulary.followers > 0 || now() - vocabulary.leftAt < keptMs) continue;
      vocabulary.isActive = false;
      vocabulary.log.restart(newest);
      if (vocabulary === views) tellers.forgetAll();
    }
    if (present === 0 && !facts.isActive && !views.isActive) stop?.();
  }

  /** What happened while it rested raised no number, so a new one tells whoever comes back from whoever was here. */
  function wakeUp(vocabulary: Vocabulary): void {
    if (vocabulary.isActive) return;
    newest = { ...newest, number: newest.number + 1 };
    vocabulary.log.restart(newest);
    vocabulary.isActive = true;
  }

  async function begin(): Promise<void> {
    const stops = [
      order.begin(),
      repeat(() => void lookForOthers(), otherProcessesMs),
      repeat(() => {
        heartbeats += 1;
        news.tell();
        rest();
      }, heartbeatMs),
    ];
    stop = () => {
      for (const end of stops) end();
      stop = undefined;
      opening = undefined;
    };
    try {
      newest = { ...newest, position: await store.lastPosition() };
    } catch (error) {
      stop();
      throw error;
    }
    order.release();
  }

  async function ready(): Promise<void> {
    if (isClosed) return;
    opening ??= begin();
    await opening;
    await order.settled();
  }

  function enter(): () => void {
    present += 1;
    let isGone = false;
    return () => {
      if (!isGone) present -= 1;
      isGone = true;
    };
  }

  async function open(options: HubFollowOptions): Promise<OpenFollower> {
    const leave = enter();
    const { sessionId, signal, view = "facts", hasAliases = false } = options;
    const vocabulary = view === "facts" ? facts : views;
    vocabulary.followers += 1;
    const close = () => {
      vocabulary.followers -= 1;
      vocabulary.leftAt = now();
      leave();
    };
    try {
      await ready();
      wakeUp(vocabulary);
      const start = await startOf(options, { store, life, newest: () => newest, log: vocabulary.log });
      const follower = createFollower(
        {
          ...{ store, life, directory, log: vocabulary.log },
          placeOf: async (id) => ownPlace(await places.find(id)),
          newest: () => newest,
          news: news.next,
          isClosed: () => isClosed,
          heartbeats: () => heartbeats,
        },
        { ...start, view, hasAliases, signal, ...(sessionId !== undefined && { sessionId }) },
      );
      return {
        ...follower,
        onTooSlow: (listener) => watched.set(follower, listener),
        close: once(() => {
          watched.delete(follower);
          close();
        }),
      };
    } catch (error) {
      close();
      throw error;
    }
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
      while (newest.position <= position && !isClosed && !signal.aborted) await orAborted(news.next(), signal);
    },
    async close() {
      if (isClosed) return;
      if (opening !== undefined) {
        // Whoever waits for the beginning is told of its failure.
        await opening.catch(() => undefined);
        order.read(Number.POSITIVE_INFINITY);
        await order.settled();
      }
      isClosed = true;
      stop?.();
      news.tell();
    },
  };
}

function emptyVocabulary(now: () => number): Vocabulary {
  return { log: createEventLog(now), followers: 0, isActive: false, leftAt: 0 };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

const repeatUnheld: Repeat = (work, everyMs) => {
  const timer = setInterval(work, everyMs).unref();
  return () => clearInterval(timer);
};
