/**
 * Finds the place that an edit means. The strategies are tried from strict to lenient; what is found must be the only
 * such place, and where the result would be a guess there is none.
 */
import { type Region, regionAt, similarRegion } from "../similar-region.ts";
import { blockAnchor } from "./block-anchor.ts";
import { contextAware } from "./context-aware.ts";
import { type ChangeTexts, withoutLineNumbers } from "./copied-line-numbers.ts";
import { escapeNormalized, isOverEscaped } from "./escape-normalized.ts";
import { indentationFlexible } from "./indentation-flexible.ts";
import { lineTrimmed } from "./line-trimmed.ts";
import { multiOccurrence } from "./multi-occurrence.ts";
import { simple } from "./simple.ts";
import { type Candidate, createSearch, type Search, type Strategy, type StrategyName } from "./strategy.ts";
import { lineNumberAt, lineNumbersAt } from "./text-lines.ts";
import { trimmedBoundary } from "./trimmed-boundary.ts";
import { typographic } from "./typographic.ts";
import { whitespaceNormalized } from "./whitespace-normalized.ts";

export type MatchOptions = {
  readonly replaceAll: boolean;
  /** False leaves the exact strategies. */
  readonly fuzzy: boolean;
};

export type Place = { readonly start: number; readonly end: number; readonly newText: string };

export type UnclearReason = NonNullable<Candidate["refusal"]>;

export type Match =
  | {
      readonly kind: "matched";
      readonly strategy: StrategyName;
      /** In the order of the text; they do not overlap. */
      readonly places: readonly Place[];
      readonly similarity: number;
    }
  | { readonly kind: "ambiguous"; readonly strategy: StrategyName; readonly lines: readonly number[] }
  /** The place is known, the text to write there is not. */
  | { readonly kind: "unclear"; readonly reason: UnclearReason; readonly region: Region }
  | { readonly kind: "none"; readonly region: Region | undefined };

/** All but the exact ones, in the order in which they are tried. */
const lenientStrategies: readonly Strategy[] = [
  lineTrimmed,
  blockAnchor,
  whitespaceNormalized,
  indentationFlexible,
  escapeNormalized,
  trimmedBoundary,
  contextAware,
  typographic,
];

export function findMatch(text: string, change: ChangeTexts, options: MatchOptions): Match {
  const found = findAsGiven(text, change, options);
  if (found.kind !== "none" || !options.fuzzy) return found;
  const unnumbered = withoutLineNumbers(change);
  const match = unnumbered && findAsGiven(text, unnumbered, options);
  if (match === undefined || match.kind === "none") return found;
  return match.kind === "matched" && match.similarity === 1 ? { ...match, strategy: "LineNumbersRemoved" } : match;
}

function findAsGiven(text: string, { oldString, newString }: ChangeTexts, { replaceAll, fuzzy }: MatchOptions): Match {
  const search = createSearch(text, oldString, newString);
  const exact = judge(search, simple, { replaceAll: false });
  if (exact.kind === "matched" || exact.kind === "unclear") return asAllowed(search, exact, { fuzzy });
  // Where the exact text occurs several times, a lenient strategy could only pick one of them.
  const several = judge(search, multiOccurrence, { replaceAll });
  if (several.kind !== "none") return asAllowed(search, several, { fuzzy });
  return fuzzy && hasSubstance(oldString) ? findLenient(search, { replaceAll }) : nothingFound(search);
}

/** Exact text that had to be indented again is not exact any more. */
function asAllowed(search: Search, match: Match, { fuzzy }: { readonly fuzzy: boolean }): Match {
  if (fuzzy || match.kind !== "matched" || match.strategy !== indentationFlexible.name) return match;
  return unclearAt(search, match.places[0]?.start ?? 0, "indentation");
}

function findLenient(search: Search, { replaceAll }: { readonly replaceAll: boolean }): Match {
  let ambiguous: Ambiguous | undefined;
  let alike: Match | undefined;
  let unclear: Match | undefined;
  for (const strategy of lenientStrategies) {
    if (replaceAll && !strategy.combinesWithReplaceAll) continue;
    const found = judge(search, strategy, { replaceAll });
    switch (found.kind) {
      case "none":
        break;
      case "ambiguous":
        ambiguous ??= found;
        break;
      case "unclear":
        // One that judges by likeness may have met a block that a stricter one understands.
        if (strategy.combinesWithReplaceAll) return ambiguous ?? found;
        unclear ??= found;
        break;
      case "matched":
        if (found.similarity < 1) alike ??= found;
        else if (ambiguous === undefined || isAmong(search, ambiguous, found)) return found;
        break;
    }
  }
  if (ambiguous !== undefined || unclear !== undefined) return ambiguous ?? unclear ?? nothingFound(search);
  if (alike?.kind !== "matched") return nothingFound(search);
  // What the change adds would be written with the escapes that set the old text apart from the file.
  return isOverEscaped(search) ? unclearAt(search, alike.places[0]?.start ?? 0, "escapes") : alike;
}

type Ambiguous = Match & { readonly kind: "ambiguous" };

/** What one strategy alone comes to. */
function judge(search: Search, strategy: Strategy, { replaceAll }: { readonly replaceAll: boolean }): Match {
  const candidates = strategy.find(search);
  const [first] = candidates;
  if (first === undefined) return { kind: "none", region: undefined };
  if (candidates.length > 1 && !replaceAll)
    return {
      kind: "ambiguous",
      strategy: strategy.name,
      lines: lineNumbersAt(
        search.text,
        candidates.map(({ start }) => start).sort((left, right) => left - right),
      ),
    };
  const places: Place[] = [];
  let free = 0;
  for (const { start, end, newText, refusal } of candidates) {
    if (start < free) continue;
    if (newText === undefined) return unclearAt(search, start, refusal ?? "differs");
    places.push({ start, end, newText });
    free = end;
  }
  const maker = candidates.find((candidate) => candidate.strategy !== undefined)?.strategy;
  return { kind: "matched", strategy: maker ?? strategy.name, places, similarity: first.similarity };
}

/** A stricter strategy may decide between the places of a lenient one, never bring up another. */
function isAmong({ text }: Search, { lines }: Ambiguous, found: Match): boolean {
  return found.kind === "matched" && found.places.every(({ start }) => lines.includes(lineNumberAt(text, start)));
}

function nothingFound({ text, oldString }: Search): Match {
  return { kind: "none", region: similarRegion(text, oldString) };
}

function unclearAt({ wanted, fileLines, text }: Search, start: number, reason: UnclearReason): Match {
  const line = lineNumberAt(text, start);
  return { kind: "unclear", reason, region: regionAt(fileLines, line, wanted.oldLines.length) };
}

const lettersMin = 3;

/** Braces, blank lines and single letters are found everywhere, so they must be found exactly. */
function hasSubstance(oldString: string): boolean {
  return (oldString.match(/[\p{L}\p{N}_]/gu)?.length ?? 0) >= lettersMin;
}
