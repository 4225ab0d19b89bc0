/** Takes in events from when the first one follows until nobody is left, and counts heartbeats meanwhile. */
import type { Store } from "@kedge/protocol";
import type { EventOrder } from "./event-order.ts";

export const heartbeatMs = 10_000;
/** How often facts of other processes are looked for while somebody follows. */
const otherProcessesMs = 500;

/** Calls the work again and again until the function given back is called. Keeps no process alive. */
export type Repeat = (work: () => void, everyMs: number) => () => void;

export type EventIntakeParts = {
  readonly order: EventOrder;
  readonly store: Pick<Store, "lastPosition">;
  readonly repeat?: Repeat;
  /** Told where the store ends before the first event is taken. */
  readonly onBegin: (position: number) => void;
  /** Says whether events may be left alone while nobody is present. */
  readonly onHeartbeat: () => boolean;
  /** Told when the store could not be read; the next event tries again. */
  readonly onFailure?: (error: unknown) => void;
};

interface EventIntake {
  /** Facts are looked for until the function given back is called, which calls `onLeft` once. */
  enter(onLeft?: () => void): () => void;
  /** Resolves when everything is taken that was there. */
  ready(): Promise<void>;
  heartbeats(): number;
  isClosed(): boolean;
  /** Takes what was published before. The store must still be open. */
  close(): Promise<void>;
}

export function createEventIntake(parts: EventIntakeParts): EventIntake {
  const { order, store, repeat = repeatUnheld } = parts;
  let opening: Promise<void> | undefined;
  let stop: (() => void) | undefined;
  let present = 0;
  let heartbeats = 0;
  let isClosed = false;

  async function lookForOthers(): Promise<void> {
    if (present === 0) return;
    try {
      order.read(await store.lastPosition());
    } catch (error) {
      parts.onFailure?.(error);
    }
  }

  async function begin(): Promise<void> {
    const stops = [
      order.begin(),
      repeat(() => void lookForOthers(), otherProcessesMs),
      repeat(() => {
        heartbeats += 1;
        if (parts.onHeartbeat() && present === 0) stop?.();
      }, heartbeatMs),
    ];
    stop = () => {
      for (const end of stops) end();
      stop = undefined;
      opening = undefined;
    };
    try {
      parts.onBegin(await store.lastPosition());
    } catch (error) {
      stop();
      throw error;
    }
    order.release();
  }

  return {
    enter(onLeft) {
      present += 1;
      let isGone = false;
      return () => {
        if (isGone) return;
        isGone = true;
        present -= 1;
        onLeft?.();
      };
    },
    async ready() {
      if (isClosed) return;
      opening ??= begin();
      await opening;
      await order.settled();
    },
    heartbeats: () => heartbeats,
    isClosed: () => isClosed,
    async close() {
      if (opening !== undefined) {
        // Whoever waits for the beginning is told of its failure.
        await opening.catch(() => undefined);
        order.read(Number.POSITIVE_INFINITY);
        await order.settled();
      }
      isClosed = true;
      stop?.();
    },
  };
}

const repeatUnheld: Repeat = (work, everyMs) => {
  const timer = setInterval(work, everyMs).unref();
  return () => clearInterval(timer);
};
