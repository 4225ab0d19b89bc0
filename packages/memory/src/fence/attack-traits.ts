/** Finds orders to a model by what they consist of: who is addressed, what is withheld, dropped, claimed or carried off. */
import { textBeside } from "@kedge/protocol/text-file";
import { eachMatch, makeSearch, type Search, type SearchedText } from "./search-text.ts";

type TraitTable = {
  readonly terms: { readonly [name: string]: string };
  readonly traits: { readonly [name: string]: string };
  /** Traits that make an order where they stand together, or without those marked "!". The first is looked for first, because it is rare. */
  readonly pairs: readonly (readonly [anchor: string, ...others: string[]])[];
};

type Traits = {
  readonly anchors: readonly { readonly name: string; readonly search: Search; readonly partners: Partners }[];
  readonly expressions: ReadonlyMap<string, RegExp>;
};
type TraitSet = { readonly names: readonly string[]; readonly index: number };
type Partners = readonly (readonly string[])[];

/** How far around an anchor its partners may stand, within the sentence before and the one after. */
const aroundCharacters = 220;
/** Of each anchor, so that a text full of them costs no more than a long one. */
const anchorsMax = 100;

/** Made with the first text, because a start has none to look at. */
let traits: Traits | undefined;

/** Sets of traits that stand together, at most one of each anchor around a place. */
export function findTraits(searched: SearchedText): readonly TraitSet[] {
  traits ??= readTraits();
  const { anchors, expressions } = traits;
  const sets: TraitSet[] = [];
  for (const { name, search, partners } of anchors) {
    let end = -1;
    for (const match of eachMatch(searched, search, anchorsMax)) {
      if (match.index < end) continue;
      const around = surroundings(searched.text, match.index, match.index + match.length);
      const found = partners.find((others) => others.every((other) => hasTrait(expressions, around, other)));
      if (found === undefined) continue;
      sets.push({ names: [name, ...found], index: match.index });
      end = match.index + aroundCharacters;
    }
  }
  return sets;
}

function hasTrait(expressions: Traits["expressions"], text: string, name: string): boolean {
  if (name.startsWith("!")) return !hasTrait(expressions, text, name.slice(1));
  return expressions.get(name)?.test(text) === true;
}

/** The sentence of the anchor with its neighbours. An empty line ends a thought, unless the anchor is the head of what follows. */
function surroundings(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - aroundCharacters), start);
  const after = text.slice(end, end + aroundCharacters);
  const opening = before.lastIndexOf("\n\n");
  const closing = after.indexOf("\n\n");
  return `${before.slice(opening + 1)}${text.slice(start, end)}${closing === -1 ? after : after.slice(0, closing)}`;
}

function readTraits(): Traits {
  // Our own file, which the test of this module checks.
  const table = JSON.parse(textBeside(import.meta.url, "./attack-traits.json")) as TraitTable;
  const source = (name: string) => withTerms(table.traits[name] ?? "", table.terms);
  const names = [...new Set(table.pairs.map(([anchor]) => anchor))];
  return {
    anchors: names.map((name) => ({
      name,
      search: makeSearch(source(name), "im"),
      partners: table.pairs.filter(([anchor]) => anchor === name).map(([, ...others]) => others),
    })),
    expressions: new Map(Object.keys(table.traits).map((name) => [name, new RegExp(source(name), "im")])),
  };
}

function withTerms(pattern: string, terms: TraitTable["terms"]): string {
  return pattern.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => terms[name] ?? whole);
}
