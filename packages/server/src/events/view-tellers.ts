/** The view folds of the sessions that something happens in while somebody follows their messages and parts. */
import {
  beginTelling,
  eventsOfServer,
  type FactRecord,
  passOver,
  type Signal,
  type Store,
  tellFact,
  tellSignal,
  type ViewEvent,
  type ViewTelling,
} from "@kedge/protocol";

/** A fold that was given up is rebuilt from the store when its session goes on. */
const foldsMax = 200;

interface ViewTellers {
  fact(record: FactRecord): Promise<readonly ViewEvent[]>;
  signal(signal: Signal): readonly ViewEvent[];
  forgetAll(): void;
}

export function createViewTellers(
  store: Pick<Store, "tail" | "positionOf" | "keptView">,
  now: () => number,
): ViewTellers {
  const tellings = new Map<string, ViewTelling>();

  /** Unlike `read`, a tail may be left early without the whole session being checked for damage. */
  async function* recordsOf(sessionId: string, afterSeq = 0): AsyncGenerator<FactRecord> {
    const position = afterSeq === 0 ? 0 : await store.positionOf(sessionId, afterSeq);
    for await (const { record } of store.tail(position, sessionId)) yield record;
  }

  /** What was kept is from between two runs, so that nothing of a run that goes on is missing. */
  async function begun(sessionId: string, seq: number): Promise<ViewTelling> {
    const kept = seq > 1 ? await store.keptView(sessionId) : undefined;
    const telling = beginTelling(sessionId);
    return kept === undefined || kept.skeleton.lastSeq >= seq ? telling : { ...telling, view: kept };
  }

  async function tellingFor({ sessionId, seq }: FactRecord): Promise<ViewTelling> {
    const known = tellings.get(sessionId);
    if (known !== undefined) return known;
    const telling = await begun(sessionId, seq);
    if (seq > telling.view.skeleton.lastSeq + 1) {
      for await (const record of recordsOf(sessionId, telling.view.skeleton.lastSeq)) {
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
      // Nothing else can be said of a session whose facts were not seen: what streams would go on in the middle of a word.
      const telling = tellings.get(signal.sessionId);
      return telling === undefined ? eventsOfServer(signal) : tellSignal(telling, signal, now());
    },
    forgetAll: () => tellings.clear(),
  };
}
