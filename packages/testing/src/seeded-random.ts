/** Randomness that can be repeated: a test prints the seed and takes it back. */

export type SeededRandom = {
  readonly seed: number;
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number from 0 up to but not including the limit. */
  below(limit: number): number;
  shuffle<Item>(items: readonly Item[]): Item[];
};

/** Takes a seed as text, as it comes from an environment variable; without one it makes a new seed. */
export function createSeededRandom(given?: string): SeededRandom {
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
  let state = seed >>> 0;
  const next = () => {
    // Mulberry32: small, fast, and good enough to choose test cases.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    seed,
    next,
    below,
    shuffle(items) {
      const shuffled = items.map((item) => ({ item, place: next() })).sort((left, right) => left.place - right.place);
      return shuffled.map(({ item }) => item);
    },
  };
}
