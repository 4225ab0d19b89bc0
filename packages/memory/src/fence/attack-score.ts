/** Judges a text by the sum of what speaks for an order to a model: its words, ideas that stand near each other, and rules that matched. */
import { textBeside } from "@kedge/protocol/text-file";
import { eachMatch, makeSearch, type Search, type SearchedText } from "./search-text.ts";

/** An idea in the words of several languages. */
export type IdeaTable = { readonly [idea: string]: readonly string[] };

/**
 * Made by `packages/memory/test/train-text-guard.ts`. `marks` are ideas, rules, and two of them that stand together, such as
 * `human+secrecy`; `words` are words and pairs of words that follow each other.
 */
export type WeightTable = {
  readonly base: number;
  readonly least: number;
  readonly marks: { readonly [name: string]: number };
  readonly words: { readonly [name: string]: number };
};

/** What was found at a place of the text: an idea, or a rule that matched. */
export type Mark = { readonly name: string; readonly index: number };

/** A few sentences that follow each other. */
export type Passage = {
  readonly marks: readonly string[];
  /** Words and pairs of each sentence, every one once. */
  readonly words: readonly (readonly string[])[];
  readonly length: number;
};

type Scoring = {
  readonly ideas: readonly { readonly idea: string; readonly search: Search }[];
  readonly base: number;
  readonly least: number;
  readonly marks: ReadonlyMap<string, number>;
  readonly words: ReadonlyMap<string, number>;
};

/** Ideas further apart belong to different thoughts. */
const sentencesTogether = 3;
const charactersTogether = 420;
/** Of each idea, so that a text full of one costs no more than a long one. */
const hitsMax = 400;
/** Of a sentence; what has more is data. */
const wordsMax = 120;

/** Made with the first text, because a start has none to look at. */
let scoring: Scoring | undefined;

/** What speaks for an attack, or undefined where it weighs too little. */
export function findBySum(text: SearchedText, rules: readonly Mark[]): readonly string[] | undefined {
  scoring ??= readScoring();
  const { base, least, marks, words } = scoring;
  for (const passage of passagesOf(text, rules, scoring.ideas)) {
    if (sumOf(passage, base, marks, words) > least) return passage.marks;
  }
  return undefined;
}

/** For the training, which has to see the same as the judgement. */
export function passages(text: SearchedText, rules: readonly Mark[]): readonly Passage[] {
  scoring ??= readScoring();
  return passagesOf(text, rules, scoring.ideas);
}

export function sumOf(
  { marks, words, length }: Passage,
  base: number,
  markWeights: ReadonlyMap<string, number>,
  wordWeights: ReadonlyMap<string, number>,
): number {
  let sum = base;
  for (const name of markNames(marks)) sum += markWeights.get(name) ?? 0;
  let spoken = 0;
  for (const sentence of words) for (const name of sentence) spoken += wordWeights.get(name) ?? 0;
  return sum + spoken * shareOfWords(length);
}

/** Each alone, and each two ideas together; sorted before, so that two have one name in whatever order they come. */
export function* markNames(marks: readonly string[]): Generator<string> {
  const ideas = marks.filter((mark) => !isRule.test(mark));
  yield* marks;
  for (const [place, idea] of ideas.entries()) {
    for (const other of ideas.slice(place + 1)) yield `${idea}+${other}`;
  }
}

const isRule = /^(?:rule|trait)(?::|$)/;

/** Long passages have more words and say no more by each of them. */
export function shareOfWords(length: number): number {
  return Math.min(1, 5 / Math.sqrt(length || 1));
}

function passagesOf({ text, ...searched }: SearchedText, rules: readonly Mark[], ideas: Scoring["ideas"]): Passage[] {
  const marks = [...rules, ...ideas.flatMap((idea) => marksOf({ text, ...searched }, idea))].sort(
    (left, right) => left.index - right.index,
  );
  const starts = [0, ...[...text.matchAll(/[.!?。](?=\s)|[。\n]/g)].map(({ index }) => index + 1)];
  const sentences = starts.map((start, place) => wordsOf(text.slice(start, starts[place + 1])));
  const passages: Passage[] = [];
  let first = 0;
  for (const [place, start] of starts.entries()) {
    while ((marks[first]?.index ?? text.length) < start) first += 1;
    const end = Math.min(starts[place + sentencesTogether] ?? text.length, start + charactersTogether);
    const near = new Set<string>();
    for (let next = first; (marks[next]?.index ?? text.length) < end; next += 1) near.add(marks[next]?.name ?? "");
    const within = [0, 1, 2].filter((next) => next === 0 || (starts[place + next] ?? text.length) < end);
    const words = within.map((next) => sentences[place + next] ?? []);
    const length = words.reduce((sum, sentence) => sum + sentence.length, 0);
    // Words alone say too little: every list of them is wrong about a short sentence now and then.
    if (near.size > 0) passages.push({ marks: [...near].sort(), words, length });
  }
  return passages;
}

function marksOf(text: SearchedText, { idea, search }: Scoring["ideas"][number]): readonly Mark[] {
  return [...eachMatch(text, search, hitsMax)].map(({ index }) => ({ name: idea, index }));
}

/** Scripts without blanks by their letters. */
const word = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}']+|\d+|[^\s\p{L}\d]/gu;
const ending = /(?:ing|ed|es|s)$/;

function wordsOf(sentence: string): readonly string[] {
  const words = (sentence.slice(0, 2_000).toLowerCase().match(word) ?? [])
    .slice(0, wordsMax)
    .map((each) => (/^\d/.test(each) ? "#" : each.replace(ending, "")));
  const names = new Set(words);
  for (let place = 1; place < words.length; place += 1) names.add(`${words[place - 1]} ${words[place]}`);
  return [...names];
}

function readScoring(): Scoring {
  // Our own files, which the test of this module checks.
  const ideas = JSON.parse(textBeside(import.meta.url, "./attack-ideas.json")) as IdeaTable;
  const table = JSON.parse(textBeside(import.meta.url, "./attack-weights.json")) as WeightTable;
  return {
    ideas: Object.entries(ideas).map(([idea, words]) => ({ idea, search: makeSearch(words.join("|"), "im") })),
    base: table.base,
    least: table.least,
    marks: new Map(Object.entries(table.marks)),
    words: new Map(Object.entries(table.words)),
  };
}
