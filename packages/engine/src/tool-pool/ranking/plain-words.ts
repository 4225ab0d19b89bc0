/** Words that say little about what a tool is for, words that say what it does, and what files of a kind are called. */

import { textBeside } from "@kedge/protocol/text-file";
import { stemTerm } from "./stem-term.ts";

type PlainWords = {
  readonly empty: string;
  readonly faint: string;
  readonly vague: string;
  readonly actions: { readonly [action: string]: string };
  readonly fileKinds: { readonly [ending: string]: string };
};

// Our own file, whose words the tests of the ranking read.
const plain = JSON.parse(textBeside(import.meta.url, "./plain-words.json")) as PlainWords;

const faintWeight = 0.1;
const vagueWeight = 0.5;
const numberWeight = 0.2;

/** Never a term. */
export const emptyWords: ReadonlySet<string> = new Set(plain.empty.split(" "));

/** What stands for a file in a question, by the ending of its name. */
export const fileKinds: ReadonlyMap<string, string> = new Map(Object.entries(plain.fileKinds));

const faint = stemsOf(plain.faint);
const vague = stemsOf(plain.vague);
const actions: ReadonlyMap<string, string> = new Map(
  Object.entries(plain.actions).flatMap(([action, words]) => [...stemsOf(words)].map((stem) => [stem, action])),
);

/** How much a term of a question counts by itself. */
export function weightOfTerm(term: string): number {
  if (vague.has(term)) return vagueWeight;
  if (faint.has(term)) return faintWeight;
  return isNumber(term) ? numberWeight : 1;
}

export function isNumber(term: string): boolean {
  return /^\d+$/.test(term);
}

export function isFaint(term: string): boolean {
  return faint.has(term) || vague.has(term);
}

/** What a verb does: it looks, makes, removes or converts. */
export function actionOf(term: string): string | undefined {
  return actions.get(term);
}

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" ").map(stemTerm));
}
