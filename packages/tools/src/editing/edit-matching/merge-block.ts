/**
 * Carries the change from old to new text over to a block of the file that resembles the old text. Lines that the
 * change leaves alone stay as the file has them, so that what the model remembered wrongly is never written.
 */
import { type Alignment, alignLines } from "./align-lines.ts";
import { differInLiterals } from "./literal-space.ts";
import { createReindent, type IndentPair, type Reindent } from "./reindent.ts";
import { commonIndent, indentOf, isBlank, type TextLine, trimEnd } from "./text-lines.ts";

/** Which line of the block an old line stands for; `same` when only white space sets them apart. */
export type LinePartner = { readonly index: number; readonly same: boolean };

export type BlockMerge = {
  readonly block: readonly TextLine[];
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  readonly partners: readonly (LinePartner | undefined)[];
  /** All of the file, for how it indents. */
  readonly fileLines: readonly string[];
  readonly lineEnding: "\n" | "\r\n";
};

export type Merged =
  | { readonly ok: true; readonly newText: string }
  | { readonly ok: false; readonly reason: MergeRefusal };

/** The change touches lines that the file has differently, or its indentation cannot be told. */
export type MergeRefusal = "differs" | "indentation";

/** The merged text ends without a line ending, as the block is taken to. */
export function mergeBlock(merge: BlockMerge): Merged {
  const { block, oldLines, newLines, lineEnding } = merge;
  const kept = alignLines(oldLines.map(trimEnd), newLines.map(trimEnd));
  const reindent: Reindent = isIndentedAsFile(merge)
    ? (line) => line
    : createReindent({
        pairs: indentPairs(merge, 0, oldLines.length),
        wantedLines: [...oldLines, ...newLines],
        fileLines: merge.fileLines,
      });
  const output: { readonly content: string; readonly ending: string }[] = [];
  for (const hunk of splitHunks(merge, kept).flatMap((found) => peelBlankLines(merge, found))) {
    const present = block.slice(hunk.blockStart, hunk.blockEnd);
    switch (decide(merge, kept, hunk)) {
      case "keep":
        for (const line of present) output.push({ content: line.content, ending: line.ending || lineEnding });
        break;
      case "differs":
        return { ok: false, reason: "differs" };
      case "replace": {
        const lines = reindentHunk(merge, hunk, reindent);
        if (lines === undefined) return { ok: false, reason: "indentation" };
        for (const content of lines) output.push({ content, ending: lineEnding });
        break;
      }
    }
  }
  const text = output.map(({ content, ending }, index) => content + (index < output.length - 1 ? ending : ""));
  return { ok: true, newText: text.join("") };
}

/** A stretch between two lines that all three texts share, or such a line itself. */
type Hunk = {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
  readonly blockStart: number;
  readonly blockEnd: number;
};

function splitHunks({ block, oldLines, newLines, partners }: BlockMerge, kept: Alignment): readonly Hunk[] {
  const hunks: Hunk[] = [];
  const after = (partner: LinePartner | undefined) => (partner === undefined ? undefined : partner.index + 1);
  let at = { old: 0, new: 0, block: 0 };
  const advance = (to: { old: number; new: number; block: number }) => {
    if (to.old > at.old || to.new > at.new || to.block > at.block)
      hunks.push({
        oldStart: at.old,
        oldEnd: to.old,
        newStart: at.new,
        newEnd: to.new,
        blockStart: at.block,
        blockEnd: to.block,
      });
    at = to;
  };
  for (let index = 0; index < oldLines.length; index += 1) {
    const inNew = kept[index];
    const inBlock = partners[index]?.index;
    // A line that is not in the file stands for what lies between its neighbours, as an ellipsis does.
    const start = inBlock ?? after(partners[index - 1]);
    const end = inBlock === undefined ? partners[index + 1]?.index : inBlock + 1;
    if (inNew === undefined || start === undefined || end === undefined) continue;
    advance({ old: index, new: inNew, block: start });
    advance({ old: index + 1, new: inNew + 1, block: end });
  }
  advance({ old: oldLines.length, new: newLines.length, block: block.length });
  return hunks;
}

