/** Makes text ready for printing: white space collapsed, what has no picture removed, and each character as drawings. */
import { stripVTControlCharacters } from "node:util";
import { textBeside } from "@kedge/protocol/text-file";
import type { Font, Glyph } from "./font.ts";

/** Stands for any number of line breaks. */
const lineBreakGlyph = "\u2588";
const missingGlyph = "\u25a1";

/** What joins, directs or selects forms of characters and shows nothing by itself; a line break is not among them. */
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
const spaces = /[\p{Zs}\t\f\v]+/gu;
const marks = /\p{M}/gu;

/** Every line break that is left stands for a run of them, and every space for a run of spaces. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text)
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\r\n\u0085\u2028\u2029]+/g, "\n")
    .replace(spaces, " ")
    .replace(invisible, (character) => (character === "\n" ? "\n" : ""))
    .replace(/ *(?:\n *)+/g, "\n")
    .trim();
}

/**
 * Clean text without secrets. They are looked for before and after cleaning: what cuts a secret in two is among the
 * things that cleaning removes.
 */
export function cleanSecretless(text: string, redact: (text: string) => string): string {
  return cleanText(redact(cleanText(redact(text))));
}

export type Typesetter = {
  /** One drawing or more for each character. */
  readonly glyphs: (character: string) => readonly Glyph[];
  /** How many characters were printed by their number, because nothing stands for them. */
  readonly unprintable: () => number;
};

export function createTypesetter(font: Font): Typesetter {
  // Our own file, whose values a test prints.
  const table = JSON.parse(textBeside(import.meta.url, "./transliterations.json")) as {
    readonly [from: string]: string;
  };
  const known = new Map<string, readonly Glyph[]>();
  const unprintable = new Set<string>();
  let missing = 0;
  const drawn = (text: string): readonly Glyph[] | undefined => {
    const glyphs = Array.from(text, font.glyph);
    return glyphs.every((glyph) => glyph !== undefined) ? glyphs : undefined;
  };
  const find = (character: string): readonly Glyph[] => {
    if (character === "\n") return drawn(lineBreakGlyph) ?? [];
    // A block in the text itself would read as a line break.
    const isReserved = character === lineBreakGlyph;
    const found =
      (isReserved ? undefined : drawn(character)) ??
      drawn(table[character] ?? character.normalize("NFKD")) ??
      drawn(character.normalize("NFKD").replace(marks, ""));
    if (found !== undefined && found.length > 0) return found;
    unprintable.add(character);
    return drawn(`${missingGlyph}${character.codePointAt(0)?.toString(16).toUpperCase()};`) ?? [];
  };
  return {
    glyphs(character) {
      const glyphs = known.get(character) ?? find(character);
      known.set(character, glyphs);
      if (unprintable.has(character)) missing += 1;
      return glyphs;
    },
    unprintable: () => missing,
  };
}
