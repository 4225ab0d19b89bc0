/** The three classes of cells that words are made of. */

export type CellClass = "blank" | "keyword" | "punctuation";

/** `word` tells keywords from punctuation, `WORD` knows only blank and non-blank. */
export type WordSize = "word" | "WORD";

export function classOf(cell: string, size: WordSize): CellClass {
  if (cell === " " || cell === "\t" || cell === "\n") return "blank";
  return size === "WORD" || /^[\p{L}\p{N}_]/u.test(cell) ? "keyword" : "punctuation";
}
