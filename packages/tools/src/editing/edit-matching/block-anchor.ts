/** Strategy 3: three lines or more whose first and last line are found; what stands between must be alike. */
import { compareBlocks, comparedBlocksMax, isEllipsis } from "./block-likeness.ts";
import type { LinePartner } from "./merge-block.ts";
import { type BlockPlace, blockCandidate, type Search, type Strategy } from "./strategy.ts";
import { collapse, indentOf } from "./text-lines.ts";

const blockLinesMin = 3;
const middleSimilarityMin = 0.5;
const leadMin = 0.1;
const anchorLettersMin = 3;
const omittedLinesMax = 400;

export const blockAnchor: Strategy = {
  name: "BlockAnchor",
  combinesWithReplaceAll: false,
  find(search) {
    const { oldLines } = search.wanted;
    if (oldLines.length < blockLinesMin || !hasTellingAnchor(oldLines)) return [];
    const places = findPlaces(search);
    const [best] = places;
    if (best === undefined) return [];
    const rivals = places.filter((place) => place.similarity > best.similarity - leadMin);
    return rivals.map((place) => blockCandidate(search, place));
  },
};

/** Of blocks that begin at the same line only the most alike one, the most alike of all first. */
function findPlaces(search: Search): readonly BlockPlace[] {
  const { oldLines } = search.wanted;
  const forms = search.fileLines.map(collapse);
  const first = collapse(oldLines[0] ?? "");
  const last = collapse(oldLines.at(-1) ?? "");
  const reach = oldLines.length * 2 + (oldLines.some(isEllipsis) ? omittedLinesMax : 0);
  const places: BlockPlace[] = [];
  let compared = 0;
  for (let start = 0; start < forms.length; start += 1) {
    if (forms[start] !== first) continue;
    let best: BlockPlace | undefined;
    for (let end = start + blockLinesMin - 1; end < Math.min(forms.length, start + reach); end += 1) {
      if (forms[end] !== last || !hasSameSlope(search, start, end)) continue;
      compared += 1;
      if (compared > comparedBlocksMax) return [];
      const place = comparePlace(search, start, end + 1 - start);
      if (place.similarity >= middleSimilarityMin && place.similarity > (best?.similarity ?? 0)) best = place;
    }
    if (best !== undefined) places.push(best);
  }
  return places.sort((left, right) => right.similarity - left.similarity);
}

function comparePlace(search: Search, first: number, count: number): BlockPlace {
  const { oldLines } = search.wanted;
  const middle = search.fileLines.slice(first + 1, first + count - 1);
  const { partners, similarity } = compareBlocks(oldLines.slice(1, -1), middle);
  const shifted = partners.map((partner) => partner && { index: partner.index + 1, same: partner.same });
  const anchors: readonly [LinePartner, LinePartner] = [
    { index: 0, same: true },
    { index: count - 1, same: true },
  ];
  return { first, count, similarity, partners: [anchors[0], ...shifted, anchors[1]] };
}

/** Whether the last line stands in, out or level with the first as in the old text; else it closes another block. */
function hasSameSlope({ fileLines, wanted }: Search, start: number, end: number): boolean {
  const slope = (from = "", to = "") => Math.sign(indentOf(to).length - indentOf(from).length);
  const [first = ""] = wanted.oldLines;
  const last = wanted.oldLines.at(-1) ?? "";
  // A first line that lost its indentation says nothing.
  if (indentOf(first) === "" && indentOf(last) !== "") return true;
  return slope(first, last) === slope(fileLines[start], fileLines[end]);
}

/** Two braces are found everywhere. */
function hasTellingAnchor(lines: readonly string[]): boolean {
  return [lines[0], lines.at(-1)].some((line = "") => (line.match(/[\p{L}\p{N}_]/gu)?.length ?? 0) >= anchorLettersMin);
}
