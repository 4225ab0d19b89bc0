/** Strategy 7: equal after dropping blank lines at both ends, which are neither removed from the file nor added. */
import { equalBlock, findWindows, type Search, type Strategy, type WantedLines } from "./strategy.ts";
import { collapse, isBlank } from "./text-lines.ts";

export const trimmedBoundary: Strategy = {
  name: "TrimmedBoundary",
  combinesWithReplaceAll: true,
  find(search) {
    const wanted = dropBlankEnds(search);
    if (wanted === undefined) return [];
    return findWindows(search.fileLines, wanted.oldLines, collapse).map((first) => equalBlock(search, first, wanted));
  },
};

/** Undefined when no end is blank. The new text loses as many blank lines at each end, as far as it has them. */
export function dropBlankEnds({ oldString, newString, wanted }: Search): WantedLines | undefined {
  const { oldLines } = wanted;
  const before = blankLinesBefore(oldLines);
  if (before === oldLines.length) return undefined;
  const after = blankLinesBefore(oldLines.toReversed());
  if (before + after === 0) return undefined;
  const kept = oldLines.slice(before, oldLines.length - after);
  // Without a new text the lines go; the line endings that came with the blank ones say so.
  if (newString === "") return { oldLines: kept, newLines: [], deletesLines: after > 0 || oldString.endsWith("\n") };
  const { newLines } = wanted;
  const newBefore = Math.min(before, blankLinesBefore(newLines));
  const newAfter = Math.min(after, blankLinesBefore(newLines.slice(newBefore).toReversed()));
  return { oldLines: kept, newLines: newLines.slice(newBefore, newLines.length - newAfter), deletesLines: false };
}

function blankLinesBefore(lines: readonly string[]): number {
  const first = lines.findIndex((line) => !isBlank(line));
  return first === -1 ? lines.length : first;
}
