/** The place in a text that is being read, and the steps that every part of the grammar takes. */
import type { Command, Script, Word } from "./script.ts";

export type Reader = {
  readonly text: string;
  readonly grammar: Grammar;
  at: number;
  depth: number;
  /** Set once; from then on the reader is at the end of the text, so that every loop ends. */
  problem: string | undefined;
  /** Here-documents whose text begins after the next line end. */
  pending: HereDocument[];
  /** Here-documents of an outer command are pending, so that it is unclear where their text begins. */
  isLineEndUnclear: boolean;
  /** How many `$(` and the like are open. */
  substitutions: number;
  /** How many coprocesses are open. */
  coprocesses: number;
  /** Where the innermost of them began its first command: `time` is a program there and no reserved word. */
  firstCommandAt: number;
};

/** The parts of the grammar that contain each other, given to the files that would otherwise import in a circle. */
export type Grammar = {
  readonly readList: (reader: Reader) => Script;
  readonly readCommand: (reader: Reader) => Command;
  readonly parseInner: (text: string, outer: Reader) => Script;
};

export type HereDocument = {
  readonly delimiter: string;
  readonly isExpanded: boolean;
  readonly stripsTabs: boolean;
  body: Word;
};

export const nestingMax = 20;

export const emptyScript: Script = { lists: [] };
export const emptyWord: Word = { parts: [], source: "", isContinued: false };

export function createReader(text: string, grammar: Grammar, depth: number): Reader {
  return {
    text,
    grammar,
    at: 0,
    depth,
    problem: undefined,
    pending: [],
    isLineEndUnclear: false,
    substitutions: 0,
    coprocesses: 0,
    firstCommandAt: -1,
  };
}

export function fail(reader: Reader, problem: string): undefined {
  reader.problem ??= problem;
  reader.at = reader.text.length;
}

/** Goes to another place of the text, but never away from the end to which a problem has led. */
export function moveTo(reader: Reader, at: number): void {
  if (reader.problem === undefined) reader.at = at;
}

/** Runs one level deeper; too deep a text is not read. */
export function nest<Result>(reader: Reader, read: () => Result): Result {
  reader.depth += 1;
  if (reader.depth > nestingMax) fail(reader, "It is nested too deeply.");
  const result = read();
  reader.depth -= 1;
  return result;
}

export function isAtEnd(reader: Reader): boolean {
  return reader.at >= reader.text.length;
}

export function peek(reader: Reader, offset = 0): string {
  return reader.text[reader.at + offset] ?? "";
}

export function startsWith(reader: Reader, text: string): boolean {
  return reader.text.startsWith(text, reader.at);
}

/** Takes the text if it comes next. */
export function take(reader: Reader, text: string): boolean {
  if (!startsWith(reader, text)) return false;
  reader.at += text.length;
  return true;
}

export function expect(reader: Reader, text: string): undefined {
  if (!take(reader, text)) fail(reader, `\`${text}\` is missing.`);
}

/** Blanks, line continuations and a comment. It may only be called where a word could begin. */
export function skipBlanks(reader: Reader): void {
  for (;;) {
    const character = peek(reader);
    if (character === " " || character === "\t") reader.at += 1;
    else if (character === "\\" && peek(reader, 1) === "\n") reader.at += 2;
    else break;
  }
  if (peek(reader) !== "#") return;
  const lineEnd = reader.text.indexOf("\n", reader.at);
  reader.at = lineEnd === -1 ? reader.text.length : lineEnd;
}

/** To be called for a line end inside of a word. */
export function passLineEnd(reader: Reader): void {
  if (reader.pending.length > 0 || reader.isLineEndUnclear)
    fail(reader, "A line ends where a here-document may begin.");
}

/** Ends a word outside of quotes. */
export function isWordEnd(character: string): boolean {
  return character === "" || wordEnds.includes(character);
}

const wordEnds = " \t\n;&|()<>";

function isNameStart(character: string): boolean {
  return (character >= "a" && character <= "z") || (character >= "A" && character <= "Z") || character === "_";
}

export function isDigit(character: string): boolean {
  return character >= "0" && character <= "9" && character.length === 1;
}

function isNamePart(character: string): boolean {
  return isNameStart(character) || isDigit(character);
}

/** The name that begins here; empty when none does. Nothing is taken. */
export function peekName(reader: Reader): string {
  if (!isNameStart(peek(reader))) return "";
  let end = reader.at + 1;
  while (isNamePart(reader.text[end] ?? "")) end += 1;
  return reader.text.slice(reader.at, end);
}

export function peekDigits(reader: Reader): string {
  let end = reader.at;
  while (isDigit(reader.text[end] ?? "")) end += 1;
  return reader.text.slice(reader.at, end);
}
