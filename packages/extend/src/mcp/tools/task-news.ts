/** What a server tells of its tasks without being asked: whoever follows one looks again at once. */

export interface TaskNews {
  told(taskId: string): void;
  /** Resolves with the next news of the task, after the time, or when the signal is aborted. */
  until(taskId: string, delayMs: number, signal: AbortSignal): Promise<void>;
}

/** A server that tells without end is asked this often. */
const gapMs = 100;

export function createTaskNews(): TaskNews {
  const waiting = new Map<string, () => void>();
  return {
    told: (taskId) => waiting.get(taskId)?.(),
    async until(taskId, delayMs, signal) {
      await delay(Math.min(gapMs, delayMs), signal);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(taskId, resolve);
      try {
        await Promise.race([promise, delay(delayMs - gapMs, signal)]);
      } finally {
        waiting.delete(taskId);
      }
    },
  };
}

function delay(delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || delayMs <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    timer.unref();
    signal.addEventListener("abort", end, { once: true });
  });
}
