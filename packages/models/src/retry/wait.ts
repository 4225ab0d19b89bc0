/** Waiting that an abort ends at once. */

export type Wait = (delayMs: number, signal: AbortSignal) => Promise<void>;

/** What timers can hold; a longer delay would end at once. */
const timerMsMax = 2 ** 31 - 1;

/** Resolves after the delay or with the abort, whichever comes first, and leaves neither timer nor listener behind. */
export const waitMs: Wait = (delayMs, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, Math.min(delayMs, timerMsMax));
    signal.addEventListener("abort", finish, { once: true });
  });
