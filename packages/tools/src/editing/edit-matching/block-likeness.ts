/** How much a block of the file is like the lines that were looked for, and which line stands for which. */
import { similarity } from "@kedge/protocol";
import { alignLines } from "./align-lines.ts";
import type { LinePartner } from "./merge-block.ts";
import { collapse, isBlank } from "./text-lines.ts";

export type Likeness = {
  readonly partners: readonly (LinePartner | undefined)[];
  /** From 0 to 1; blank lines do not count, and an ellipsis is half a line that is told. */
  readonly similarity: number;
  /** Lines that are the same but for white space. */
  readonly equalLines: number;
};

/** More blocks than this between the same first and last line, and these lines say nothing. */
export const comparedBlocksMax = 100;

/** Below it two lines at the same position are not taken for the same line, told differently. */
const partnerSimilarityMin = 0.5;
const ellipsisScore = 0.5;

export function compareBlocks(wantedLines: readonly string[], blockLines: readonly string[]): Likeness {
  const wanted = wantedLines.map(collapse);
  const block = blockLines.map(collapse);
  const aligned = alignLines(wanted, block);
  const partners: (LinePartner | undefined)[] = aligned.map((index) =>
    index === undefined ? undefined : { index, same: true },
  );
  let score = 0;
  let counted = 0;
  let equalLines = 0;
  const closeGap = (from: number, to: number, blockFrom: number, blockTo: number) => {
    const gap = compareGap(wanted.slice(from, to), block.slice(blockFrom, blockTo));
    score += gap.score;
    counted += gap.counted;
    for (const index of gap.paired) partners[from + index] = { index: blockFrom + index, same: false };
  };
  let wantedAt = 0;
  let blockAt = 0;
  for (const [index, partner] of aligned.entries()) {
    if (partner === undefined) continue;
    closeGap(wantedAt, index, blockAt, partner);
    wantedAt = index + 1;
    blockAt = partner + 1;
    if (isBlank(wanted[index] ?? "")) continue;
    score += 1;
    counted += 1;
    equalLines += 1;
  }
  closeGap(wantedAt, wanted.length, blockAt, block.length);
  return { partners, similarity: counted === 0 ? 1 : score / counted, equalLines };
}

type Gap = { readonly score: number; readonly counted: number; readonly paired: readonly number[] };

/** Lines between two pairs of equal lines. They are paired by position, and only if there are as many on both sides. */
function compareGap(wanted: readonly string[], block: readonly string[]): Gap {
  if (wanted.some(isEllipsis)) {
    const others = wanted.filter((line) => !isEllipsis(line) && !isBlank(line)).length;
    return { score: ellipsisScore, counted: others + 1, paired: [] };
  }
  const paired: number[] = [];
  let score = 0;
  if (wanted.length === block.length)
    for (const [index, line] of wanted.entries()) {
      if (isBlank(line) || isBlank(block[index] ?? "")) continue;
      const alike = similarity(line, block[index] ?? "");
      score += alike;
      if (alike >= partnerSimilarityMin) paired.push(index);
    }
  const filled = (lines: readonly string[]) => lines.filter((line) => !isBlank(line)).length;
  return { score, counted: Math.max(filled(wanted), filled(block)), paired };
}

/** A line by which models leave code out. A spread or an argument list that begins with three dots is none. */
export function isEllipsis(line: string): boolean {
  return /^(?:\/\/|#|\/\*|<!--|--|;|%)\s*(?:\.{3}|…)/.test(line.trim()) || /^(?:\.{3}|…)$/.test(line.trim());
}
