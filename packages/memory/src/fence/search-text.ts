/** Looks for hundreds of expressions in one text: where an expression cannot match it is not run, and none is copied. */
import {
  lettersOf,
  mayMatch,
  type NeededLetters,
  neededLetters,
  neededPieces,
  type SeenLetters,
} from "./needed-letters.ts";

export type Search = { readonly expression: RegExp; readonly needed: NeededLetters };
export type SearchedText = { readonly text: string; readonly letters: SeenLetters; readonly parts: readonly Part[] };

/** Some lines of the text. Each part begins with the last line of the one before, because an order may go on in the next line. */
type Part = { readonly start: number; readonly text: string; readonly letters: SeenLetters };

/** Short enough to lack many of the letters that are looked for. */
const partCharacters = 800;

export function makeSearch(source: string, flags: string): Search {
  return { expression: new RegExp(source, `g${flags}`), needed: neededLetters(neededPieces(source)) };
}

export function searchedText(text: string): SearchedText {
  const parts: Part[] = [];
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf("\n", start + partCharacters);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    const part = text.slice(start, end);
    parts.push({ start, text: part, letters: lettersOf(part) });
    if (end === text.length) break;
    const lastLine = text.lastIndexOf("\n", end - 2) + 1;
    start = lastLine > start ? lastLine : end;
  }
  return { text, letters: lettersOf(text), parts };
}

/** At most so many. One walk at a time: a copy of the expression, as `matchAll` makes, is compiled again when there are many. */
export function* eachMatch(
  { letters: all, parts }: SearchedText,
  { expression, needed }: Search,
  most: number,
): Generator<{ readonly index: number; readonly length: number }> {
  if (!mayMatch(all, needed)) return;
  let left = most;
  for (const { start, text, letters } of parts) {
    if (!mayMatch(letters, needed)) continue;
    expression.lastIndex = 0;
    for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
      if (match[0] === "") expression.lastIndex += 1;
      yield { index: start + match.index, length: match[0].length };
      left -= 1;
      if (left === 0) return;
    }
  }
}
