/** Hands on as one change what came together, so that a flood of deltas is drawn once. */
import type { ViewEvent } from "@kedge/protocol";

export type EventQueueParts = {
  /** Nothing is handed on meanwhile; whoever holds it calls `flush` after. */
  readonly isHeld: () => boolean;
  /** Calls it back soon: with the next frame, for example. At the end of the current turn of the loop without it. */
  readonly schedule?: ((flush: () => void) => void) | undefined;
  /** One event at least. */
  readonly onEvents: (events: readonly ViewEvent[]) => void;
};

export interface EventQueue {
  take(event: ViewEvent): void;
  flush(): void;
  clear(): void;
}

export function createEventQueue({
  isHeld,
  schedule = (flush) => void setImmediate(flush),
  onEvents,
}: EventQueueParts): EventQueue {
  let waiting: ViewEvent[] = [];
  let isFlushing = false;

  function flush(): void {
    isFlushing = false;
    if (isHeld()) return;
    const events = waiting;
    waiting = [];
    if (events.length > 0) onEvents(events);
  }

  return {
    take(event) {
      waiting.push(event);
      if (isFlushing) return;
      isFlushing = true;
      schedule(flush);
    },
    flush,
    clear() {
      waiting = [];
    },
  };
}
