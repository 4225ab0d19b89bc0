/** Strategy 4: equal once every run of spaces and tabs is one space; whole lines, or a piece within one line. */
import { withLineEnding } from "../../file-content.ts";
import { differInLiterals } from "./literal-space.ts";
import { type Candidate, equalBlock, findWindows, type Search, type Strategy } from "./strategy.ts";
import { collapse, indentOf } from "./text-lines.ts";

export const whitespaceNormalized: Strategy = {
  name: "WhitespaceNormalized",
  combinesWithReplaceAll: true,
  find(search) {
    const { oldLines, deletesLines } = search.wanted;
    const blocks = findWindows(search.fileLines, oldLines, collapse).map((first) => equalBlock(search, first));
    if (oldLines.length > 1 || deletesLines) return blocks;
    // A line that shows its indentation is meant as a whole; any other may be meant as a piece of a line.
    if (blocks.length > 0 && indentOf(oldLines[0] ?? "") !== "") return blocks;
    const isApart = (piece: Candidate) => blocks.every(({ start, end }) => piece.end <= start || piece.start >= end);
    return [...blocks, ...findPieces(search).filter(isApart)].sort((left, right) => left.start - right.start);
  },
};

/** A single word is found exactly or not at all. */
const pieceWordsMin = 2;

function findPieces({ text, lines, oldString, newString, lineEnding }: Search): readonly Candidate[] {
  const piece = oldString.trim();
  const words = piece.split(/[ \t]+/);
  if (words.length < pieceWordsMin) return [];
  const pattern = new RegExp(words.map(escapePattern).join("[ \\t]+"), "g");
  const newText = alignEnds(oldString, withLineEnding(newString, lineEnding));
  const found: Candidate[] = [];
  for (const line of lines)
    for (const match of line.content.matchAll(pattern)) {
      const start = line.start + match.index;
      const end = start + match[0].length;
      if (cutsWord(text, start) || cutsWord(text, end)) continue;
      // The quotes before the piece decide whether its spaces are content.
      const before = line.content.slice(0, match.index);
      const isSafe = newText !== undefined && !differInLiterals(before + match[0], before + piece);
      found.push({
        start,
        end,
        similarity: 1,
        ...(isSafe ? { newText } : { newText: undefined, refusal: "differs" }),
      });
    }
  return found;
}

function escapePattern(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function cutsWord(text: string, offset: number): boolean {
  const isWord = (character: string) => /[\p{L}\p{N}_$]/u.test(character);
  return isWord(text.charAt(offset - 1)) && isWord(text.charAt(offset));
}

/** White space around the old piece was not matched, so the new one must not bring it along. */
function alignEnds(oldString: string, newString: string): string | undefined {
  if (newString === "") return oldString === oldString.trim() ? "" : undefined;
  const before = /^\s*/.exec(oldString)?.[0] ?? "";
  const after = /\s*$/.exec(oldString)?.[0] ?? "";
  if (!newString.startsWith(before) || !newString.endsWith(after)) return undefined;
  if (newString.length < before.length + after.length) return undefined;
  return newString.slice(before.length, newString.length - after.length);
}
