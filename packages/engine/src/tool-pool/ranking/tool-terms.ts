/** Terms: what names, descriptions and questions are cut into, so that forms of one word meet. */

import { textBeside } from "@kedge/protocol/text-file";
import { emptyWords } from "./plain-words.ts";
import { stemTerm } from "./stem-term.ts";

const wordShape = /\p{Script=Han}+|[[\p{L}\p{N}]--\p{Script=Han}]+/gv;
const isHan = /^\p{Script=Han}/u;
const chineseCharactersMax = 4;

/** Many servers describe their tools in Chinese, while models ask in English. */
const chinese: ReadonlyMap<string, readonly string[]> = new Map(
  // Our own file, whose words the tests of the ranking read.
  Object.entries(JSON.parse(textBeside(import.meta.url, "./chinese-words.json")) as Record<string, string>).map(
    ([word, english]) => [word, english.split(" ").map(stemTerm)],
  ),
);

/** In the order of the text. `stems` keeps the stems of words for many texts. */
export function termsOf(text: string, stems: Map<string, string> = new Map()): readonly string[] {
  const terms: string[] = [];
  for (const [word] of splitCases(text).matchAll(wordShape)) {
    if (isHan.test(word)) terms.push(...chineseTerms(word));
    else {
      const plain = plainWord(word);
      if (emptyWords.has(plain)) continue;
      const stem = stems.get(plain) ?? stemTerm(plain);
      stems.set(plain, stem);
      terms.push(stem);
    }
  }
  return terms;
}

/** Two terms that follow each other count as a term of their own. */
export function pairOf(first: string, second: string): string {
  return `${first} ${second}`;
}

/** `getUserId` and `HTTPServer` are several words. */
export function splitCases(text: string): string {
  return text.replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2");
}

/** Without case and accents. */
function plainWord(word: string): string {
  if (/^[A-Za-z0-9]+$/.test(word)) return word.toLowerCase();
  return word
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase();
}

/** What its known words mean in English, and each pair of characters, for questions in Chinese. */
function chineseTerms(run: string): readonly string[] {
  const terms: string[] = [];
  for (let at = 0; at < run.length; at += 1) {
    for (let length = chineseCharactersMax; length >= 2; length -= 1) {
      const english = chinese.get(run.slice(at, at + length));
      if (english === undefined) continue;
      terms.push(...english);
      break;
    }
    if (at + 1 < run.length || run.length === 1) terms.push(run.slice(at, at + 2));
  }
  return terms;
}
