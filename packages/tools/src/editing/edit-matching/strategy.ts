/** What a strategy of matching is: it is given a search and names every place that it accepts. */
import { lineEndingOf } from "../../file-content.ts";
import { type LinePartner, type MergeRefusal, mergeBlock } from "./merge-block.ts";
import { splitTextLines, splitWanted, type TextLine } from "./text-lines.ts";

export type StrategyName =
  | "Simple"
  | "LineTrimmed"
  | "BlockAnchor"
  | "WhitespaceNormalized"
  | "IndentationFlexible"
  | "EscapeNormalized"
  | "TrimmedBoundary"
  | "ContextAware"
  | "MultiOccurrence"
  | "Typographic"
  | "LineNumbersRemoved";

/** A piece of the text, and what it would become; a refusal where that cannot be told for certain. */
export type Candidate = {
  readonly start: number;
  readonly end: number;
  readonly newText: string | undefined;
  readonly refusal?: MergeRefusal | "escapes";
  /** 1 where the lines are the same but for white space or escapes. */
  readonly similarity: number;
  /** Set where another strategy than the one that found the place made the new text. */
  readonly strategy?: StrategyName;
};

export type Strategy = {
  readonly name: StrategyName;
  /** False for those that judge by likeness: they may find one place, never all of them. */
  readonly combinesWithReplaceAll: boolean;
  find(search: Search): readonly Candidate[];
};

/** What is looked for, as whole lines. */
export type WantedLines = {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** The lines go and leave no empty line behind. */
  readonly deletesLines: boolean;
};

export type Search = {
  readonly text: string;
  readonly lines: readonly TextLine[];
  readonly fileLines: readonly string[];
  readonly oldString: string;
  readonly newString: string;
  readonly wanted: WantedLines;
  readonly lineEnding: "\n" | "\r\n";
};

/** The lines are split when first asked for: most edits are found exactly. */
export function createSearch(text: string, oldString: string, newString: string): Search {
  let lines: readonly TextLine[] | undefined;
  let fileLines: readonly string[] | undefined;
  const search: Search = {
    text,
    oldString,
    newString,
    get lines() {
      lines ??= splitTextLines(text);
      return lines;
    },
    get fileLines() {
      fileLines ??= search.lines.map(({ content }) => content);
      return fileLines;
    },
    wanted: asWholeLines(oldString, newString),
    lineEnding: lineEndingOf(text) ?? "\n",
  };
  return search;
}

/** The line ending after the last old line belongs to the file: both texts lose it together. */
export function asWholeLines(oldString: string, newString: string): WantedLines {
  const oldLines = splitWanted(oldString);
  const newLines = splitWanted(newString);
  if (oldLines.length < 2 || oldLines.at(-1) !== "") return { oldLines, newLines, deletesLines: false };
  const withoutEnding = oldLines.slice(0, -1);
  if (newString === "") return { oldLines: withoutEnding, newLines: [], deletesLines: true };
  return {
    oldLines: withoutEnding,
    newLines: newLines.at(-1) === "" ? newLines.slice(0, -1) : newLines,
    deletesLines: false,
  };
}

/** Where lines of the file, in the form that counts, equal all wanted lines. */
export function findWindows(
  fileLines: readonly string[],
  wantedLines: readonly string[],
  form: (line: string) => string,
): readonly number[] {
  const wanted = wantedLines.map(form);
  const present = fileLines.map(form);
  const found: number[] = [];
  for (let first = 0; first + wanted.length <= present.length; first += 1) {
    let count = 0;
    while (count < wanted.length && present[first + count] === wanted[count]) count += 1;
    if (count === wanted.length) found.push(first);
  }
  return found;
}

export type BlockPlace = {
  readonly first: number;
  readonly count: number;
  readonly partners: readonly (LinePartner | undefined)[];
  readonly similarity: number;
};

/** A block of whole lines as a candidate, with the change carried over to it. */
export function blockCandidate(search: Search, place: BlockPlace, wanted: WantedLines = search.wanted): Candidate {
  const block = search.lines.slice(place.first, place.first + place.count);
  const start = block[0]?.start ?? 0;
  const last = block.at(-1);
  const end = (last?.end ?? start) + (wanted.deletesLines ? (last?.ending.length ?? 0) : 0);
  const merged = mergeBlock({
    block,
    oldLines: wanted.oldLines,
    newLines: wanted.newLines,
    partners: place.partners,
    fileLines: search.fileLines,
    lineEnding: lineEndingOf(search.text.slice(start, end)) ?? search.lineEnding,
  });
  return {
    start,
    end,
    similarity: place.similarity,
    ...(merged.ok ? { newText: merged.newText } : { newText: undefined, refusal: merged.reason }),
  };
}

/** A block whose lines stand for the wanted ones one by one. */
export function equalBlock(search: Search, first: number, wanted: WantedLines = search.wanted): Candidate {
  const partners = wanted.oldLines.map((_, index): LinePartner => ({ index, same: true }));
  return blockCandidate(search, { first, count: partners.length, partners, similarity: 1 }, wanted);
}
