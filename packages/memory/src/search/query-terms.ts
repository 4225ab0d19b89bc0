/** What a question asks of an index: its terms with weights, related words, and the nearest ones for what occurs nowhere. */
import { type NoteIndex, pairOf } from "./note-index.ts";
import { sameMeaning, sameTopic } from "./related-words.ts";
import { isCommon, questionTerms } from "./search-terms.ts";

/** One thing that is asked for: any of these terms, the first as it was asked. */
export type Wanted = { readonly forms: readonly { readonly term: string; readonly weight: number }[] };

const nameWeight = 1.3;
/** How often a word occurs in a few notes says little about words that occur everywhere. */
const commonWeight = 0.4;
const relatedWeight = 0.5;
const topicWeight = 0.4;
const pairWeight = 0.6;
const prefixWeight = 0.5;
const typoWeight = 0.6;
const formsMax = 24;
const questionCharactersMax = 2_000;
const wantedMax = 40;

export function wantedTerms(question: string, index: NoteIndex): readonly Wanted[] {
  const asked = new Map<string, boolean>();
  const pairs = new Set<string>();
  let before: string | undefined;
  for (const { text, isName } of questionTerms(question.slice(0, questionCharactersMax))) {
    if (asked.size >= wantedMax) break;
    asked.set(text, asked.get(text) === true || isName);
    if (before !== undefined && before !== text) pairs.add(pairOf(before, text));
    before = text;
  }
  const single = [...asked].map(([term, isName]) => ({ forms: formsOf(term, weightOf(term, isName), index) }));
  const together = [...pairs].filter((pair) => index.postings.has(pair));
  return [...single, ...together.map((term) => ({ forms: [{ term, weight: pairWeight }] }))];
}

function weightOf(term: string, isName: boolean): number {
  if (isName) return nameWeight;
  return isCommon(term) ? commonWeight : 1;
}

function formsOf(term: string, weight: number, index: NoteIndex): Wanted["forms"] {
  const forms = [{ term, weight }];
  for (const other of sameMeaning(term)) forms.push({ term: other, weight: weight * relatedWeight });
  for (const other of sameTopic(term)) forms.push({ term: other, weight: weight * topicWeight });
  if (!index.postings.has(term)) {
    for (const near of nearTerms(term, index)) forms.push({ term: near.term, weight: weight * near.weight });
  }
  return forms.filter((form) => index.postings.has(form.term)).slice(0, formsMax);
}

/** Beginnings first, then words with one letter typed otherwise, two in long ones. */
function nearTerms(term: string, index: NoteIndex): readonly { readonly term: string; readonly weight: number }[] {
  if (term.length < 4 || /\d|@/.test(term)) return [];
  const near: { term: string; weight: number }[] = [];
  const distanceMax = term.length >= 8 ? 2 : 1;
  for (const other of index.vocabulary.get(term.slice(0, 1)) ?? []) {
    if (other.startsWith(term) || (other.length >= 5 && term.startsWith(other))) {
      near.push({ term: other, weight: prefixWeight });
    } else if (Math.abs(other.length - term.length) <= distanceMax && isNear(term, other, distanceMax)) {
      near.push({ term: other, weight: typoWeight });
    }
  }
  return near.sort((left, right) => right.weight - left.weight).slice(0, formsMax - 1);
}

/** Whether so few letters, added, left out, changed or swapped, make one word of the other. */
function isNear(left: string, right: string, distanceMax: number): boolean {
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (isSwapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    if (Math.min(...next) > distanceMax) return false;
    before = row;
    row = next;
  }
  return (row[right.length] ?? 0) <= distanceMax;
}
