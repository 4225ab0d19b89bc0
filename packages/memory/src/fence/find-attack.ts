/** Finds texts that read like orders to a model: signs that have to come together, in many languages and disguises. */
import { textBeside } from "@kedge/protocol/text-file";
import { formsOf } from "./attack-forms.ts";
import { findBySum, type Mark } from "./attack-score.ts";
import { findTraits } from "./attack-traits.ts";
import { withoutHidden } from "./hidden-characters.ts";
import { eachMatch, makeSearch, type Search, type SearchedText, searchedText } from "./search-text.ts";

type SignRow = {
  readonly sign: string;
  readonly weight: number;
  readonly pattern: string;
  readonly case?: true;
  readonly act?: true;
};

/** Verbs and what they are about, in either order, because languages differ. */
type WordRow = {
  readonly language: string;
  readonly orders: readonly string[];
  readonly objects: readonly string[];
  /** Expressions that tell enough by themselves. */
  readonly others: readonly string[];
  /** How a model is spoken to. */
  readonly readers?: readonly string[];
  /** What attacks want done, and to what: ordinary by themselves, as every manual has them. */
  readonly deeds?: readonly string[];
  readonly goods?: readonly string[];
  /** Done without a question, or unseen. */
  readonly unasked?: readonly string[];
  /** A text without a letter of these has none of its words. */
  readonly scripts?: readonly string[];
};

/** Signs put together from words of one kind: who is addressed, what is demanded, what is kept from whom. */
type SignClasses = {
  readonly terms: { readonly [name: string]: string };
  readonly signs: readonly SignRow[];
};

type Sign = {
  readonly sign: string;
  readonly weight: number;
  readonly isAct: boolean;
  readonly search: Search;
  /** One of them stands in every text that can have the sign. */
  readonly letters?: RegExp;
};

type Group = { readonly signs: readonly string[]; readonly index: number };
type Hit = Pick<Sign, "sign" | "weight" | "isAct"> & { readonly index: number };

/** One strong sign is enough, weak ones only together. */
const weightMin = 2;
/** What documents for people ask of their readers all the time: to run, to delete, to answer. */
const actsOnlyMin = 3;
/** How near to each other they have to stand. */
const nearCharacters = 320;
/** Of each sign, so that one which a long text is full of does not hide the others. */
const hitsMax = 200;
/** So many beside each other are the same sign again and again. */
const nearHits = 60;
/** What a model would read of a text; more is looked at only as far. */
const charactersMax = 200_000;

/** Who asks how something is done orders nothing. */
const question =
  /\b(?:how (?:do|can|should|would|could) (?:i|we|you|one)|why (?:do|does|did|is)|is there (?:a|any) way)\b[^.?!\n]{0,200}\?/gi;

/** Made with the first text, because a start has none to look at. */
let signs: readonly Sign[] | undefined;

