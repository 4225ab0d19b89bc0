/** Draws again when something changes by itself, such as a spinner, and never otherwise. */

export interface Ticker {
  /** Looks when the next time is; called after everything that may have changed it. */
  schedule(): void;
  stop(): void;
}

const tickMinMs = 16;

export function createTicker({
  nextInMs,
  tick,
}: {
  readonly nextInMs: () => number | undefined;
  readonly tick: () => void;
}): Ticker {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  function schedule(): void {
    if (timer !== undefined || isStopped) return;
    const next = nextInMs();
    if (next === undefined) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        tick();
        schedule();
      },
      Math.max(tickMinMs, next),
    );
  }

  return {
    schedule,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
