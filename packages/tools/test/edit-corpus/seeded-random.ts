/** Random numbers that are the same in every run, so that a corpus can be generated instead of stored. */

export type SeededRandom = {
  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number;
  pick<Value>(values: readonly Value[]): Value | undefined;
};

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: (values) => values[below(values.length)] };
}