/** The signs by which it was found, or undefined. A sign and no proof: it never decides what may be done. */
export function findAttack(text: string): readonly string[] | undefined {
  signs ??= readSigns();
  const plain = withoutHidden(text.slice(0, charactersMax).normalize("NFKC")).replaceAll(question, " ");
  for (const form of formsOf(plain)) {
    const searched = searchedText(form);
    const found = findBySum(searched, ruleMarks(searched));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Rules that matched: groups of signs and sets of traits, by their parts. None decides alone. */
export function ruleMarks(text: SearchedText): readonly Mark[] {
  signs ??= readSigns();
  return [
    ...together(hitsIn(text, signs)).flatMap(({ signs: names, index }) => partsOf("rule", names, index)),
    ...findTraits(text).flatMap(({ names, index }) => partsOf("trait", names, index)),
  ];
}

function partsOf(kind: string, names: readonly string[], index: number): readonly Mark[] {
  return [kind, ...names.map((name) => `${kind}:${name}`)].map((name) => ({ name, index }));
}

function hitsIn(text: SearchedText, all: readonly Sign[]): readonly Hit[] {
  const hits: Hit[] = [];
  for (const { search, letters, sign, weight, isAct } of all) {
    if (letters?.test(text.text) === false) continue;
    for (const { index } of eachMatch(text, search, hitsMax)) {
      if (sign.startsWith("foreign-") && isEnglish(text.text, index)) continue;
      if (
        (sign === "foreign-demanded" || sign === "secrets") &&
        negation.test(text.text.slice(Math.max(0, index - 16), index))
      )
        continue;
      hits.push({ sign, weight, isAct, index });
    }
  }
  return hits.sort((left, right) => left.index - right.index);
}

/** Whoever asks not to send a password demands none. */
const negation = /(?:\bne\b|\bpas\b|\bnicht\b|\bkeine?n?\b|\bno\b|\bnon\b|não|\bniet\b|\bnie\b|не|不|别)[^.]{0,12}$/iu;

const english = /\b(?:the|and|of|with|is|are|this|from|before|you)\b/i;

/** Languages share stems. In an English sentence those of another language are no sign. */
function isEnglish(text: string, index: number): boolean {
  return english.test(text.slice(Math.max(0, index - 60), index + 80));
}

/** Groups of different signs that weigh enough. */
function together(hits: readonly Hit[]): readonly Group[] {
  const groups: Group[] = [];
  let end = -1;
  for (const [place, first] of hits.entries()) {
    if (first.index < end) continue;
    const near = new Map<string, Hit>();
    for (const hit of hits.slice(place, place + nearHits)) {
      if (hit.index - first.index > nearCharacters) break;
      near.set(hit.sign, hit);
    }
    const found = [...near.values()];
    const weight = found.reduce((sum, each) => sum + each.weight, 0);
    if (weight < (found.every(({ isAct }) => isAct) ? actsOnlyMin : weightMin)) continue;
    groups.push({ signs: [...near.keys()], index: first.index });
    end = first.index + nearCharacters;
  }
  return groups;
}

function readSigns(): readonly Sign[] {
  // Our own files, which the test of this module checks.
  const rows = JSON.parse(textBeside(import.meta.url, "./attack-signs.json")) as readonly SignRow[];
  const classes = JSON.parse(textBeside(import.meta.url, "./attack-classes.json")) as SignClasses;
  const words = JSON.parse(textBeside(import.meta.url, "./attack-words.json")) as readonly WordRow[];
  return [
    ...[...rows, ...classes.signs].map(({ sign, weight, pattern, case: isExact = false, act: isAct = false }) => ({
      sign,
      weight,
      isAct,
      search: makeSearch(withTerms(pattern, classes.terms), isExact ? "m" : "im"),
    })),
    ...words.flatMap(signsOfLanguage),
  ];
}

/** Anything within a sentence: a dot in a name does not end it. */
const withinSentence = "(?:[^.\\n]|\\.(?=\\S))";

function withTerms(pattern: string, terms: SignClasses["terms"]): string {
  return pattern
    .replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => terms[name] ?? whole)
    .replaceAll(/\{gap:(\d+)\}/g, (_, most: string) => `${withinSentence}{0,${most}}`);
}

/** Signs of related languages are one sign, because they share words. */
function signsOfLanguage({ language, orders, objects, others, ...row }: WordRow): readonly Sign[] {
  const { readers = [], deeds = [], goods = [], unasked = [], scripts = [] } = row;
  const letters = new RegExp(scripts.map((script) => `\\p{Script=${script}}`).join("|"), "u");
  const signs: readonly (readonly [sign: string, weight: number, alternatives: readonly string[]])[] = [
    [language, weightMin, [...inEitherOrder(orders, objects), ...others]],
    ["foreign-addressed", 1, readers],
    ["foreign-demanded", 1, deeds.length === 0 ? [] : inEitherOrder(deeds, goods)],
    ["foreign-unasked", 1, unasked],
  ];
  return signs.flatMap(([sign, weight, alternatives]) =>
    alternatives.length === 0
      ? []
      : [{ sign, weight, isAct: false, search: makeSearch(alternatives.join("|"), "imu"), letters }],
  );
}

const between = "(?:[^.\\n。]|\\.(?=\\S)){0,50}";

function inEitherOrder(verbs: readonly string[], objects: readonly string[]): readonly string[] {
  const [verb, object] = [verbs.join("|"), objects.join("|")];
  return [`(?:${verb})${between}(?:${object})`, `(?:${object})${between}(?:${verb})`];
}
