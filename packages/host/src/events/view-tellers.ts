/** The view folds of the sessions that something happens in while somebody follows their messages and parts. */
import {
  beginTelling,
  type FactRecord,
  passOver,
  type Signal,
  type Store,
  tellFact,
  tellSignal,
  type ViewEvent,
  type ViewTelling,
} from "@kedge/protocol";

/** A fold that was given up is made anew from the store when its session goes on. */
const foldsMax = 200;

export interface ViewTellers {
  fact(record: FactRecord): Promise<readonly ViewEvent[]>;
  signal(signal: Signal): readonly ViewEvent[];
  forgetAll(): void;
}

export function createViewTellers(store: Pick<Store, "tail">, now: () => number): ViewTellers {
  const tellings = new Map<string, ViewTelling>();

  /** Unlike `read`, a tail may be left early without the whole session being checked for damage. */
  async function* recordsOf(sessionId: string): AsyncGenerator<FactRecord> {
    for await (const { record } of store.tail(0, sessionId)) yield record;
  }

  async function tellingFor({ sessionId, seq }: FactRecord): Promise<ViewTelling> {
    const known = tellings.get(sessionId);
    if (known !== undefined) return known;
    const telling = beginTelling(sessionId);
    if (seq > 1) {
      for await (const record of recordsOf(sessionId)) {
        if (record.seq >= seq) break;
        passOver(telling, record);
      }
    }
    const [oldest] = tellings.keys();
    if (tellings.size >= foldsMax && oldest !== undefined) tellings.delete(oldest);
    tellings.set(sessionId, telling);
    return telling;
  }

  return {
    async fact(record) {
      const telling = await tellingFor(record);
      return tellFact(telling, record, () => recordsOf(record.sessionId));
    },
    signal(signal) {
      // Nothing can be said of a session whose facts were not seen: what streams would go on in the middle of a word.
      const telling = tellings.get(signal.sessionId);
      return telling === undefined ? [] : tellSignal(telling, signal, now());
    },
    forgetAll: () => tellings.clear(),
  };
}
