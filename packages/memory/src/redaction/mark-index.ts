/** Finds in one pass where any of many marks stands in a text. */

export type MarkIndex<Value> = {
  /** From left to right; of marks that begin at one place, in the order in which they were given. */
  find(text: string, onHit: (index: number, value: Value) => void): void;
};

/** One whose case does not count is given in small letters. */
export type Mark<Value> = { readonly mark: string; readonly ignoreCase: boolean; readonly value: Value };

/** Two characters below this tell almost every place that begins no mark from those that may, and a third the rest. */
const codesKnown = 128;
const placeOfNone = 1;
/** As many as the table can number. */
const listsMax = 0xffff;

/** Marks have at least two characters, and the first two of them are ASCII. */
export function createMarkIndex<Value>(marks: readonly Mark<Value>[]): MarkIndex<Value> {
  const numbers = new Uint16Array(codesKnown * codesKnown);
  /** The marks that begin with the same two characters, by the number of these, which begin at 1. */
  const starts: Mark<Value>[][] = [[]];
  const add = (first: number, second: number, entry: Mark<Value>): void => {
    const pair = first * codesKnown + second;
    const number = numbers[pair] as number;
    if (number > 0) starts[number]?.push(entry);
    else numbers[pair] = starts.push([entry]) - 1;
  };
  for (const entry of marks) {
    const first = entry.mark.charCodeAt(0);
    const second = entry.mark.charCodeAt(1);
    const firstLarge = entry.ignoreCase ? inLargeLetters(first) : first;
    const secondLarge = entry.ignoreCase ? inLargeLetters(second) : second;
    add(first, second, entry);
    if (firstLarge !== first) add(firstLarge, second, entry);
    if (secondLarge !== second) add(first, secondLarge, entry);
    if (firstLarge !== first && secondLarge !== second) add(firstLarge, secondLarge, entry);
  }

  /** By number and third character the place in `lists`, 0 until it is first met. A table for each would take too much room. */
  const thirds = new Uint16Array(starts.length * codesKnown);
  const none: readonly Mark<Value>[] = [];
  const lists = [none, none];

  function entriesWith(number: number, third: number): readonly Mark<Value>[] {
    const fitting = (starts[number] ?? []).filter(({ mark, ignoreCase }) => {
      // None of them goes on at the end of a text.
      return mark.length < 3 || mark.charCodeAt(2) === (ignoreCase ? inSmallLetters(third) : third);
    });
    if (third < codesKnown && lists.length <= listsMax)
      thirds[number * codesKnown + third] = fitting.length === 0 ? placeOfNone : lists.push(fitting) - 1;
    return fitting;
  }

  return {
    find(text, onHit) {
      const { length } = text;
      let before = text.charCodeAt(0);
      for (let index = 1; index < length; index++) {
        const code = text.charCodeAt(index);
        if ((before | code) < codesKnown) {
          const number = numbers[before * codesKnown + code] as number;
          if (number > 0) {
            const third = text.charCodeAt(index + 1);
            const place = third < codesKnown ? (thirds[number * codesKnown + third] as number) : 0;
            const entries = place > 0 ? (lists[place] as readonly Mark<Value>[]) : entriesWith(number, third);
            // Of the places where two characters fit, nearly all end here: no call is made for them.
            if (entries.length > 0) look(text, index - 1, entries, onHit);
          }
        }
        before = code;
      }
    },
  };
}

function look<Value>(
  text: string,
  index: number,
  entries: readonly Mark<Value>[],
  onHit: (index: number, value: Value) => void,
): void {
  const fourth = text.charCodeAt(index + 3);
  for (const entry of entries) {
    const { mark, ignoreCase } = entry;
    const isFourth = mark.length < 4 || mark.charCodeAt(3) === (ignoreCase ? inSmallLetters(fourth) : fourth);
    if (isFourth && standsAt(text, index, entry)) onHit(index, entry.value);
  }
}

const upperA = 65;
const upperZ = 90;
const caseBit = 32;

function standsAt(text: string, index: number, { mark, ignoreCase }: Mark<unknown>): boolean {
  if (!ignoreCase) return text.startsWith(mark, index);
  for (let place = 2; place < mark.length; place++) {
    if (inSmallLetters(text.charCodeAt(index + place)) !== mark.charCodeAt(place)) return false;
  }
  return true;
}

function inSmallLetters(code: number): number {
  return code >= upperA && code <= upperZ ? code | caseBit : code;
}

function inLargeLetters(code: number): number {
  return code >= upperA + caseBit && code <= upperZ + caseBit ? code & ~caseBit : code;
}
