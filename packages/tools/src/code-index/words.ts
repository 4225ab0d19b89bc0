/** Turns code and questions into the words that are compared: identifiers as a whole and in their parts, in lower case. */

const identifiers = /[\p{L}\p{N}\p{M}_$]+/gu;
const plainWord = /^[a-z]+\d*$/;
/** Between the words of an identifier: aB, HTTPServer before the S, and at underscores. */
const innerBorder = /(?<=[\p{Ll}\p{Lo}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[_$]+/u;
/** Scripts that are written without spaces; pairs of signs stand for their words. */
const unspacedRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,}/gu;
const unspacedSign = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Longer ones are keys, digests and packed pictures. */
const wordCharactersMax = 64;
const queryWordsMax = 40;
const rememberedMax = 2_000;

/** Words that questions have and that say nothing about code. */
const emptyWords: ReadonlySet<string> = new Set(
  (
    "a an and are as at be by can code do does did find for from function how i if in into is it its me my of on or " +
    "our show so that the their them then there these they this to use used uses using was we what when where which " +
    "who why will with you"
  ).split(" "),
);

/** Splits texts; remembers the identifiers it has seen, since a tree of sources repeats them. */
export function createWordSplitter(): (text: string) => string[] {
  const remembered = new Map<string, readonly string[]>();
  return (text) => {
    const words: string[] = [];
    for (const identifier of text.match(identifiers) ?? []) {
      if (identifier.length > wordCharactersMax) continue;
      if (plainWord.test(identifier)) {
        if (identifier.length > 1) words.push(identifier);
        continue;
      }
      let parts = remembered.get(identifier);
      if (parts === undefined) {
        parts = wordsOfIdentifier(identifier);
        if (remembered.size >= rememberedMax) remembered.clear();
        remembered.set(identifier, parts);
      }
      words.push(...parts);
    }
    return words;
  };
}

/** The different words of a question in their order, without those that say nothing if others are left. */
export function wordsOfQuery(query: string): readonly string[] {
  const all = [...new Set(createWordSplitter()(query))].slice(0, queryWordsMax);
  const telling = all.filter((word) => !emptyWords.has(word));
  return telling.length > 0 ? telling : all;
}

function wordsOfIdentifier(identifier: string): readonly string[] {
  // Signs that look alike but are written with other characters are made the same.
  const same = identifier.normalize("NFKC");
  const parts = same.split(innerBorder).filter((part) => part !== "");
  const whole = same.replace(/^[_$]+|[_$]+$/g, "");
  const runs = [...same.matchAll(unspacedRun)].flatMap(([run]) => pairsOf(run));
  const words = [...parts, ...(parts.length > 1 ? [whole] : []), ...runs];
  return [...new Set(words.map((word) => word.toLowerCase()))].filter(isTelling);
}

function isTelling(word: string): boolean {
  return word.length > 1 || unspacedSign.test(word);
}

function pairsOf(run: string): readonly string[] {
  const signs = [...run];
  return signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
}
