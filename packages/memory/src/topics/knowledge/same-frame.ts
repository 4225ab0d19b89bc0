/** Finds sentences that say the same about the same thing but for one place: "built with webpack", "built with rspack". */
import { keywordsOf } from "./keywords.ts";

/** What stands around the place must name the thing. */
const keywordsMin = 2;
/** More is another statement about the thing, which may be true beside the first. */
const wordsInPlaceMax = 2;

export function fillSameFrame(one: string, other: string): boolean {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  const shorter = Math.min(left.length, right.length);
  let before = 0;
  while (before < shorter && left[before] === right[before]) before += 1;
  let after = 0;
  while (after < shorter - before && left.at(-1 - after) === right.at(-1 - after)) after += 1;
  const places = [left.length, right.length].map((length) => length - before - after);
  if (before === 0 || places.some((words) => words === 0 || words > wordsInPlaceMax)) return false;
  if (before + after < 2 * Math.max(...places)) return false;
  const frame = [...left.slice(0, before), ...left.slice(left.length - after)];
  return keywordsOf(frame.join(" ")).size >= keywordsMin;
}

/** Of the first sentence, without days and without the endings that only count. */
function wordsOf(text: string): readonly string[] {
  const [sentence = ""] = text.split(/[.!?](?:\s|$)|\n/, 1);
  const plain = sentence
    .toLowerCase()
    .replaceAll(/\b(?:as of|since|on|from)\s+\d{4}(?:-\d{2}){0,2}\b|\b\d{4}-\d{2}-\d{2}\b/g, " ");
  return (plain.match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) ?? []).map((word) => word.replace(/(?<=\p{L}{3})s$/u, ""));
}
