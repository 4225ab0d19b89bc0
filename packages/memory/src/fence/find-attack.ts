/** Finds texts that read like orders to a model: signs that have to come together, in many languages and disguises. */
import { textBeside } from "@kedge/protocol/text-file";
import { formsOf } from "./attack-forms.ts";
import { withoutHidden } from "./hidden-characters.ts";

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
};

/** Signs put together from words of one kind: who is addressed, what is demanded, what is kept from whom. */
type SignClasses = {
  readonly terms: { readonly [name: string]: string };
  readonly signs: readonly SignRow[];
};

type Sign = { readonly sign: string; readonly weight: number; readonly isAct: boolean; readonly expression: RegExp };

type Hit = Omit<Sign, "expression"> & { readonly index: number };

/** One strong sign is enough, weak ones only together. */
const weightMin = 2;
/** What documents for people ask of their readers all the time: to run, to delete, to answer. */
const actsOnlyMin = 3;
/** How near to each other they have to stand. */
const nearCharacters = 320;
/** Of each sign, so that one which a long text is full of does not hide the others. */
const hitsMax = 200;
/** What a model would read of a text; more is looked at only as far. */
const charactersMax = 200_000;

/** Made with the first text, because a start has none to look at. */
let signs: readonly Sign[] | undefined;

/** The signs by which it was found, or undefined. A sign and no proof: it never decides what may be done. */
export function findAttack(text: string): readonly string[] | undefined {
  signs ??= readSigns();
  const plain = withoutHidden(text.slice(0, charactersMax).normalize("NFKC"));
  for (const form of formsOf(plain)) {
    const found = together(hitsIn(form, signs));
    if (found !== undefined) return found;
  }
  return undefined;
}

function hitsIn(text: string, all: readonly Sign[]): readonly Hit[] {
  const hits: Hit[] = [];
  for (const { expression, ...sign } of all) {
    let left = hitsMax;
    for (const match of text.matchAll(expression)) {
      hits.push({ ...sign, index: match.index });
      left -= 1;
      if (sign.weight >= weightMin || left === 0) break;
    }
  }
  return hits.sort((left, right) => left.index - right.index);
}

/** The first group of different signs that weighs enough. */
function together(hits: readonly Hit[]): readonly string[] | undefined {
  for (const [place, first] of hits.entries()) {
    const near = new Map<string, Hit>();
    for (const hit of hits.slice(place)) {
      if (hit.index - first.index > nearCharacters) break;
      near.set(hit.sign, hit);
    }
    const found = [...near.values()];
    const weight = found.reduce((sum, each) => sum + each.weight, 0);
    if (weight >= (found.every(({ isAct }) => isAct) ? actsOnlyMin : weightMin)) return [...near.keys()];
  }
  return undefined;
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
      expression: new RegExp(withTerms(pattern, classes.terms), isExact ? "gm" : "gim"),
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

function signsOfLanguage({ language, orders, objects, others, ...row }: WordRow): readonly Sign[] {
  const { readers = [], deeds = [], goods = [], unasked = [] } = row;
  const signs: readonly (readonly [sign: string, weight: number, alternatives: readonly string[]])[] = [
    [language, weightMin, [...inEitherOrder(orders, objects), ...others]],
    [`${language}, addressed`, 1, readers],
    [`${language}, demanded`, 1, deeds.length === 0 ? [] : inEitherOrder(deeds, goods)],
    [`${language}, unasked`, 1, unasked],
  ];
  return signs.flatMap(([sign, weight, alternatives]) =>
    alternatives.length === 0
      ? []
      : [{ sign, weight, isAct: false, expression: new RegExp(alternatives.join("|"), "gimu") }],
  );
}

const between = "(?:[^.\\n。]|\\.(?=\\S)){0,50}";

function inEitherOrder(verbs: readonly string[], objects: readonly string[]): readonly string[] {
  const [verb, object] = [verbs.join("|"), objects.join("|")];
  return [`(?:${verb})${between}(?:${object})`, `(?:${object})${between}(?:${verb})`];
}
