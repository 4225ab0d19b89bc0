/** Strategy 2: whole lines that are equal but for white space at their ends. */
import { type Candidate, equalBlock, findWindows, type Search, type Strategy } from "./strategy.ts";
import { indentOf, lineNumbersAt, trimEnd } from "./text-lines.ts";

export const lineTrimmed: Strategy = {
  name: "LineTrimmed",
  combinesWithReplaceAll: true,
  find(search) {
    const windows = findWindows(search.fileLines, search.wanted.oldLines, trimEnd);
    const places = windows.map((first) => equalBlock(search, first));
    const [only] = windows;
    return only === undefined || windows.length > 1 ? places : [...places, ...findRivals(search, only)];
  },
};

/**
 * Text that begins without indentation may begin within a line as well. Without the white space at its line ends it
 * would have been found exactly there too, so the whole line is no better than those places.
 */
function findRivals({ fileLines, lines, wanted }: Search, only: number): readonly Candidate[] {
  if (indentOf(wanted.oldLines[0] ?? "") !== "") return [];
  const text = fileLines.map(trimEnd).join("\n");
  const core = wanted.oldLines.map(trimEnd).join("\n");
  const offsets: number[] = [];
  for (let at = text.indexOf(core); at !== -1; at = text.indexOf(core, at + 1)) offsets.push(at);
  const indexes = new Set(lineNumbersAt(text, offsets).map((line) => line - 1));
  indexes.delete(only);
  return [...indexes].map((index) => {
    const { start, end } = lines[index] ?? { start: 0, end: 0 };
    return { start, end, newText: undefined, refusal: "differs", similarity: 1 };
  });
}