/** Blank lines of the file that the old text forgot stay where they are, before and after the lines it has. */
function peelBlankLines({ block, partners }: BlockMerge, hunk: Hunk): readonly Hunk[] {
  if (hunk.oldStart === hunk.oldEnd || hunk.newStart === hunk.newEnd) return [hunk];
  const first = partners[hunk.oldStart]?.index;
  const last = partners[hunk.oldEnd - 1]?.index;
  if (first === undefined || last === undefined) return [hunk];
  const areBlank = (from: number, to: number) => block.slice(from, to).every(({ content }) => isBlank(content));
  if (!areBlank(hunk.blockStart, first) || !areBlank(last + 1, hunk.blockEnd)) return [hunk];
  const { oldStart, oldEnd, newStart, newEnd, blockStart, blockEnd } = hunk;
  return [
    { oldStart, oldEnd: oldStart, newStart, newEnd: newStart, blockStart, blockEnd: first },
    { ...hunk, blockStart: first, blockEnd: last + 1 },
    { oldStart: oldEnd, oldEnd, newStart: newEnd, newEnd, blockStart: last + 1, blockEnd },
  ];
}

function decide(
  { block, oldLines, partners }: BlockMerge,
  kept: Alignment,
  hunk: Hunk,
): "keep" | "replace" | "differs" {
  const oldCount = hunk.oldEnd - hunk.oldStart;
  let isKept = oldCount === hunk.newEnd - hunk.newStart;
  let isPresent = oldCount === hunk.blockEnd - hunk.blockStart;
  for (let offset = 0; offset < oldCount; offset += 1) {
    const index = hunk.oldStart + offset;
    if (kept[index] !== hunk.newStart + offset) isKept = false;
    const partner = partners[index];
    if (partner?.same !== true || partner.index !== hunk.blockStart + offset) isPresent = false;
    else if (differInLiterals(block[partner.index]?.content ?? "", oldLines[index] ?? "")) isPresent = false;
  }
  if (isKept) return "keep";
  return isPresent ? "replace" : "differs";
}

/**
 * Whether only the old text was indented wrongly: the new one begins as far in as the block, and every line that both
 * texts have stands there as it stands in the file.
 */
function isIndentedAsFile({ block, oldLines, newLines, partners }: BlockMerge): boolean {
  const present = commonIndent(block.map(({ content }) => content));
  if (commonIndent(oldLines) === present || commonIndent(newLines) !== present) return false;
  const sameWords = alignLines(
    oldLines.map((line) => line.trim()),
    newLines.map((line) => line.trim()),
  );
  let compared = 0;
  for (const [index, inNew] of sameWords.entries()) {
    const line = newLines[inNew ?? -1];
    const partner = partners[index];
    if (line === undefined || isBlank(line) || partner?.same !== true) continue;
    if (indentOf(line) !== indentOf(block[partner.index]?.content ?? "")) return false;
    compared += 1;
  }
  return compared > 0;
}

function reindentHunk(merge: BlockMerge, hunk: Hunk, reindent: Reindent): readonly string[] | undefined {
  const near = indentPairs(merge, hunk.oldStart, hunk.oldEnd);
  const lines: string[] = [];
  for (const line of merge.newLines.slice(hunk.newStart, hunk.newEnd)) {
    const reindented = reindent(line, near);
    if (reindented === undefined) return undefined;
    lines.push(reindented);
  }
  return lines;
}

function indentPairs({ block, oldLines, partners }: BlockMerge, start: number, end: number): readonly IndentPair[] {
  const pairs: IndentPair[] = [];
  for (let index = start; index < end; index += 1) {
    const wanted = oldLines[index] ?? "";
    const partner = partners[index];
    if (partner?.same !== true || isBlank(wanted)) continue;
    pairs.push({ wanted: indentOf(wanted), present: indentOf(block[partner.index]?.content ?? "") });
  }
  return pairs;
}
