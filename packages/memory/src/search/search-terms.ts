/** Terms: what a text is cut into for the search, the same for notes, messages and questions. */

import { stemWord } from "@kedge/protocol/stem-word";
import { textBeside } from "@kedge/protocol/text-file";
import { dateTerms } from "./date-terms.ts";

export type Term = {
  readonly text: string;
  /** Written with a capital letter inside a sentence, or with a digit: names and numbers say more than other words. */
  readonly isName: boolean;
};

const stopWords = JSON.parse(textBeside(import.meta.url, "./stop-words.json")) as {
  readonly ordinary: readonly string[];
  readonly inQuestions: readonly string[];
  readonly common: readonly string[];
};
const irregularForms = JSON.parse(textBeside(import.meta.url, "./irregular-forms.json")) as Record<string, string>;

const ordinary: ReadonlySet<string> = new Set(stopWords.ordinary);
const inQuestions: ReadonlySet<string> = new Set(stopWords.inQuestions);
const irregular: ReadonlyMap<string, string> = new Map(Object.entries(irregularForms));

/** Scripts without spaces between words: each character is a term. */
const single = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}";
const wordShape = new RegExp(`[${single}]|[[\\p{L}\\p{N}\\p{M}]--[${single}]]+(?:['’][\\p{L}]+)?`, "gv");

/** `fooBar`, `HTTPServer` and `v2beta` are found by their pieces as well. */
const pieceShape = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu;

const termCharactersMax = 64;

/** Terms in the order of the text; dates stand at its end in one form. `known` keeps the terms of words for many texts. */
export function termsOf(text: string, known: Map<string, string> = new Map()): readonly Term[] {
  const terms: Term[] = [];
  for (const { 0: word, index } of text.matchAll(wordShape)) {
    const isName = /\p{N}/u.test(word) || (/^\p{Lu}/u.test(word) && !beginsSentence(text, index));
    const bare = word.includes("'") || word.includes("’") ? word.replace(/['’]\p{L}+$/u, "") : word;
    addWord(terms, bare, isName, known);
  }
  for (const date of dateTerms(text)) terms.push({ text: date, isName: true });
  return terms;
}

/** Without the words with which people ask, unless nothing else is left. */
export function questionTerms(question: string): readonly Term[] {
  const terms = termsOf(question);
  const meant = terms.filter(({ text }) => !askingStems.has(text));
  return meant.length > 0 ? meant : terms;
}

/** The stems of a question, each once, names and numbers first; a stem is a beginning of all forms of its word. */
export function questionWords(question: string): readonly string[] {
  const terms = questionTerms(question).filter(({ text }) => !text.startsWith("@"));
  const names = terms.filter(({ isName }) => isName);
  return [...new Set([...names, ...terms].map(({ text }) => text))];
}

export function termOf(word: string): string {
  const plain = plainWord(word);
  return stemWord(irregular.get(plain) ?? plain).slice(0, termCharactersMax);
}

/** Frequent in all that people write, however rare in the notes at hand. */
export function isCommon(term: string): boolean {
  return commonStems.has(term);
}

const commonStems: ReadonlySet<string> = new Set(stopWords.common.map(termOf));

const askingStems: ReadonlySet<string> = new Set([...inQuestions].map(termOf));

function addWord(terms: Term[], word: string, isName: boolean, known: Map<string, string>): void {
  let term = known.get(word);
  if (term === undefined) {
    const plain = plainWord(word);
    term = ordinary.has(plain) ? "" : termOf(plain);
    known.set(word, term);
  }
  if (term === "") return;
  terms.push({ text: term, isName });
  if (!mixedShape.test(word)) return;
  for (const piece of word.match(pieceShape) ?? []) {
    if (piece.length > 1 && !ordinary.has(piece.toLowerCase())) terms.push({ text: termOf(piece), isName: false });
  }
}

const mixedShape = /\p{Ll}\p{Lu}|\p{L}\p{N}|\p{Lu}\p{Lu}\p{Ll}|\p{N}\p{L}/u;

/** Without case, accents and width. */
function plainWord(word: string): string {
  if (/^[A-Za-z0-9]+$/.test(word)) return word.toLowerCase();
  return word
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]+/g, "")
    .normalize("NFC")
    .toLowerCase();
}

function beginsSentence(text: string, index: number): boolean {
  return /(?:^|[.!?:\n>*#-]\s*["'(]?)$/u.test(text.slice(Math.max(0, index - 4), index));
}
