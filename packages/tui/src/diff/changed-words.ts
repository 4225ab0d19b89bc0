/** Which words of a line that was changed are others than before. */
import { diffWordsWithSpace } from "diff/lib/diff/word.js";

export type TextRange = { readonly start: number; readonly end: number };
export type ChangedWords = { readonly before: readonly TextRange[]; readonly after: readonly TextRange[] };

const lineLengthMax = 500;
const editLengthMax = 200;
/** Lines that share less are two lines, and marking nearly all of them would only make noise. */
const sharedPartMin = 0.35;
const none: ChangedWords = { before: [], after: [] };

export function changedWords(before: string, after: string): ChangedWords {
  const longest = Math.max(before.length, after.length);
  if (longest === 0 || longest > lineLengthMax) return none;
  const changes = diffWordsWithSpace(before, after, { maxEditLength: editLengthMax });
  if (changes === undefined) return none;
  const ranges: { before: TextRange[]; after: TextRange[] } = { before: [], after: [] };
  let beforeAt = 0;
  let afterAt = 0;
  let shared = 0;
  for (const { value, added, removed } of changes) {
    if (removed) ranges.before.push({ start: beforeAt, end: beforeAt + value.length });
    if (added) ranges.after.push({ start: afterAt, end: afterAt + value.length });
    if (!added) beforeAt += value.length;
    if (!removed) afterAt += value.length;
    if (!added && !removed) shared += value.trim().length;
  }
  const isSpacingOnly = withoutSpaces(before) === withoutSpaces(after);
  const words = Math.max(withoutSpaces(before).length, withoutSpaces(after).length);
  return isSpacingOnly || shared >= sharedPartMin * words ? ranges : none;
}

export function withoutSpaces(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
