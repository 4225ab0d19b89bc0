/** Draws again when something changes by itself, such as a spinner, and never otherwise. */

export interface Ticker {
  /** Looks when the next time is; called after everything that may have changed it. */
  schedule(): void;
  stop(): void;
}

const tickMinMs = 16;

export type TickerParts = { readonly nextInMs: () => number | undefined; readonly tick: () => void };

export function createTicker({ nextInMs, tick }: TickerParts): Ticker {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delayMs = 0;
  let isStopped = false;

  function schedule(): void {
    if (isStopped) return;
    const next = nextInMs();
    if (next === undefined) return;
    const wishedMs = Math.max(tickMinMs, next);
    // What is due sooner does not wait for what was due later.
    if (timer !== undefined && wishedMs >= delayMs) return;
    clearTimeout(timer);
    delayMs = wishedMs;
    timer = setTimeout(() => {
      timer = undefined;
      tick();
      schedule();
    }, delayMs);
  }

  return {
    schedule,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
