/** Brings an English word to its stem, by the rules of Porter (1980), so that forms of one word meet in the index. */

const consonant = "[^aeiou]";
const vowel = "[aeiouy]";
const consonants = `${consonant}[^aeiouy]*`;
const vowels = `${vowel}[aeiou]*`;

/** How many times a vowel is followed by a consonant: at least once, exactly once, more than once. */
const hasMeasure = new RegExp(`^(?:${consonants})?${vowels}${consonants}`);
const isMeasureOne = new RegExp(`^(?:${consonants})?${vowels}${consonants}(?:${vowels})?$`);
const isMeasureMany = new RegExp(`^(?:${consonants})?${vowels}${consonants}${vowels}${consonants}`);
const hasVowel = new RegExp(`^(?:${consonants})?${vowel}`);
const endsShort = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`);

const secondStep: readonly (readonly [string, string])[] = [
  ...[["ational", "ate"] as const, ["tional", "tion"] as const, ["enci", "ence"] as const, ["anci", "ance"] as const],
  ...[["izer", "ize"] as const, ["bli", "ble"] as const, ["alli", "al"] as const, ["entli", "ent"] as const],
  ...[["eli", "e"] as const, ["ousli", "ous"] as const, ["ization", "ize"] as const, ["ation", "ate"] as const],
  ...[["ator", "ate"] as const, ["alism", "al"] as const, ["iveness", "ive"] as const, ["fulness", "ful"] as const],
  ...[["ousness", "ous"] as const, ["aliti", "al"] as const, ["iviti", "ive"] as const, ["biliti", "ble"] as const],
  ["logi", "log"],
];

const thirdStep: readonly (readonly [string, string])[] = [
  ...[["icate", "ic"] as const, ["ative", ""] as const, ["alize", "al"] as const, ["iciti", "ic"] as const],
  ...[["ical", "ic"] as const, ["ful", ""] as const, ["ness", ""] as const],
];

const fourthStep =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$|^(.+?[st])(ion)$/;

const lettersOnly = /^[a-z]{3,}$/;

export function stemWord(word: string): string {
  if (!lettersOnly.test(word)) return word;
  // A `y` at the beginning is a consonant; the capital keeps the rules from taking it for a vowel.
  const isCapital = word.startsWith("y");
  const given = isCapital ? `Y${word.slice(1)}` : word;
  const stem = withoutFinalE(withoutSuffixes(withVowelForY(withoutEndings(given))));
  return isCapital ? stem.toLowerCase() : stem;
}

/** Plurals, `-ed` and `-ing`. */
function withoutEndings(given: string): string {
  let word = given;
  if (/(?:ss|i)es$/.test(word)) word = word.slice(0, -2);
  else if (/[^s]s$/.test(word)) word = word.slice(0, -1);
  if (word.endsWith("eed")) return hasMeasure.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const cut = /^(.+?)(?:ed|ing)$/.exec(word)?.[1];
  if (cut === undefined || !hasVowel.test(cut)) return word;
  if (/(?:at|bl|iz)$/.test(cut)) return `${cut}e`;
  if (/([^aeiouylsz])\1$/.test(cut)) return cut.slice(0, -1);
  return endsShort.test(cut) ? `${cut}e` : cut;
}

function withVowelForY(word: string): string {
  const stem = word.slice(0, -1);
  return word.endsWith("y") && hasVowel.test(stem) ? `${stem}i` : word;
}

function withoutSuffixes(given: string): string {
  const word = replaced(replaced(given, secondStep), thirdStep);
  const found = fourthStep.exec(word);
  const stem = found?.[1] ?? found?.[3];
  return stem !== undefined && isMeasureMany.test(stem) ? stem : word;
}

function replaced(word: string, step: readonly (readonly [string, string])[]): string {
  const row = step.find(([suffix]) => word.endsWith(suffix));
  if (row === undefined) return word;
  const stem = word.slice(0, -row[0].length);
  return hasMeasure.test(stem) ? stem + row[1] : word;
}

function withoutFinalE(given: string): string {
  let word = given;
  const stem = word.slice(0, -1);
  if (word.endsWith("e") && (isMeasureMany.test(stem) || (isMeasureOne.test(stem) && !endsShort.test(stem))))
    word = stem;
  return word.endsWith("ll") && isMeasureMany.test(word) ? word.slice(0, -1) : word;
}
