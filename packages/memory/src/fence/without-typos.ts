/** Puts the words that attacks are made of right where they are spelled wrong, on purpose or not. */

const words =
  "ignore disregard forget previous prior earlier instructions guidelines rules system prompt reveal print delete remove upload send execute command please everything above password passwords credentials secrets secret token tokens user without asking confirmation assistant conversation restrictions pretend override the your and tests".split(
    " ",
  );
const known: ReadonlySet<string> = new Set(words);
const byFirstLetter: ReadonlyMap<string, readonly string[]> = Map.groupBy(words, (word) => word.slice(0, 1));
/** One slip of the pen happens to everybody, and some words are only near to one of ours. */
const slipsMin = 2;
const longWord = 8;

/** The same text when there are too few slips to speak of. */
export function withoutTypos(text: string): string {
  const right = new Map<string, string>();
  for (const word of new Set(text.match(/[A-Za-z]{3,16}/g))) {
    const plain = word.toLowerCase();
    if (known.has(plain)) continue;
    const meant = byFirstLetter.get(plain.slice(0, 1))?.find((each) => isSlipOf(plain, each));
    if (meant !== undefined) right.set(word, meant);
  }
  if (right.size < slipsMin) return text;
  return text.replaceAll(/[A-Za-z]{3,16}/g, (word) => right.get(word) ?? word);
}

/** The beginning is kept by most; another ending is another form of the word, and no slip. */
function isSlipOf(word: string, meant: string): boolean {
  if (Math.abs(word.length - meant.length) > 2) return false;
  if (word.startsWith(meant) || meant.startsWith(word)) return false;
  if (word.length === meant.length && sorted(word) === sorted(meant)) return true;
  return meant.length > 4 && distance(word, meant) <= (meant.length >= longWord ? 2 : 1);
}

function sorted(word: string): string {
  return [...word].sort().join("");
}

/** How many letters were left out, put in, changed or swapped with the next one. */
function distance(left: string, right: string): number {
  let before: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwapped) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      next.push(least);
    }
    before = last;
    last = next;
  }
  return last[right.length] ?? 0;
}
