/** Where characters as a reader sees them begin and end in a text, found by looking only at its surroundings. */
import { graphemeSegmenter, wordSegmenter } from "../screen/segmenters.ts";

/** Longer clusters do not occur in writing; farther is never looked. */
const surroundingsMax = 512;

function isPlain(code: number): boolean {
  return code >= 0x20 && code < 0x7f;
}

/** The parts of a short text with the offset of each. */
export function graphemesOf(text: string): Iterable<{ readonly segment: string; readonly index: number }> {
  return graphemeSegmenter().segment(text);
}

/**
 * A cluster begins at each line, and before each plain letter that follows another one, so counting from there gives the
 * same clusters as counting from the beginning of the text.
 */
function safeStart(text: string, offset: number): number {
  const lowest = Math.max(0, offset - surroundingsMax);
  for (let at = offset - 1; at > lowest; at -= 1) {
    const code = text.charCodeAt(at);
    const before = text.charCodeAt(at - 1);
    if (before === 0x0a || (isPlain(code) && isPlain(before))) return at;
  }
  const low = text.charCodeAt(lowest);
  return low >= 0xdc00 && low < 0xe000 && lowest > 0 ? lowest - 1 : lowest;
}

/** The boundary at or before the offset. */
export function boundaryAtOrBefore(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (offset >= text.length) return text.length;
  if (isPlain(text.charCodeAt(offset)) && isPlain(text.charCodeAt(offset - 1))) return offset;
  const start = safeStart(text, offset);
  const surroundings = text.slice(start, offset + surroundingsMax);
  return (
    start +
    (graphemeSegmenter()
      .segment(surroundings)
      .containing(offset - start)?.index ?? 0)
  );
}

export function boundaryAtOrAfter(text: string, offset: number): number {
  const before = boundaryAtOrBefore(text, offset);
  return before >= offset ? before : nextBoundary(text, before);
}

export function previousBoundary(text: string, offset: number): number {
  return offset <= 0 ? 0 : boundaryAtOrBefore(text, offset - 1);
}

export function nextBoundary(text: string, offset: number): number {
  if (offset >= text.length) return text.length;
  if (isPlain(text.charCodeAt(offset)) && (offset + 1 === text.length || isPlain(text.charCodeAt(offset + 1)))) {
    return offset + 1;
  }
  const start = safeStart(text, offset + 1);
  const found = graphemeSegmenter()
    .segment(text.slice(start, offset + surroundingsMax))
    .containing(offset - start);
  return found === undefined ? text.length : start + found.index + found.segment.length;
}

const wordCharacter = /[\p{L}\p{N}\p{M}\p{Co}_]/u;
/** Writing without spaces between words. */
const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}]/u;

function characterBefore(text: string, offset: number): string {
  const isPair = offset > 1 && /[\udc00-\udfff]/.test(text[offset - 1] ?? "");
  return text.slice(isPair ? offset - 2 : offset - 1, offset);
}

function characterAt(text: string, offset: number): string {
  return String.fromCodePoint(text.codePointAt(offset) ?? 0);
}

/** Back over what is no word, then to the beginning of the word. */
export function wordStartBefore(text: string, offset: number): number {
  let end = offset;
  while (end > 0 && !wordCharacter.test(characterBefore(text, end))) end -= characterBefore(text, end).length;
  let start = end;
  while (start > 0 && wordCharacter.test(characterBefore(text, start))) start -= characterBefore(text, start).length;
  const run = text.slice(Math.max(start, end - surroundingsMax), end);
  if (unspacedScript.test(run)) start = end - (Array.from(wordSegmenter().segment(run)).at(-1)?.segment.length ?? 0);
  return boundaryAtOrBefore(text, start);
}

/** Over what is no word, then to the end of the word. */
export function wordEndAfter(text: string, offset: number): number {
  let start = offset;
  while (start < text.length && !wordCharacter.test(characterAt(text, start))) start += characterAt(text, start).length;
  let end = start;
  while (end < text.length && wordCharacter.test(characterAt(text, end))) end += characterAt(text, end).length;
  const run = text.slice(start, Math.min(end, start + surroundingsMax));
  if (unspacedScript.test(run)) end = start + (wordSegmenter().segment(run).containing(0)?.segment.length ?? 0);
  return boundaryAtOrAfter(text, end);
}

/** Back over blanks, then over everything up to the next blank. */
export function blankBefore(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && /\s/.test(text[start - 1] ?? "")) start -= 1;
  while (start > 0 && !/\s/.test(text[start - 1] ?? "")) start -= 1;
  return boundaryAtOrBefore(text, start);
}
