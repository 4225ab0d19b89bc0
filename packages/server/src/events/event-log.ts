/** The newest events of a place of work, kept once for all who follow: each of them reads here at its own pace. */
import type { StreamPlace } from "./frame-id.ts";
import type { SentFrame } from "./sent-frame.ts";

/** Signals and view events; facts can be read from the store at any time. */
export const unstoredMax = 10_000;
export const keptMs = 10 * 60_000;
/** More than the backlog at which a client is given up, so that no other one ever misses an event. */
export const keptCharactersMax = 24 * 1024 * 1024;

/** Whoever comes back and missed more than this starts over, so no more is kept for them. */
export const resumedCharactersMax = 5 * 1024 * 1024;

/** Of these also the bytes are kept. Whoever is further behind has them made again. */
export const encodedCharactersMax = 2 * 1024 * 1024;

/** With the place that a client is at once it has seen it. */
export type LogEntry = SentFrame &
  StreamPlace & { readonly isFact: boolean; readonly isDelta: boolean; readonly sessionId: string };

export interface EventLog {
  push(entry: LogEntry): void;
  /** What comes at this index or behind it is kept for as long as there is room, until the function given back is called. */
  keepFor(next: () => number): () => void;
  /** Entries are counted from 0 for as long as the log lives; the first ones go. */
  readonly first: number;
  readonly end: number;
  at(index: number): LogEntry | undefined;
  /** How much whoever comes to this entry next has still to read, in characters. */
  charactersFrom(index: number): number;
  /** Everything up to here is gone or was never here. */
  readonly lost: StreamPlace;
  /** Forgets everything. */
  restart(from: StreamPlace): void;
}

type Kept = { readonly entry: LogEntry; readonly time: number; readonly charactersBefore: number };

/** Places taken off the front at once, because taking one off moves all others. They are empty before that. */
const trimmedAtOnce = 1_024;

export function createEventLog(now: () => number): EventLog {
  let kept: (Kept | undefined)[] = [];
  /** Those before this index of `kept` are gone already. */
  let gone = 0;
  /** Those before this index of `kept` have no bytes any more. */
  let encoded = 0;
  let first = 0;
  let characters = 0;
  let unstored = 0;
  let lost: StreamPlace = { position: 0, number: 0 };
  const readers = new Set<() => number>();

  function isTooMuch(oldest: Kept): boolean {
    return (
      unstored > unstoredMax || characters - oldest.charactersBefore > keptCharactersMax || now() - oldest.time > keptMs
    );
  }

  /** All who follow have read it, and nobody who comes back would be given it. */
  function isRead(oldest: Kept): boolean {
    if (characters - oldest.charactersBefore <= resumedCharactersMax) return false;
    for (const next of readers) if (next() <= first) return false;
    return true;
  }

  function trim(): void {
    for (let oldest = kept[gone]; oldest !== undefined; oldest = kept[gone]) {
      if (!isTooMuch(oldest) && !isRead(oldest)) break;
      const { position, number, isFact } = oldest.entry;
      lost = { position, number };
      if (!isFact) unstored -= 1;
      kept[gone] = undefined;
      gone += 1;
      first += 1;
    }
    if (gone < trimmedAtOnce) return;
    kept = kept.slice(gone);
    encoded = Math.max(0, encoded - gone);
    gone = 0;
  }

  function forgetBytes(): void {
    for (let next = kept[encoded]; encoded < kept.length; next = kept[encoded]) {
      if (next !== undefined) {
        if (characters - next.charactersBefore <= encodedCharactersMax) return;
        next.entry.bytes = undefined;
        next.entry.aliased = undefined;
      }
      encoded += 1;
    }
  }

  return {
    push(entry) {
      kept.push({ entry, time: now(), charactersBefore: characters });
      characters += entry.characters;
      if (!entry.isFact) unstored += 1;
      trim();
      forgetBytes();
    },
    keepFor(next) {
      readers.add(next);
      return () => void readers.delete(next);
    },
    get first() {
      return first;
    },
    get end() {
      return first + kept.length - gone;
    },
    at: (index) => (index < first ? undefined : kept[index - first + gone]?.entry),
    charactersFrom(index) {
      const next = kept[Math.max(index, first) - first + gone];
      return next === undefined ? 0 : characters - next.charactersBefore;
    },
    get lost() {
      return lost;
    },
    restart(from) {
      first += kept.length - gone;
      kept = [];
      gone = 0;
      encoded = 0;
      unstored = 0;
      lost = from;
    },
  };
}
