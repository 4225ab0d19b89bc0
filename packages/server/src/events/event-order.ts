/** The one order of events: facts as they lie in the store, and each signal between the facts it was published between. */
import type { Event, FactRecord, Signal, Store } from "@kedge/protocol";
import type { EventSource } from "./join-engines.ts";

export type EventOrderParts = {
  readonly engine: EventSource;
  readonly store: Pick<Store, "tail">;
  /** Of the last fact that was taken. */
  readonly position: () => number;
  readonly takeFact: (position: number, record: FactRecord) => Promise<void>;
  /** False when it takes time, and `takeSignal` is to be called. */
  readonly takeSignalNow: (signal: Signal) => boolean;
  readonly takeSignal: (signal: Signal) => Promise<void>;
  /** Everything up to here was taken. */
  readonly onTaken: () => void;
  readonly onFailure: (error: unknown) => void;
};

export interface EventOrder {
  /** Listens to the engine until the function given back is called; nothing is taken before `release`. */
  begin(): () => void;
  release(): void;
  /** Looks into the store for facts that nobody here published. */
  wake(): void;
  /** Resolves when everything is taken that was there. */
  settled(): Promise<void>;
}

/** `afterSeq` is the last fact of the session that was published before it. */
type Waiting = { readonly signal: Signal; readonly afterSeq: number; readonly order: number };

export function createEventOrder(parts: EventOrderParts): EventOrder {
  const published = new Map<string, number>();
  let waiting: Waiting[] = [];
  let order = 0;
  let hasFacts = false;
  let isHeld = true;
  let taking: Promise<void> | undefined;

  async function takeWaiting(isDue: (held: Waiting) => boolean): Promise<void> {
    const due = waiting.filter(isDue);
    if (due.length === 0) return;
    waiting = waiting.filter((held) => !isDue(held));
    for (const { signal } of due) await parts.takeSignal(signal);
  }

  /**
   * A fact is published after it was committed. So a signal that was published before the reading began belongs before
   * whatever the reading does not find. One that was published meanwhile waits for the next reading, unless this one
   * finds the fact that it belongs before.
   */
  async function takeAll(): Promise<void> {
    hasFacts = false;
    const orderAtStart = order;
    for await (const { position, record } of parts.store.tail(parts.position())) {
      if (waiting.length > 0) {
        const { sessionId, seq } = record;
        await takeWaiting((held) => held.signal.sessionId === sessionId && held.afterSeq < seq);
      }
      await parts.takeFact(position, record);
    }
    await takeWaiting((held) => held.order <= orderAtStart);
    parts.onTaken();
  }

  async function takeUntilNothingIsLeft(): Promise<void> {
    try {
      do await takeAll();
      while (hasFacts || waiting.length > 0);
    } catch (error) {
      // The next event, or the next look for those of other processes, tries again.
      hasFacts = true;
      parts.onFailure(error);
    } finally {
      taking = undefined;
    }
  }

  function wake(): void {
    if (!isHeld) taking ??= takeUntilNothingIsLeft();
  }

  function onEvent(sessionId: string, event: Event): void {
    if (event.kind === "fact") {
      published.set(sessionId, event.record.seq);
      hasFacts = true;
      wake();
      return;
    }
    const isNext = !isHeld && taking === undefined && !hasFacts;
    // The usual case while an answer streams: everything that was published is taken already.
    if (isNext && parts.takeSignalNow(event.signal)) {
      parts.onTaken();
      return;
    }
    order += 1;
    waiting.push({ signal: event.signal, afterSeq: published.get(sessionId) ?? 0, order });
    wake();
  }

  return {
    begin() {
      isHeld = true;
      const stop = parts.engine.subscribeAll(onEvent);
      return () => {
        stop();
        isHeld = true;
        waiting = [];
        published.clear();
      };
    },
    release() {
      isHeld = false;
      if (hasFacts || waiting.length > 0) wake();
    },
    wake,
    async settled() {
      await taking;
    },
  };
}
