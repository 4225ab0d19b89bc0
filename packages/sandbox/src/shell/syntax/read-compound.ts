/** Reads loops, branches, groups and the other commands that contain commands. */
import { readLineEnd } from "./here-document.ts";
import { readConditional } from "./read-conditional.ts";
import { readArithmetic } from "./read-expansion.ts";
import { isEmptyWord, readWord } from "./read-word.ts";
import { expect, fail, nest, peek, peekName, type Reader, skipBlanks, startsWith, take } from "./reader.ts";
import { peekReserved, takeReserved } from "./reserved-words.ts";
import type { Branch, CompoundShape, Script, Word } from "./script.ts";
import { nothingNested, toWord } from "./word-parts.ts";

export type Compound = { readonly shape: CompoundShape; readonly words: readonly Word[] };

/** Undefined when no compound command begins here. */
export function readCompound(reader: Reader): Compound | undefined {
  if (startsWith(reader, "((")) return readArithmeticCommand(reader);
  if (peek(reader) === "(") return { shape: { kind: "subshell", body: readBetween(reader, "(", ")") }, words: [] };
  const word = peekReserved(reader);
  if (word === "{") return { shape: { kind: "group", body: readBetween(reader, "{", "}") }, words: [] };
  if (!compoundWords.has(word)) return undefined;
  reader.at += word.length;
  return nest(reader, () => readAfter(reader, word));
}

const compoundWords: ReadonlySet<string> = new Set("[[ if while until for select case".split(" "));

function readAfter(reader: Reader, word: string): Compound {
  switch (word) {
    case "[[":
      return readTest(reader);
    case "if":
      return { shape: readIf(reader), words: [] };
    case "while":
    case "until": {
      const condition = readBody(reader);
      expectReserved(reader, "do");
      return { shape: { kind: "while", condition, body: readUntil(reader, "done") }, words: [] };
    }
    case "case":
      return readCase(reader);
    default:
      return readFor(reader, word);
  }
}

/** A list with at least one command. */
function readBody(reader: Reader): Script {
  const script = reader.grammar.readList(reader);
  if (script.lists.length === 0) fail(reader, "A command is missing.");
  return script;
}

function readUntil(reader: Reader, word: string): Script {
  const script = readBody(reader);
  expectReserved(reader, word);
  return script;
}

function readBetween(reader: Reader, opener: string, closer: string): Script {
  reader.at += opener.length;
  return nest(reader, () => {
    const script = readBody(reader);
    if (closer === "}") expectReserved(reader, closer);
    else expect(reader, closer);
    return script;
  });
}

function expectReserved(reader: Reader, word: string): void {
  if (!takeReserved(reader, word)) fail(reader, `\`${word}\` is missing.`);
}

export function skipLines(reader: Reader): void {
  for (;;) {
    skipBlanks(reader);
    if (peek(reader) !== "\n") return;
    readLineEnd(reader);
  }
}

function readIf(reader: Reader): CompoundShape {
  const branches: Branch[] = [];
  do {
    const condition = readBody(reader);
    expectReserved(reader, "then");
    branches.push({ condition, body: readBody(reader) });
  } while (takeReserved(reader, "elif"));
  const otherwise = takeReserved(reader, "else") ? readBody(reader) : undefined;
  expectReserved(reader, "fi");
  return { kind: "if", branches, otherwise };
}

function readFor(reader: Reader, word: string): Compound {
  skipBlanks(reader);
  if (word === "for" && startsWith(reader, "((")) return readArithmeticFor(reader);
  const variable = peekName(reader);
  reader.at += variable.length;
  if (variable === "" || !" \t\n;".includes(peek(reader) || " ")) fail(reader, "The variable of a loop is missing.");
  skipBlanks(reader);
  const words: Word[] = [];
  let takesWords = false;
  if (!take(reader, ";")) {
    skipLines(reader);
    if (takeReserved(reader, "in")) {
      takesWords = word === "for";
      words.push(...readWords(reader));
      if (!take(reader, ";") && peek(reader) !== "\n") fail(reader, "The word list of a loop is not terminated.");
    }
  }
  return { shape: { kind: "for", variable, takesWords, body: readLoopBody(reader) }, words };
}

function readWords(reader: Reader): readonly Word[] {
  const words: Word[] = [];
  for (;;) {
    skipBlanks(reader);
    const word = readWord(reader);
    if (isEmptyWord(word)) return words;
    words.push(word);
  }
}

function readLoopBody(reader: Reader): Script {
  skipLines(reader);
  if (takeReserved(reader, "{")) return readUntil(reader, "}");
  expectReserved(reader, "do");
  return readUntil(reader, "done");
}

function readArithmeticFor(reader: Reader): Compound {
  const nested = readArithmetic(reader);
  const written = nested.arithmetic.at(-1) ?? "";
  if (written.split(";").length !== 3 || /[\\'"`]/.test(written)) fail(reader, "A loop needs three expressions.");
  skipBlanks(reader);
  take(reader, ";");
  const shape = { kind: "for", variable: undefined, takesWords: false, body: readLoopBody(reader) } as const;
  const [first = "", ...others] = written.split(";");
  const start = { ...nested, arithmetic: [...nested.arithmetic.slice(0, -1), first] };
  return { shape, words: [toWord(start), ...others.map((text) => toWord({ ...nothingNested, arithmetic: [text] }))] };
}

function readCase(reader: Reader): Compound {
  skipBlanks(reader);
  const words = [readWord(reader)];
  if (isEmptyWord(words[0] ?? readWord(reader))) fail(reader, "The word of a case is missing.");
  skipLines(reader);
  expectReserved(reader, "in");
  const bodies: Script[] = [];
  for (;;) {
    skipLines(reader);
    if (reader.problem !== undefined || takeReserved(reader, "esac")) break;
    readPatterns(reader, words);
    bodies.push(reader.grammar.readList(reader));
    if (!takeClauseEnd(reader)) {
      expectReserved(reader, "esac");
      break;
    }
  }
  return { shape: { kind: "case", bodies }, words };
}

function takeClauseEnd(reader: Reader): boolean {
  return take(reader, ";;&") || take(reader, ";;") || take(reader, ";&");
}

function readPatterns(reader: Reader, words: Word[]): void {
  take(reader, "(");
  do {
    skipBlanks(reader);
    const word = readWord(reader);
    if (isEmptyWord(word)) fail(reader, "A pattern is missing.");
    words.push(word);
    skipBlanks(reader);
  } while (take(reader, "|"));
  expect(reader, ")");
}

function readArithmeticCommand(reader: Reader): Compound {
  return { shape: { kind: "expression" }, words: [toWord(readArithmetic(reader))] };
}

function readTest(reader: Reader): Compound {
  const { words, arithmetic } = readConditional(reader);
  return { shape: { kind: "expression" }, words: [...words, toWord({ ...nothingNested, arithmetic })] };
}
