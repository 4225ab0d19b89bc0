/** Guesses which known word a mistyped one was meant to be; says nothing rather than something far away. */
import { nearNames } from "@kedge/protocol";

/** One wrong letter is allowed for so many letters. */
const lettersPerSlip = 3;
/** From this length on, the beginning of a word is enough. */
const beginningLettersMin = 3;

/** The nearest first. */
export function nearWords(word: string, known: readonly string[], countMax: number): readonly string[] {
  const near = known.filter((each) => isNear(bare(word), bare(each)));
  return nearNames(word, near, { countMax, anyHow: true });
}

/** Dashes in front are the same for all flags and would make any two look alike. */
function bare(word: string): string {
  return word.replace(/^-+/, "").toLowerCase();
}

function isNear(word: string, known: string): boolean {
  if (word.length >= beginningLettersMin && known.startsWith(word)) return true;
  const slipsMax = Math.max(1, Math.floor(Math.max(word.length, known.length) / lettersPerSlip));
  // A word of one letter would be near to any other.
  return Math.min(word.length, known.length) > 1 && slips(word, known) <= slipsMax;
}

/** How many letters were left out, added, changed, or swapped with their neighbour. */
function slips(left: string, right: string): number {
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = above;
    above = current;
  }
  return above[right.length] ?? 0;
}
