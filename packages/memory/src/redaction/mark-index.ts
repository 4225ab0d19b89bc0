/** Finds in one pass where any of many marks stands in a text. */

export type MarkIndex<Value> = {
  /** From left to right; of marks that begin at one place, in the order in which they were given. */
  find(text: string, onHit: (index: number, value: Value) => void): void;
};

/** One whose case does not count is given in small letters. */
export type Mark<Value> = { readonly mark: string; readonly ignoreCase: boolean; readonly value: Value };

/** The marks that begin with the same two characters, and which characters stand third in them. */
type Start<Value> = { readonly entries: Mark<Value>[]; readonly thirds: Uint8Array };

/** Two characters below this tell almost every place that begins no mark from those that may, and a third the rest. */
const codesKnown = 128;

/** Marks have at least two characters, and the first two of them are ASCII. */
export function createMarkIndex<Value>(marks: readonly Mark<Value>[]): MarkIndex<Value> {
  const numbers = new Uint16Array(codesKnown * codesKnown);
  const starts: Start<Value>[] = [];
  const add = (entry: Mark<Value>, first: number, second: number) => {
    const pair = first * codesKnown + second;
    const number = numbers[pair] || starts.push({ entries: [], thirds: new Uint8Array(codesKnown) });
    numbers[pair] = number;
    const { entries, thirds } = starts[number - 1] as Start<Value>;
    entries.push(entry);
    allowThird(thirds, entry);
  };
  for (const entry of marks) {
    const [first, second] = [entry.mark.charCodeAt(0), entry.mark.charCodeAt(1)];
    const [large, largeSecond] = entry.ignoreCase ? [inCapitals(first), inCapitals(second)] : [first, second];
    add(entry, first, second);
    if (large !== first) add(entry, large, second);
    if (largeSecond !== second) add(entry, first, largeSecond);
    if (large !== first && largeSecond !== second) add(entry, large, largeSecond);
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
            const { entries, thirds } = starts[number - 1] as Start<Value>;
            const third = text.charCodeAt(index + 1);
            // Of the places where two characters fit, nearly all end here: no call is made for them.
            if (!(third < codesKnown && thirds[third] === 0)) look(text, index - 1, entries, onHit);
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
  const third = text.charCodeAt(index + 2);
  for (const entry of entries) {
    const { mark, ignoreCase } = entry;
    const isThird = mark.length < 3 || mark.charCodeAt(2) === (ignoreCase ? inSmallLetters(third) : third);
    if (isThird && standsAt(text, index, entry)) onHit(index, entry.value);
  }
}

function allowThird(thirds: Uint8Array, { mark, ignoreCase }: Mark<unknown>): void {
  if (mark.length < 3) thirds.fill(1);
  const third = mark.charCodeAt(2);
  thirds[third] = 1;
  if (ignoreCase) thirds[inCapitals(third)] = 1;
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

function inCapitals(code: number): number {
  const large = code & ~caseBit;
  return code !== large && large >= upperA && large <= upperZ ? large : code;
}
