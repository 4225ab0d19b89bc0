/** Puts the values of variables into a word and splits it where a shell would. */
import type { PartRow } from "./expand-braces.ts";
import type { KnownValue } from "./shell-variables.ts";
import type { WordPart } from "./syntax/script.ts";

export type FindValue = (name: string) => KnownValue | undefined;

/** Signs that mean the same wherever a shell finds them in a value, and blanks and patterns. */
const plainValue = /^[\w./:,@%+=^ \t\n*?[\]{};-]*$/;
const wordsMax = 32;

/**
 * The words of which only what is known was put in; an expansion that stays is unknown. A value in quotes, or in a
 * place where nothing is split, stands as it is.
 */
export function putValuesIn(
  row: PartRow,
  find: FindValue,
  { isValue }: { readonly isValue: boolean },
): readonly PartRow[] {
  if (!row.some((part) => part.kind === "expansion" && part.variable !== undefined)) return [row];
  const words: PartRow[] = [];
  let parts: WordPart[] = [];
  let isWord = false;
  const end = () => {
    if (isWord) words.push(parts);
    parts = [];
    isWord = false;
  };
  for (const part of row) {
    const value = part.kind === "expansion" && part.variable !== undefined ? find(part.variable) : undefined;
    const pieces = value === undefined ? undefined : piecesOf(value, part.isQuoted || isValue);
    if (pieces === undefined) {
      parts.push(part);
      isWord = true;
      continue;
    }
    for (const piece of pieces) {
      if (piece === "end") end();
      else {
        parts.push(piece);
        // Nothing in quotes is a word too.
        isWord ||= part.isQuoted || isValue || piece.text !== "";
      }
    }
  }
  end();
  return words;
}

type Piece = "end" | Extract<WordPart, { readonly kind: "text" }>;

/** Undefined when it is not certain what a shell makes of it. */
function piecesOf({ text, isGlob }: KnownValue, isWhole: boolean): readonly Piece[] | undefined {
  if (isGlob) return undefined;
  if (isWhole) return [{ kind: "text", text, isQuoted: true }];
  if (!plainValue.test(text)) return undefined;
  const pieces = text.split(/([ \t\n]+)/);
  if (pieces.length > wordsMax) return undefined;
  return pieces.map((piece, index) =>
    index % 2 === 1 ? "end" : { kind: "text", text: piece, isQuoted: !/[*?[\]]/.test(piece) },
  );
}
