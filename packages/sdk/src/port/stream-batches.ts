/** Sends a stream in batches: what comes after a pause at once, what follows shortly after it together. */
import { mergeDeltas } from "./merge-deltas.ts";
import type { StreamItem } from "./port-messages.ts";

/** One picture of a screen that shows sixty in a second. */
export const batchWindowMs = 16;
/** A reader that has this many before it gets no more until it read one of them. */
export const batchesUntakenMax = 4;
/** A source that gives more than this within a window, or never pauses, is sent on earlier. */
export const itemsPerBatchMax = 1024;

interface StreamBatches {
  put(item: StreamItem): void;
  /** Resolves when more may be put, or nothing is sent any more. */
  room(): Promise<void> | undefined;
  /** The reader is done with the oldest batch. */
  took(): void;
  /** Sends what waits, whatever the reader has before it. */
  flush(): void;
  /** What waits is forgotten. */
  close(): void;
}

export function createStreamBatches(post: (items: readonly StreamItem[]) => void): StreamBatches {
  let waiting: StreamItem[] = [];
  /** With those that were merged into others. */
  let waitingCount = 0;
  let untaken = 0;
  let isClosed = false;
  let window: ReturnType<typeof setTimeout> | undefined;
  let roomMade: PromiseWithResolvers<void> | undefined;

  const isFull = () => untaken >= batchesUntakenMax;

  function flush(): void {
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    waitingCount = 0;
    untaken += 1;
    post(items);
  }

  function openWindow(): void {
    window = setTimeout(() => {
      window = undefined;
      sendNow();
    }, batchWindowMs);
  }

  /** After a pause that lasted a whole window nothing waits, and the next one goes at once. */
  function sendNow(): void {
    if (waiting.length === 0 || isFull() || isClosed) return;
    flush();
    openWindow();
  }

  function add(item: StreamItem): void {
    const last = waiting.at(-1);
    const merged = last === undefined ? undefined : mergeDeltas(last, item);
    if (merged === undefined) waiting.push(item);
    else waiting[waiting.length - 1] = merged;
    waitingCount += 1;
  }

  function letIn(): void {
    roomMade?.resolve();
    roomMade = undefined;
  }

  return {
    flush,
    put(item) {
      if (isClosed) return;
      add(item);
      if (window === undefined) sendNow();
      else if (waitingCount >= itemsPerBatchMax && !isFull()) flush();
    },
    room() {
      if (isClosed || !isFull()) return undefined;
      roomMade ??= Promise.withResolvers();
      return roomMade.promise;
    },
    took() {
      untaken -= 1;
      if (window === undefined) sendNow();
      if (!isFull()) letIn();
    },
    close() {
      isClosed = true;
      waiting = [];
      clearTimeout(window);
      letIn();
    },
  };
}
