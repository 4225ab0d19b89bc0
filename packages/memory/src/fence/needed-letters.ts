/** Tells which expressions cannot match a text, by the letters that each match would have to contain: most are never run. */

/** Of each group at least one piece stands in whatever matches. */
export type NeededPieces = readonly (readonly string[])[];

/** The same as places of bits, because it is asked thousands of times for each text. */
export type NeededLetters = readonly (readonly Uint16Array[])[];

/** Every three neighbouring characters of a text, as bits. Two may share a bit: then an expression is run in vain. */
export type SeenLetters = Uint8Array;

const bits = 1 << 15;
/** `SeenLetters` knows three characters at a time. */
const lettersMin = 3;

export function lettersOf(text: string): SeenLetters {
  const seen = new Uint8Array(bits);
  const lower = text.toLowerCase();
  let [before, last] = [lower.charCodeAt(0), lower.charCodeAt(1)];
  for (let index = 2; index < lower.length; index += 1) {
    const next = lower.charCodeAt(index);
    seen[placeOf(before, last, next)] = 1;
    [before, last] = [last, next];
  }
  return seen;
}

export function neededLetters(pieces: NeededPieces): NeededLetters {
  return pieces.map((group) => group.map(placesOf));
}

function placesOf(piece: string): Uint16Array {
  return Uint16Array.from({ length: piece.length - 2 }, (_, index) =>
    placeOf(piece.charCodeAt(index), piece.charCodeAt(index + 1), piece.charCodeAt(index + 2)),
  );
}

export function mayMatch(seen: SeenLetters, needed: NeededLetters): boolean {
  for (const group of needed) if (!hasOne(seen, group)) return false;
  return true;
}

function hasOne(seen: SeenLetters, group: readonly Uint16Array[]): boolean {
  for (const places of group) {
    let index = 0;
    while (index < places.length && seen[places[index] ?? 0] === 1) index += 1;
    if (index === places.length) return true;
  }
  return false;
}

function placeOf(first: number, second: number, third: number): number {
  return (first * 961 + second * 31 + third) & (bits - 1);
}

/** Reads what every match contains from the expression itself, in lower case. What it does not understand needs nothing. */
export function neededPieces(source: string, pieceMin = lettersMin): NeededPieces {
  return readAlternatives({ source, pieceMin, index: 0 });
}

type Reader = { readonly source: string; readonly pieceMin: number; index: number };

function readAlternatives(reader: Reader): NeededPieces {
  const alternatives = [readSequence(reader)];
  while (reader.source[reader.index] === "|") {
    reader.index += 1;
    alternatives.push(readSequence(reader));
  }
  const [only] = alternatives;
  if (alternatives.length === 1 && only !== undefined) return only;
  const best = alternatives.map(rarest);
  return best.every((pieces) => pieces !== undefined) ? [best.flat()] : [];
}

/** The group that is least likely to stand in any text. */
function rarest(needed: NeededPieces): readonly string[] | undefined {
  const shortest = (pieces: readonly string[]) => Math.min(...pieces.map(({ length }) => length)) / pieces.length;
  return needed.toSorted((left, right) => shortest(right) - shortest(left))[0];
}

function readSequence(reader: Reader): NeededPieces {
  const needed: (readonly string[])[] = [];
  let run = "";
  const endRun = () => {
    if (run.length >= reader.pieceMin) needed.push([run.toLowerCase()]);
    run = "";
  };
  while (reader.index < reader.source.length && !"|)".includes(reader.source[reader.index] ?? "")) {
    const { letter, inside } = readAtom(reader);
    const least = readLeast(reader);
    if (letter !== undefined && least === 1) {
      run += letter;
      continue;
    }
    endRun();
    if (least > 0) needed.push(...inside);
  }
  endRun();
  return needed;
}

type Atom = { readonly letter?: string; readonly inside: NeededPieces };

function readAtom(reader: Reader): Atom {
  const { source } = reader;
  const first = source[reader.index] ?? "";
  reader.index += 1;
  if (first === "(") return readGroup(reader);
  if (first === "[") {
    while (reader.index < source.length && source[reader.index] !== "]") {
      reader.index += source[reader.index] === "\\" ? 2 : 1;
    }
    reader.index += 1;
    return { inside: [] };
  }
  if (first === "\\") {
    const escaped = source[reader.index] ?? "";
    reader.index += 1;
    const isBraced = /[pPu]/.test(escaped) && source[reader.index] === "{";
    if (isBraced) reader.index = source.indexOf("}", reader.index) + 1;
    else if (escaped === "u") reader.index += 4;
    else if (escaped === "x") reader.index += 2;
    return /[A-Za-z0-9]/.test(escaped) ? { inside: [] } : { letter: escaped, inside: [] };
  }
  return /[.^$]/.test(first) ? { inside: [] } : { letter: first, inside: [] };
}

/** What is only looked at stands elsewhere, or nowhere. */
function readGroup(reader: Reader): Atom {
  const head = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(reader.source.slice(reader.index, reader.index + 40))?.[0] ?? "";
  reader.index += head.length;
  const inside = readAlternatives(reader);
  reader.index += 1;
  return { inside: /[=!]/.test(head) ? [] : inside };
}

/** How often at least what stands before is repeated; once with more behind it is as good as none, because the next letter is unknown. */
function readLeast(reader: Reader): number {
  const [quantifier = ""] =
    /^(?:[?*+]|\{\d+(?:,\d*)?\})\??/.exec(reader.source.slice(reader.index, reader.index + 16)) ?? [];
  reader.index += quantifier.length;
  if (quantifier === "") return 1;
  if (quantifier.startsWith("+")) return 2;
  return quantifier.startsWith("{") ? Number.parseInt(quantifier.slice(1), 10) * 2 : 0;
}
