/** Finds orders to a model by the sum of what speaks for one: ideas that stand near each other, each with a learned weight. */
import { textBeside } from "@kedge/protocol/text-file";
import { eachMatch, makeSearch, type Search, type SearchedText } from "./search-text.ts";

/** An idea in the words of several languages. */
export type IdeaTable = { readonly [idea: string]: readonly string[] };

/** Made by `packages/memory/test/train-text-guard.ts`: of an idea, and of two that stand together, such as `secrecy+human`. */
export type WeightTable = {
  readonly base: number;
  readonly least: number;
  readonly weights: { readonly [ideas: string]: number };
};

type Scoring = {
  readonly ideas: readonly { readonly idea: string; readonly search: Search }[];
  readonly table: WeightTable;
};
type Hit = { readonly idea: string; readonly index: number };

/** Ideas that hardly any text for people has; without one of them there is nothing to add up. */
const rareIdeas: ReadonlySet<string> = new Set([
  ...["spoken_to", "machine", "secrecy", "dropped", "precedence", "unasked", "authority"],
  ...["prompt", "decode", "dialogue", "persona", "owned"],
]);

/** Ideas further apart belong to different thoughts. */
const sentencesTogether = 3;
const charactersTogether = 420;
/** Of each idea, so that a text full of one costs no more than a long one. */
const hitsMax = 400;

/** Made with the first text, because a start has none to look at. */
let scoring: Scoring | undefined;

/** The ideas that stand together, or undefined where they weigh too little. */
export function findBySum(text: SearchedText): readonly string[] | undefined {
  scoring ??= readScoring();
  const { ideas, table } = scoring;
  return groupsOf(hitsOf(text, ideas), text.text).find((group) => sumOf(group, table) > table.least);
}

/** The ideas of each few sentences that follow each other. */
export function ideaGroups(text: SearchedText): readonly (readonly string[])[] {
  scoring ??= readScoring();
  return groupsOf(hitsOf(text, scoring.ideas), text.text);
}

export function sumOf(group: readonly string[], { base, weights }: WeightTable): number {
  let sum = base;
  for (const [place, idea] of group.entries()) {
    sum += weights[idea] ?? 0;
    for (const other of group.slice(place + 1)) sum += weights[`${idea}+${other}`] ?? 0;
  }
  return sum;
}

function hitsOf(text: SearchedText, ideas: Scoring["ideas"]): readonly Hit[] {
  const find = ({ idea, search }: Scoring["ideas"][number]): Hit[] =>
    [...eachMatch(text, search, hitsMax)].map(({ index }) => ({ idea, index }));
  const rare = ideas.filter(({ idea }) => rareIdeas.has(idea)).flatMap(find);
  if (rare.length === 0) return [];
  const common = ideas.filter(({ idea }) => !rareIdeas.has(idea)).flatMap(find);
  return [...rare, ...common].sort((left, right) => left.index - right.index);
}

function groupsOf(hits: readonly Hit[], text: string): readonly (readonly string[])[] {
  if (hits.length === 0) return [];
  const starts = [0, ...[...text.matchAll(/[.!?。](?=\s)|[。\n]/g)].map(({ index }) => index + 1)];
  const groups: (readonly string[])[] = [];
  let first = 0;
  for (const [place, start] of starts.entries()) {
    while ((hits[first]?.index ?? text.length) < start) first += 1;
    const end = Math.min(starts[place + sentencesTogether] ?? text.length, start + charactersTogether);
    const group = new Set<string>();
    for (let next = first; (hits[next]?.index ?? text.length) < end; next += 1) group.add(hits[next]?.idea ?? "");
    // Sorted, because two ideas have one weight in whatever order they come.
    if ([...group].some((idea) => rareIdeas.has(idea))) groups.push([...group].sort());
  }
  return groups;
}

function readScoring(): Scoring {
  // Our own files, which the test of this module checks.
  const ideas = JSON.parse(textBeside(import.meta.url, "./attack-ideas.json")) as IdeaTable;
  const table = JSON.parse(textBeside(import.meta.url, "./attack-weights.json")) as WeightTable;
  return {
    ideas: Object.entries(ideas).map(([idea, words]) => ({ idea, search: makeSearch(words.join("|"), "im") })),
    table,
  };
}
