/** A clock that only moves when it is read, so that every test run sees the same times. */

type FixedClock = { readonly now: () => number; readonly monotonicMs: () => number };

export function createFixedClock({ startMs = 1_700_000_000_000, stepMs = 1 } = {}): FixedClock {
  let epochMs = startMs;
  let monotonicMs = 0;
  return {
    now() {
      const read = epochMs;
      epochMs += stepMs;
      return read;
    },
    monotonicMs() {
      const read = monotonicMs;
      monotonicMs += stepMs;
      return read;
    },
  };
}
