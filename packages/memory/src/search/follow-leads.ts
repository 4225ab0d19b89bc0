/** Follows a hit to the note behind it: a question over two notes names the first and asks about the second. */
import type { NoteIndex } from "./note-index.ts";
import type { Wanted } from "./query-terms.ts";
import { rarityOf, scoreNotes } from "./score-notes.ts";

const leading = {
  bridgeTerms: 4,
  nameWeight: 2,
  /** What a passage counts that has the names and nothing that was asked: the answer may be worded otherwise. */
  unasked: 2,
  /** A term in more notes than this share leads nowhere. */
  commonShare: 0.15,
  /** A hit that has more of the question than this answers it alone. */
  answeredShare: 0.95,
};

export type Seed = { readonly note: number; readonly passage: number };

/** The note that has, close together, names from the hit and what of the question the hit lacks. */
export function leadsFrom(
  index: NoteIndex,
  wanted: readonly Wanted[],
  { note: seed, passage }: Seed,
): number | undefined {
  const here = new Set(index.passageTerms[passage] ?? []);
  const rest = wanted.filter(({ forms }) => !forms.some(({ term }) => here.has(term)));
  if (weightOf(index, rest) < (1 - leading.answeredShare) * weightOf(index, wanted)) return undefined;
  const bridges = bridgesIn(index, here, wanted);
  if (bridges.length === 0) return undefined;
  const named = scoreNotes(index, bridges).passages;
  const asked = scoreNotes(index, rest).passages;
  let found: number | undefined;
  let best = 0;
  for (let at = 0; at < named.length; at++) {
    const both = (named[at] as number) * (leading.unasked + (asked[at] as number));
    if (both <= best || index.noteOfPassage[at] === seed) continue;
    best = both;
    found = index.noteOfPassage[at];
  }
  return found;
}

/** Rare terms of a passage that the question does not have, names first. */
function bridgesIn(index: NoteIndex, here: ReadonlySet<string>, wanted: readonly Wanted[]): readonly Wanted[] {
  const known = new Set(wanted.flatMap(({ forms }) => forms.map(({ term }) => term)));
  const commonMax = Math.max(3, leading.commonShare * index.ids.length);
  return [...here]
    .filter((term) => !term.split(" ").some((word) => known.has(word)))
    .filter((term) => isBetween(index.noteCounts.get(term) ?? 0, 2, commonMax))
    .map((term) => ({ term, weight: isName(index, term) ? leading.nameWeight : 1 }))
    .sort((left, right) => right.weight * rarityOf(index, right.term) - left.weight * rarityOf(index, left.term))
    .slice(0, leading.bridgeTerms)
    .map(({ term, weight }) => ({ forms: [{ term, weight }] }));
}

function weightOf(index: NoteIndex, wanted: readonly Wanted[]): number {
  return wanted.reduce((sum, { forms: [asked] }) => sum + (asked?.weight ?? 0) * rarityOf(index, asked?.term ?? ""), 0);
}

function isName(index: NoteIndex, term: string): boolean {
  return term.split(" ").every((word) => index.names.has(word));
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
