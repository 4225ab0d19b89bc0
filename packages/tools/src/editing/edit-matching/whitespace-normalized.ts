/** Strategy 4: equal once every run of spaces and tabs is one space; whole lines, or a piece within one line. */
import { withLineEnding } from "../../file-content.ts";
import { differInLiterals } from "./literal-space.ts";
import { type Candidate, equalBlock, findWindows, type Search, type Strategy } from "./strategy.ts";
import { collapse, indentOf, isBlank } from "./text-lines.ts";

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

function findPieces({ lines, oldString, newString, lineEnding }: Search): readonly Candidate[] {
  const piece = oldString.trim();
  const words = piece.split(/[ \t]+/);
  if (words.length < pieceWordsMin) return [];
  const pattern = new RegExp(words.map(escapePattern).join("[ \\t]+"), "g");
  const aligned = alignEnds(oldString, withLineEnding(newString, lineEnding));
  const endsLine = /[\r\n]\s*$/.test(oldString);
  const beginsLine = /^\s*[\r\n]/.test(oldString);
  const found: Candidate[] = [];
  for (const line of lines)
    for (const match of line.content.matchAll(pattern)) {
      const from = match.index;
      const to = from + match[0].length;
      const before = line.content.slice(0, from);
      // A line break in what is looked for is an end of the line: what follows there was forgotten, not meant to stay.
      if ((endsLine && !isBlank(line.content.slice(to))) || (beginsLine && !isBlank(before))) continue;
      if (cutsToken(line.content, from) || cutsToken(line.content, to)) continue;
      // The quotes before the piece decide whether its spaces are content.
      const isSafe = aligned !== undefined && !differInLiterals(before + match[0], before + piece);
      const newText = isSafe ? shiftBehindFirst(aligned, isBlank(before) ? before : "") : undefined;
      const place = { start: line.start + from, end: line.start + to, similarity: 1 };
      found.push(
        newText === undefined
          ? { ...place, newText, refusal: isSafe ? "indentation" : "differs" }
          : { ...place, newText },
      );
    }
  return found;
}

/**
 * The first line of the new text stands where the piece did; the others, written from the margin, move in with it.
 * Undefined where they may have been written from the margin or from where the file has them.
 */
function shiftBehindFirst(newText: string, indent: string): string | undefined {
  const [first = "", ...others] = newText.split("\n");
  const written = others.filter((line) => line.trim() !== "");
  if (indent === "" || written.length === 0) return newText;
  if (written.every((line) => line.startsWith(indent))) return undefined;
  return [first, ...others.map((line) => (line.trim() === "" ? line : indent + line))].join("\n");
}

function escapePattern(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Names, numbers and operators of several characters are replaced as a whole. */
const tokenKinds = [/[\p{L}\p{N}_$]/u, /[=<>!&|+*/%^~?:-]/];

function cutsToken(line: string, offset: number): boolean {
  const [before, after] = [line.charAt(offset - 1), line.charAt(offset)];
  return (
    tokenKinds.some((kind) => kind.test(before) && kind.test(after)) ||
    /\d\.\d/.test(line.slice(offset - 1, offset + 2)) ||
    /\d\.\d/.test(line.slice(offset - 2, offset + 1))
  );
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
