/** Other terms that a term of a question may be answered by: related words, longer forms and typing errors. */

import { textBeside } from "@kedge/protocol/text-file";
import { stemTerm } from "./stem-term.ts";
import type { ToolIndex } from "./tool-index.ts";

export type Form = { readonly term: string; readonly weight: number };

type FormSource = Pick<ToolIndex, "postings" | "vocabulary">;

const relatedWeight = 0.55;
const insideWeight = 0.5;
const typoWeight = 0.6;
const knownCharactersMin = 3;
const typedCharactersMin = 4;
/** From this length on two typing errors are forgiven. */
const longCharactersMin = 8;
const guessesMax = 12;

/** Words of one group stand for each other. */
const related = relatedStems(JSON.parse(textBeside(import.meta.url, "./related-words.json")) as readonly string[]);

export function relatedTo(term: string): ReadonlySet<string> | undefined {
  return related.get(term);
}

/** The term itself first. The vocabulary of the index is searched only for terms that it lacks. */
export function formsOf(term: string, { postings, vocabulary }: FormSource): readonly Form[] {
  const forms: Form[] = [{ term, weight: 1 }];
  for (const other of related.get(term) ?? []) forms.push({ term: other, weight: relatedWeight });
  if (postings.has(term) || /[\d ]/.test(term) || term.length < knownCharactersMin) return forms;
  return [...forms, ...guessesFor(term, vocabulary).slice(0, guessesMax)];
}

function guessesFor(term: string, vocabulary: readonly string[]): readonly Form[] {
  const guesses: Form[] = [];
  const errorsMax = term.length >= longCharactersMin ? 2 : 1;
  for (const known of vocabulary) {
    if (known.length > term.length && known.includes(term)) guesses.push({ term: known, weight: insideWeight });
    else if (term.length >= typedCharactersMin && known[0] === term[0] && isNear(term, known, errorsMax))
      guesses.push({ term: known, weight: typoWeight });
  }
  return guesses.sort((left, right) => right.weight - left.weight || (left.term < right.term ? -1 : 1));
}

/** Whether so few letters, added, left out, changed or swapped, make one word of the other. */
function isNear(left: string, right: string, errorsMax: number): boolean {
  if (Math.abs(left.length - right.length) > errorsMax) return false;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= right.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      let errors = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change);
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (isSwapped) errors = Math.min(errors, (before[j - 2] ?? 0) + 1);
      next.push(errors);
      least = Math.min(least, errors);
    }
    if (least > errorsMax) return false;
    before = row;
    row = next;
  }
  return (row[right.length] ?? 0) <= errorsMax;
}

function relatedStems(groups: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const group of groups) {
    const stems = group.split(" ").map(stemTerm);
    for (const stem of stems) {
      const others = found.get(stem) ?? new Set<string>();
      for (const other of stems) if (other !== stem) others.add(other);
      found.set(stem, others);
    }
  }
  return found;
}
