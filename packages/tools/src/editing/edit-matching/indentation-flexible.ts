/** Strategy 5: whole lines that are equal once each block has lost the indentation that all of its lines share. */
import { equalBlock, findWindows, type Strategy } from "./strategy.ts";
import { collapse, commonIndent, trimEnd } from "./text-lines.ts";

export const indentationFlexible: Strategy = {
  name: "IndentationFlexible",
  combinesWithReplaceAll: true,
  find(search) {
    const { oldLines } = search.wanted;
    // One line has no shape that would tell it from a piece of another.
    if (oldLines.length === 1) return [];
    const wanted = dedent(oldLines);
    return findWindows(search.fileLines, oldLines, collapse)
      .filter((first) => dedent(search.fileLines.slice(first, first + oldLines.length)) === wanted)
      .map((first) => equalBlock(search, first));
  },
};

function dedent(lines: readonly string[]): string {
  const shared = commonIndent(lines).length;
  return lines.map((line) => trimEnd(line).slice(shared)).join("\n");
}
