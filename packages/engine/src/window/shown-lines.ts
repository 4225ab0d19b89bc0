/** Which lines of a file a read has shown: what its result says, not what was asked for, since long files are cut. */
import type { CallResult } from "@kedge/protocol";
import type { FileUse } from "./file-uses.ts";

/** Both included. */
type LineRange = { readonly first: number; readonly last: number };

export type ShownFile = { readonly use: FileUse; readonly result: CallResult };

const [spaceCode, starCode, zeroCode, colonCode, barCode] = [32, 42, 48, 58, 124];
const digitsMax = 9;

/** Whether nothing of the earlier result is missing in the later one. */
export type CoversLines = (later: ShownFile, earlier: ShownFile) => boolean;

/** One per session: it reads each result once. */
export function createLineCover(): CoversLines {
  const known = new WeakMap<CallResult, readonly LineRange[]>();

  function rangesOf({ use, result }: ShownFile): readonly LineRange[] {
    // Numbers at the beginning of raw lines are part of the file.
    if (use.selector?.includes("raw") === true) return [];
    const found = known.get(result) ?? numberedRanges(result.output);
    known.set(result, found);
    return found;
  }

  return (later, earlier) => {
    const wanted = rangesOf(earlier);
    if (wanted.length === 0) return isSameSelection(later, earlier);
    const shown = rangesOf(later);
    return wanted.every(({ first, last }) => shown.some((range) => range.first <= first && range.last >= last));
  };
}

function numberedRanges(output: string): readonly LineRange[] {
  const ranges: { readonly first: number; last: number }[] = [];
  for (let start = 0; start < output.length; ) {
    const line = rowNumber(output, start);
    const open = ranges.at(-1);
    if (line !== undefined && line === (open?.last ?? 0) + 1 && open !== undefined) open.last = line;
    else if (line !== undefined && line > (open?.last ?? 0)) ranges.push({ first: line, last: line });
    const end = output.indexOf("\n", start);
    if (end === -1) break;
    start = end + 1;
  }
  return ranges;
}

/** Of rows as `12|text` or `12:text`, the latter with a mark in front or none. Three times as fast as a pattern. */
function rowNumber(output: string, start: number): number | undefined {
  const mark = output.charCodeAt(start);
  let at = mark === spaceCode || mark === starCode ? start + 1 : start;
  const digits = at;
  let line = 0;
  for (; at - digits < digitsMax; at += 1) {
    const digit = output.charCodeAt(at) - zeroCode;
    if (!(digit >= 0 && digit <= 9)) break;
    line = line * 10 + digit;
  }
  const code = output.charCodeAt(at);
  return at > digits && (code === barCode || code === colonCode) ? line : undefined;
}

/** Without numbers only a repetition is sure, and not one that is shorter because it refers to the first. */
function isSameSelection(later: ShownFile, earlier: ShownFile): boolean {
  return (
    later.use.selector === earlier.use.selector &&
    later.result.output.length >= earlier.result.output.length &&
    (later.result.media?.length ?? 0) >= (earlier.result.media?.length ?? 0)
  );
}
