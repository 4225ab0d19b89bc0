/** Finds the commands of a sed script that read, write or run something. */

export type SedDeeds = {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Undefined runs what the edited text turns out to be. */
  readonly runs: readonly (string | undefined)[];
  /** Every command was understood. */
  readonly isClear: boolean;
};

type Reading = {
  readonly text: string;
  at: number;
  readonly reads: string[];
  readonly writes: string[];
  readonly runs: (string | undefined)[];
};

export function readSedScript(text: string): SedDeeds {
  const reading: Reading = { text, at: 0, reads: [], writes: [], runs: [] };
  let isClear = true;
  while (isClear) {
    skip(reading, /[\s;{}]/);
    if (reading.at >= text.length) break;
    isClear = skipAddresses(reading) && readCommand(reading);
  }
  return { reads: reading.reads, writes: reading.writes, runs: reading.runs, isClear };
}

function skip(reading: Reading, pattern: RegExp): void {
  while (reading.at < reading.text.length && pattern.test(reading.text[reading.at] ?? "")) reading.at += 1;
}

function skipAddresses(reading: Reading): boolean {
  for (let count = 0; count < 2; count += 1) {
    if (!skipAddress(reading)) return false;
    skip(reading, /[ \t]/);
    if (reading.text[reading.at] !== ",") break;
    reading.at += 1;
    skip(reading, /[ \t]/);
  }
  skip(reading, /[! \t]/);
  return true;
}

function skipAddress(reading: Reading): boolean {
  const { text } = reading;
  const first = text[reading.at];
  if (first === "/" || first === "\\") {
    const delimiter = first === "/" ? "/" : text[reading.at + 1];
    reading.at += first === "/" ? 1 : 2;
    if (delimiter === undefined || readPattern(reading, delimiter) === undefined) return false;
    skip(reading, /[IM]/);
    return true;
  }
  if (first === "$") reading.at += 1;
  else skip(reading, /[0-9+~]/);
  return true;
}

/** The text up to an unescaped delimiter, which is passed over; undefined when there is none. */
function readUpTo(reading: Reading, delimiter: string): string | undefined {
  const start = reading.at;
  for (let index = start; index < reading.text.length; index += 1) {
    const letter = reading.text[index];
    if (letter === "\\") index += 1;
    else if (letter === delimiter) {
      reading.at = index + 1;
      return reading.text.slice(start, index);
    }
  }
  return undefined;
}

/** In a pattern the delimiter may also stand in brackets: `s/[^/]*$//`. */
function readPattern(reading: Reading, delimiter: string): string | undefined {
  const start = reading.at;
  for (let index = start; index < reading.text.length; index += 1) {
    const letter = reading.text[index];
    if (letter === "\\") index += 1;
    else if (letter === delimiter) {
      reading.at = index + 1;
      return reading.text.slice(start, index);
    } else if (letter === "[") {
      const end = findBracketEnd(reading.text, index);
      if (end === undefined) return undefined;
      index = end;
    }
  }
  return undefined;
}

/** Programs differ over a backslash before the end, so that one is not understood. */
function findBracketEnd(text: string, open: number): number | undefined {
  const bracket = /\[\^?\]?(?:\[[:.=][^\]]*\]|[^\]])*\]/y;
  bracket.lastIndex = open;
  const found = bracket.exec(text)?.[0];
  return found === undefined || found.endsWith("\\]") ? undefined : open + found.length - 1;
}

function restOfLine(reading: Reading): string {
  const end = reading.text.indexOf("\n", reading.at);
  const stop = end < 0 ? reading.text.length : end;
  const line = reading.text.slice(reading.at, stop).trim();
  reading.at = stop + 1;
  return line;
}

function readCommand(reading: Reading): boolean {
  const letter = reading.text[reading.at];
  reading.at += 1;
  switch (letter) {
    case "s":
      return readSubstitution(reading);
    case "y":
      return readTransliteration(reading);
    case "w":
    case "W":
      reading.writes.push(restOfLine(reading));
      return true;
    case "r":
    case "R":
      reading.reads.push(restOfLine(reading));
      return true;
    case "e":
      reading.runs.push(restOfLine(reading) || undefined);
      return true;
    case "a":
    case "i":
    case "c":
      return skipText(reading);
    case "#":
      restOfLine(reading);
      return true;
    // A blank ends the label too, and what follows is the next command.
    case "v":
    case ":":
    case "b":
    case "t":
    case "T":
      skip(reading, /[ \t]/);
      skip(reading, /[^\s;}]/);
      return true;
    case "l":
    case "q":
    case "Q":
    case "L":
      skip(reading, /[ \t0-9]/);
      return endsCommand(reading);
    case "{":
    case "}":
    case undefined:
      return true;
    default:
      return "dDgGhHnNpPx=zF".includes(letter) && endsCommand(reading);
  }
}

function endsCommand(reading: Reading): boolean {
  skip(reading, /[ \t]/);
  return reading.at >= reading.text.length || /[\n;}#]/.test(reading.text[reading.at] ?? "");
}

/** Text of `a`, `i` and `c` goes on over lines that end in a backslash. */
function skipText(reading: Reading): boolean {
  while (reading.at < reading.text.length) {
    const letter = reading.text[reading.at];
    reading.at += letter === "\\" ? 2 : 1;
    if (letter === "\n") return true;
  }
  return true;
}

function readTransliteration(reading: Reading): boolean {
  const delimiter = reading.text[reading.at] ?? "";
  reading.at += 1;
  if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return false;
  return (
    readUpTo(reading, delimiter) !== undefined && readUpTo(reading, delimiter) !== undefined && endsCommand(reading)
  );
}

function readSubstitution(reading: Reading): boolean {
  const delimiter = reading.text[reading.at] ?? "";
  reading.at += 1;
  if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return false;
  const pattern = readPattern(reading, delimiter);
  const replacement = pattern === undefined ? undefined : readUpTo(reading, delimiter);
  if (replacement === undefined) return false;
  for (;;) {
    const flag = reading.text[reading.at] ?? "";
    if (flag !== "" && /[gpiImM0-9]/.test(flag)) reading.at += 1;
    else if (flag === "e") {
      reading.at += 1;
      reading.runs.push(undefined);
    } else if (flag === "w") {
      reading.at += 1;
      reading.writes.push(restOfLine(reading));
      return true;
    } else return endsCommand(reading);
  }
}
