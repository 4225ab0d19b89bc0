/** Random JSON of every kind: nested, empty, with unicode, and with the characters that JSON itself is written in. */
import type { SeededRandom } from "./seeded-random.ts";

type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

const texts = ["", "x", 'a "b" \\', "},{", "[\n]", "ü", "👍🏽", "\u0000\u2028", "\\u00e9", "rm -rf /"];

export function randomJson(random: SeededRandom, depth = 3): Value {
  switch (random.below(depth === 0 ? 4 : 6)) {
    case 0:
      return texts[random.below(texts.length)] ?? "";
    case 1:
      return (random.below(2_000) - 1_000) / 10 ** random.below(4);
    case 2:
      return random.below(2) === 0;
    case 3:
      return null;
    case 4:
      return Array.from({ length: random.below(4) }, () => randomJson(random, depth - 1));
    default:
      return randomJsonObject(random, depth);
  }
}

export function randomJsonObject(random: SeededRandom, depth = 3): { readonly [name: string]: Value } {
  const names = random.shuffle(["a", "b c", "ключ", '"', "n"]).slice(0, random.below(4));
  return Object.fromEntries(names.map((name) => [name, randomJson(random, depth - 1)]));
}
