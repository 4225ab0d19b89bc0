/** Names are often several words written as one: `hackernews`, `filesystem`, `taskmanager`. */
import { stemTerm } from "./stem-term.ts";

const wordCharactersMin = 7;
const endCharactersMin = 4;
const beginCharactersMin = 3;

/** The stems of the two known words that a name is made of. Case changes split it before. */
export function compoundTerms(words: string, isKnown: (stem: string) => boolean): readonly string[] {
  return words
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length >= wordCharactersMin)
    .flatMap((word) => {
      for (let cut = beginCharactersMin; cut <= word.length - endCharactersMin; cut += 1) {
        const parts = [stemTerm(word.slice(0, cut)), stemTerm(word.slice(cut))];
        if (parts.every(isKnown)) return parts;
      }
      return [];
    });
}
