/** Words: how text is cut into them for the search, the same in every store, and where a query is found in a text. */

/** What one word of a query asks for: these words in a row. Only the last one of a query may be a beginning. */
export type Phrase = { readonly words: readonly string[]; readonly isBeginning: boolean };

type Word = { readonly text: string; readonly start: number; readonly end: number };

/** More of a query than this is not looked at. */
const queryCharactersMax = 1000;

const snippetBefore = 40;
const snippetAfter = 120;

/** Scripts without spaces between words: each character counts as a word, so that any piece of a text is found. */
const single =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
/** Made with the first text: it takes half a millisecond. */
let wordShape: RegExp | undefined;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is what ASCII is.
const asciiShape = /^[\x00-\x7f]*$/;

/**
 * The text as the index takes it: words with a space between them. The tokenizer of the index takes ASCII apart like we
 * do and leaves everything else whole, so what is ASCII already stays as it is.
 */
export function indexedText(text: string): string {
  if (asciiShape.test(text)) return text;
  return Array.from(wordsOf(text), (word) => word.text).join(" ");
}

/** Longer words are told apart by their beginning alone in an index that bounds its words. */
const indexedCharactersMax = 200;

/** More of one text is not searched: an index of words takes no more than a megabyte of them. */
const indexedBytesMax = 900_000;

/** The different words of a text as an index takes them that keeps words and not texts. */
export function wordsForIndex(text: string): readonly string[] {
  const words = new Set<string>();
  let bytes = 0;
  for (const word of wordsOf(text)) {
    const form = indexedForm(word.text);
    if (words.has(form)) continue;
    bytes += Buffer.byteLength(form);
    if (bytes > indexedBytesMax) break;
    words.add(form);
  }
  return [...words];
}

export function indexedForm(word: string): string {
  return word.slice(0, indexedCharactersMax);
}

/** Nothing that a user types is an operator or a mistake; what has no letter and no digit is left out. */
export function phrasesOf(query: string): readonly Phrase[] {
  const phrases = query
    .slice(0, queryCharactersMax)
    .split(/\s+/u)
    .map((piece) => Array.from(wordsOf(piece), (word) => word.text))
    .filter((words) => words.length > 0);
  return phrases.map((words, index) => ({ words, isBeginning: index === phrases.length - 1 }));
}

/** Whether every phrase occurs in the text. */
export function holdsAll(text: string, phrases: readonly Phrase[]): boolean {
  const words = [...wordsOf(text)];
  return phrases.every((phrase) => words.some((_, index) => isAt(words, index, phrase)));
}

/** Some words around the first place, with what was found between ⟦ and ⟧, in one line. */
export function snippetOf(text: string, phrases: readonly Phrase[]): string {
  const found = placesOf(text, phrases);
  const first = found[0]?.start ?? 0;
  const start = cutBefore(text, first - snippetBefore);
  const end = cutAfter(text, first + snippetAfter);
  let snippet = start > 0 ? "… " : "";
  let done = start;
  for (const place of found) {
    if (place.start < done || place.end > end) continue;
    snippet += `${text.slice(done, place.start)}⟦${text.slice(place.start, place.end)}⟧`;
    done = place.end;
  }
  return `${snippet}${text.slice(done, end)}${end < text.length ? " …" : ""}`.replace(/\s+/gu, " ").trim();
}

/** Where phrases begin and end, up to the end of the snippet around the first one. */
function placesOf(text: string, phrases: readonly Phrase[]): readonly { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  const longest = Math.max(1, ...phrases.map((phrase) => phrase.words.length));
  let window: Word[] = [];
  const look = () => {
    for (const phrase of phrases) {
      const last = window[phrase.words.length - 1];
      if (last !== undefined && isAt(window, 0, phrase)) places.push({ start: window[0]?.start ?? 0, end: last.end });
    }
    window = window.slice(1);
  };
  for (const word of wordsOf(text)) {
    window.push(word);
    if (window.length < longest) continue;
    look();
    const [first] = places;
    if (first !== undefined && word.start > first.start + snippetAfter) return places;
  }
  while (window.length > 0) look();
  return places;
}

function isAt(words: readonly Word[], index: number, { words: wanted, isBeginning }: Phrase): boolean {
  return wanted.every((text, offset) => {
    const word = words[index + offset]?.text;
    const isOpen = isBeginning && offset === wanted.length - 1;
    return isOpen ? word?.startsWith(text) === true : word === text;
  });
}

function* wordsOf(text: string): Generator<Word> {
  wordShape ??= new RegExp(`[${single}]\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--[${single}]]+`, "gv");
  for (const { 0: word, index } of text.matchAll(wordShape)) {
    const plain = plainWord(word);
    if (plain !== "") yield { text: plain, start: index, end: index + word.length };
  }
}

/** Without case, accents and width; pieces that the tokenizer of the index would cut at are left out. */
function plainWord(word: string): string {
  if (asciiShape.test(word)) return word.toLowerCase();
  const bare = word.normalize("NFKD").replace(/[\u0300-\u036f]+/g, "");
  return bare.normalize("NFC").toLowerCase().replace(notInWords, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: everything in ASCII but letters and digits.
const notInWords = /[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+/g;

function cutBefore(text: string, wanted: number): number {
  if (wanted <= 0) return 0;
  const space = text.slice(wanted, wanted + snippetBefore).search(/\s/u);
  return space === -1 ? wholeCharacter(text, wanted) : wanted + space + 1;
}

function cutAfter(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  const space = text.lastIndexOf(" ", wanted);
  return space > wanted - snippetBefore ? space : wholeCharacter(text, wanted);
}

/** Never between the two halves of a character outside the basic plane. */
function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index + 1 : index;
}
