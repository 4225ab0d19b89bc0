/** Does one thing at a time, and once more with the newest wish when others came meanwhile. */

export interface CoalescedRuns<Wish> {
  /** Starts, or takes the place of the wish that waits. Never throws: `work` tells of its own failures. */
  trigger(wish: Wish): void;
  /** True when nothing was left under way; what did not end in time is aborted, and what waits is dropped. */
  drain(deadline: Promise<void>): Promise<boolean>;
}

export function createCoalescedRuns<Wish>(
  work: (wish: Wish, signal: AbortSignal) => Promise<void>,
): CoalescedRuns<Wish> {
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  let waiting: { readonly wish: Wish } | undefined;

  async function runAll(first: Wish): Promise<void> {
    for (let wish: Wish | undefined = first; wish !== undefined && !stop.signal.aborted; ) {
      waiting = undefined;
      await work(wish, stop.signal);
      // Set meanwhile by `trigger`, which the compiler cannot see.
      wish = (waiting as { readonly wish: Wish } | undefined)?.wish;
    }
    running = undefined;
  }

  return {
    trigger(wish) {
      if (stop.signal.aborted) return;
      if (running === undefined) running = runAll(wish);
      else waiting = { wish };
    },
    async drain(deadline) {
      waiting = undefined;
      if (running === undefined) {
        stop.abort();
        return true;
      }
      const isDone = await Promise.race([running.then(() => true), deadline.then(() => false)]);
      stop.abort();
      await running;
      return isDone;
    },
  };
}
