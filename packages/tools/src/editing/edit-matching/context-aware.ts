/** Strategy 8: about as many lines, the first and last filled line found, and at least half of the middle equal. */
import { compareBlocks, comparedBlocksMax } from "./block-likeness.ts";
import { blockCandidate, type Candidate, type Search, type Strategy } from "./strategy.ts";
import { collapse, isBlank } from "./text-lines.ts";
import { dropBlankEnds } from "./trimmed-boundary.ts";

const middleLinesMin = 1;
const lineCountTolerance = 0.1;
const equalShareMin = 0.5;

export const contextAware: Strategy = {
  name: "ContextAware",
  combinesWithReplaceAll: false,
  find(search) {
    const wanted = dropBlankEnds(search) ?? search.wanted;
    const { oldLines } = wanted;
    if (oldLines.length < middleLinesMin + 2) return [];
    const tolerance = Math.floor(oldLines.length * lineCountTolerance);
    const forms = search.fileLines.map(collapse);
    const found: Candidate[] = [];
    let compared = 0;
    for (const [start, form] of forms.entries()) {
      if (form !== collapse(oldLines[0] ?? "")) continue;
      for (let count = oldLines.length - tolerance; count <= oldLines.length + tolerance; count += 1) {
        if (forms[start + count - 1] !== collapse(oldLines.at(-1) ?? "")) continue;
        compared += 1;
        if (compared > comparedBlocksMax) return [];
        const place = compareWhole({ ...search, wanted }, start, count);
        if (place !== undefined) found.push(place);
      }
    }
    return found;
  },
};

function compareWhole(search: Search, first: number, count: number): Candidate | undefined {
  const { oldLines } = search.wanted;
  const block = search.fileLines.slice(first, first + count);
  const likeness = compareBlocks(oldLines, block);
  const filled = (lines: readonly string[]) => lines.filter((line) => !isBlank(line)).length;
  const middle = Math.max(filled(oldLines), filled(block)) - 2;
  if (middle < middleLinesMin || likeness.equalLines - 2 < middle * equalShareMin) return undefined;
  return blockCandidate(
    search,
    { first, count, partners: likeness.partners, similarity: (likeness.equalLines - 2) / middle },
    search.wanted,
  );
}
