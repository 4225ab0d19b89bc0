/** Ranks tools by how well they answer a query, best first. Deterministic: no model, clock or network. */
import { actionOf } from "./plain-words.ts";
import { queryTerms } from "./query-terms.ts";
import { formsOf, relatedTo } from "./related-terms.ts";
import type { ToolIndex, ToolNotes } from "./tool-index.ts";
import { termsOf } from "./tool-terms.ts";

export type RankOptions = {
  readonly countMax: number;
  /** Words that a tool must have in its name, hint or description. */
  readonly required?: readonly string[];
  /** Leaves out tools by name. */
  readonly isWanted?: (name: string) => boolean;
};

/** Further occurrences of one term count ever less. */
const saturation = 1;
/** What a second form of a term adds to the best one. */
const furtherForms = 0.5;
/** How much more a tool counts whose name the query has whole. */
const namedBonus = 0.8;
/** What a related word counts for in a name. */
const relatedInName = 0.7;
/** How much less a tool counts that answers hardly any term of the query. */
const missingTerms = 0.4;
/** How much less a tool counts that does something else than the query says. */
const otherAction = 0.4;
/** What the best tool of a server adds to the others. */
const serverLift = 0.2;
/** What a term counts for among those that are answered if no tool has it. */
const unknownRarity = 1.7;

/** Numbers of the tools of the index. Those that answer nothing are left out. */
export function rankTools(
  index: ToolIndex,
  query: string,
  { countMax, required = [], isWanted }: RankOptions,
): readonly number[] {
  const terms = queryTerms([query, ...required].join(" "), index.nameTerms);
  const scores = scoreTerms(index, terms);
  const actions = new Set([...terms.keys()].flatMap((term) => actionOf(term) ?? []));
  const bestOfServer = new Map<string, number>();
  for (const [number, score] of scores) {
    const notes = index.notes[number];
    if (notes === undefined) continue;
    const isOther = actions.size > 0 && notes.action !== undefined && !actions.has(notes.action);
    const judged = score * (1 + namedBonus * shareNamed(notes, terms)) * (isOther ? 1 - otherAction : 1);
    scores.set(number, judged);
    bestOfServer.set(notes.server, Math.max(bestOfServer.get(notes.server) ?? 0, judged));
  }
  const lifted = (number: number, score: number) => {
    const server = index.notes[number]?.server;
    return server === undefined || server === "" ? score : score + serverLift * (bestOfServer.get(server) ?? 0);
  };
  return [...scores]
    .filter(([number]) => required.every((word) => hasWord(index, number, word)))
    .map(([number, score]) => ({ number, score: lifted(number, score), name: index.tools[number]?.name ?? "" }))
    .filter(({ name }) => isWanted?.(name) ?? true)
    .sort((left, right) => right.score - left.score || (left.name < right.name ? -1 : 1))
    .slice(0, countMax)
    .map(({ number }) => number);
}

/** By tool: the sum over the terms, less where many of them are missing. */
function scoreTerms(index: ToolIndex, terms: ReadonlyMap<string, number>): Map<number, number> {
  const scores = new Map<number, number>();
  const answered = new Map<number, number>();
  let asked = 0;
  for (const [term, weight] of terms) {
    const isPair = term.includes(" ");
    const share = isPair ? 0 : weight * (rarityOf(index, term) ?? unknownRarity);
    asked += share;
    for (const [number, score] of scoreTerm(index, term)) {
      scores.set(number, (scores.get(number) ?? 0) + weight * score);
      answered.set(number, (answered.get(number) ?? 0) + share);
    }
  }
  if (asked === 0) return scores;
  for (const [number, score] of scores) {
    const missing = 1 - (answered.get(number) ?? 0) / asked;
    scores.set(number, score * (1 - missingTerms * missing));
  }
  return scores;
}

/** The best form of the term in each tool, and a part of what further forms would count. */
function scoreTerm(index: ToolIndex, term: string): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  for (const form of formsOf(term, index)) {
    const rarity = rarityOf(index, form.term);
    if (rarity === undefined) continue;
    for (const [number, strength] of index.postings.get(form.term) ?? []) {
      const score = (form.weight * rarity * strength * (saturation + 1)) / (strength + saturation);
      const other = scores.get(number) ?? 0;
      scores.set(number, Math.max(score, other) + furtherForms * Math.min(score, other));
    }
  }
  return scores;
}

/** Terms of few tools tell more than those of many; undefined if no tool has it. */
function rarityOf({ tools, postings }: ToolIndex, term: string): number | undefined {
  const having = postings.get(term)?.size;
  return having === undefined ? undefined : Math.sqrt(Math.log(1 + (tools.length - having + 0.5) / (having + 0.5)));
}

/** How much of the tool's own name the query has, from 0 to 1. */
function shareNamed({ named }: ToolNotes, terms: ReadonlyMap<string, number>): number {
  let whole = 0;
  let found = 0;
  for (const { term, weight } of named) {
    whole += weight;
    if (terms.has(term)) found += weight;
    else if ([...(relatedTo(term) ?? [])].some((other) => terms.has(other))) found += weight * relatedInName;
  }
  return whole === 0 ? 0 : found / whole;
}

function hasWord({ tools, postings }: ToolIndex, number: number, word: string): boolean {
  const tool = tools[number];
  if (tool === undefined) return false;
  const text = `${tool.name} ${tool.searchHint ?? ""} ${tool.description}`;
  if (text.toLowerCase().includes(word.toLowerCase())) return true;
  const terms = termsOf(word);
  return terms.length > 0 && terms.every((term) => postings.get(term)?.has(number) === true);
}
