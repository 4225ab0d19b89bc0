/** Randomness that can be repeated: the end of a run of tests names the seed that all of them drew from. */

export type SeededRandom = {
  readonly seed: number;
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number from 0 up to but not including the limit. */
  below(limit: number): number;
  shuffle<Item>(items: readonly Item[]): Item[];
  /** Where several tests draw from one: a test gets the same cases alone as after all the others. */
  restart(name: string): void;
};

/** Without a seed of its own it takes the one of the run, or a new one outside of tests. */
export function createSeededRandom(given = process.env["KEDGE_TEST_SEED"]): SeededRandom {
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
    restart(name) {
      state = seed >>> 0;
      for (const character of name) state = (Math.imul(state, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
    },
  };
}
