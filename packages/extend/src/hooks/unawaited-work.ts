/** Hooks that nobody waits for while they run: counted, waited for at the end, and ended then. */

export type UnawaitedWork = {
  /** Aborted once nobody waits any more. */
  readonly signal: AbortSignal;
  readonly keep: (work: Promise<unknown>) => void;
  /** Waits for all of it, for so long, and ends what is left. */
  readonly settle: (waitMs: number) => Promise<void>;
};

export function createUnawaitedWork(): UnawaitedWork {
  const running = new Set<Promise<unknown>>();
  const closing = new AbortController();
  return {
    signal: closing.signal,
    keep(work) {
      running.add(work);
      work.finally(() => running.delete(work)).catch(() => undefined);
    },
    async settle(waitMs) {
      const all = Promise.allSettled([...running]);
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, waitMs);
      await Promise.race([all, late]);
      clearTimeout(timer);
      closing.abort();
      await all;
    },
  };
}
