/** The frames of all events in two logs, under their own names and as view events, and the place of the newest one. */
import {
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
import type { EventOrderParts } from "./event-order.ts";
import { frameIdOf, type StreamPlace } from "./frame-id.ts";
import { sentFrame } from "./sent-frame.ts";
import { createSessionPlaces, type SessionPlace } from "./session-places.ts";
import { createViewTellers } from "./view-tellers.ts";

export type FrameLogsParts = {
  readonly store: Store;
  readonly life: string;
  /** What the words of the server are about, and all events of a hub that has a project. */
  readonly directory: string;
  /** Whose sessions are told of; all there are without it. */
  readonly projectId?: string;
  readonly now: () => number;
  /** Lets followers have their turn. */
  readonly nextTurn: () => Promise<void>;
};

/** What is put into the log before followers get their turn. */
const turnCharactersMax = 2 * 1024 * 1024;

/** Facts and signals under their own names, or view events. Written only while somebody follows or may come back. */
type Vocabulary = { readonly log: EventLog; followers: number; isActive: boolean; leftAt: number };

interface FrameLogs
  extends Pick<EventOrderParts, "position" | "takeFactNow" | "takeFact" | "takeSignalNow" | "takeSignal"> {
  newest(): StreamPlace;
  moveTo(position: number): void;
  /** Where a session belongs, or undefined when it does not belong here. */
  placeOf(sessionId: string): Promise<SessionPlace | undefined>;
  /** Counts one follower more until `leave` is called. Nothing is written for it before `wakeUp`. */
  join(view: "facts" | "parts"): { readonly log: EventLog; wakeUp(): void; leave(): void };
  endTurn(): void;
  /** A fact may have been folded and not told, so whoever follows the folds has to begin again. */
  restartViews(): void;
  /** Whatever nobody came back to for so long cannot be resumed any more. True when nothing is written. */
  rest(): boolean;
}

export function createFrameLogs(parts: FrameLogsParts): FrameLogs {
  const { store, life, now, directory, projectId } = parts;
  const places = createSessionPlaces(store);
  const tellers = createViewTellers(store, now);
  const facts = emptyVocabulary(now);
  const views = emptyVocabulary(now);
  // The first who follows makes it 0.
  let newest: StreamPlace = { position: 0, number: -1 };
  let sinceTurn = 0;

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
    const sent = sentFrame({ id: frameIdOf(newest, life), directory: place.directory, ...body });
    sinceTurn += sent.characters;
    log.push({ ...sent, ...newest, isFact, isDelta, sessionId: body.sessionId ?? "" });
  }

  function pushViews(sessionId: string, events: readonly ViewEvent[], place: SessionPlace): void {
    for (const event of events) {
      const isDelta = event.type === "message.part.delta" || event.type === "task.progress";
      push(views.log, frameOfViewEvent(sessionId, event), { isFact: false, isDelta, place });
    }
  }

  function pushFact(position: number, record: FactRecord, place: SessionPlace | undefined): void {
    newest = { ...newest, position };
    if (place === undefined || !facts.isActive) return;
    push(facts.log, frameOfRecord(record), { isFact: true, isDelta: false, place });
  }

  function pushSignal(signal: Signal, place: SessionPlace | undefined): void {
    if (place === undefined) return;
    if (facts.isActive) push(facts.log, frameOfSignal(signal), { isFact: false, isDelta: isDelta(signal), place });
    if (views.isActive) pushViews(signal.sessionId, tellers.signal(signal), place);
  }

  function restart(vocabulary: Vocabulary): void {
    newest = { ...newest, number: newest.number + 1 };
    vocabulary.log.restart(newest);
  }

  return {
    newest: () => newest,
    position: () => newest.position,
    moveTo(position) {
      newest = { ...newest, position };
    },
    placeOf: async (sessionId) => ownPlace(await places.find(sessionId)),
    /** Whoever shows messages and parts needs the fold of the session, which may have to be read. */
    takeFactNow(position, record) {
      const place = places.known(record.sessionId);
      if (place === undefined || views.isActive) return false;
      pushFact(position, record, ownPlace(place));
      return true;
    },
    async takeFact(position, record) {
      if (sinceTurn > turnCharactersMax) {
        sinceTurn = 0;
        await parts.nextTurn();
      }
      const place = ownPlace(await places.find(record.sessionId, record.fact));
      const events = place !== undefined && views.isActive ? await tellers.fact(record) : [];
      pushFact(position, record, place);
      if (place !== undefined) pushViews(record.sessionId, events, place);
    },
    takeSignalNow(signal) {
      const place = places.known(signal.sessionId);
      if (place === undefined) return false;
      pushSignal(signal, ownPlace(place));
      return true;
    },
    takeSignal: async (signal) => pushSignal(signal, ownPlace(await places.find(signal.sessionId))),
    endTurn() {
      sinceTurn = 0;
    },
    join(view) {
      const vocabulary = view === "facts" ? facts : views;
      vocabulary.followers += 1;
      return {
        log: vocabulary.log,
        // What happened while it rested raised no number, so a new one tells whoever comes back from whoever was here.
        wakeUp() {
          if (!vocabulary.isActive) restart(vocabulary);
          vocabulary.isActive = true;
        },
        leave() {
          vocabulary.followers -= 1;
          vocabulary.leftAt = now();
        },
      };
    },
    restartViews() {
      tellers.forgetAll();
      restart(views);
    },
    rest() {
      for (const vocabulary of [facts, views]) {
        if (!vocabulary.isActive || vocabulary.followers > 0 || now() - vocabulary.leftAt < keptMs) continue;
        vocabulary.isActive = false;
        vocabulary.log.restart(newest);
        if (vocabulary === views) tellers.forgetAll();
      }
      return !facts.isActive && !views.isActive;
    },
  };
}

function emptyVocabulary(now: () => number): Vocabulary {
  return { log: createEventLog(now), followers: 0, isActive: false, leftAt: 0 };
}
