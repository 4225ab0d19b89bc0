/** Reads one program with its words, assignments and redirections, or the head of a function. */

import { readLineEnd } from "./here-document.ts";
import { readSubscript } from "./read-expansion.ts";
import { readRedirection } from "./read-redirection.ts";
import { bareText, isEmptyWord, readWord } from "./read-word.ts";
import {
  expect,
  fail,
  isWordEnd,
  moveTo,
  peek,
  peekName,
  type Reader,
  skipBlanks,
  startsWith,
  take,
} from "./reader.ts";
import { isReserved } from "./reserved-words.ts";
import type { AssignmentNode, Redirection, SimpleCommand, Word } from "./script.ts";
import { absorb, createNested, nothingNested, toWord } from "./word-parts.ts";

export type FunctionHead = { readonly kind: "head"; readonly name: string };

/** Their arguments may be arrays. */
const declaring: ReadonlySet<string> = new Set("declare typeset local readonly export".split(" "));

export function readSimpleCommand(reader: Reader): SimpleCommand | FunctionHead {
  const assignments: AssignmentNode[] = [];
  const words: Word[] = [];
  const redirections: Redirection[] = [];
  const isEmpty = () => assignments.length + words.length + redirections.length === 0;
  for (;;) {
    skipBlanks(reader);
    const redirection = readRedirection(reader);
    if (redirection !== undefined) {
      redirections.push(redirection);
      continue;
    }
    const assignment = words.length === 0 ? readAssignment(reader) : undefined;
    if (assignment !== undefined) {
      assignments.push(assignment);
      continue;
    }
    const isFirst = isEmpty();
    const word = readWord(reader);
    if (isEmptyWord(word)) break;
    if (word.isContinued && words.length === 0) checkContinued(reader, word);
    words.push(peek(reader) === "(" ? (readArrayArgument(reader, word, words[0]) ?? word) : word);
    skipBlanks(reader);
    if (isFirst && peek(reader) === "(") return readFunctionHead(reader, word);
  }
  if (isEmpty()) fail(reader, "A command is missing.");
  if (peek(reader) === "(") fail(reader, "`(` is not expected here.");
  return { kind: "simple", assignments, words, redirections };
}

/** Joined lines can form what was not looked for: a reserved word, an assignment. */
function checkContinued(reader: Reader, word: Word): void {
  const text = word.parts.map((part) => (part.kind === "text" && !part.isQuoted ? part.text : "\0")).join("");
  if (isReserved(text) || /^\w+(?:\[[^\]]*\])?\+?=/.test(text)) fail(reader, "A word is continued in an unclear way.");
}

function readFunctionHead(reader: Reader, word: Word): FunctionHead {
  const name = bareText(word);
  reader.at += 1;
  skipBlanks(reader);
  expect(reader, ")");
  if (name === undefined || word.isContinued || !/^[\w.:@%+,/-]+$/.test(name))
    fail(reader, "The name of a function is not understood.");
  return { kind: "head", name: name ?? "" };
}

function readAssignment(reader: Reader): AssignmentNode | undefined {
  const start = reader.at;
  const name = peekName(reader);
  if (name === "") return undefined;
  reader.at += name.length;
  const words: Word[] = [];
  if (peek(reader) === "[" && !isPlainBracket(reader)) {
    const nested = createNested();
    const bracketStart = reader.at;
    readSubscript(reader, nested);
    const source = reader.text.slice(bracketStart, reader.at);
    const part = { kind: "expansion", source, isQuoted: true, variable: undefined, isProcess: false, nested } as const;
    words.push({ parts: [part], source, isContinued: false });
    if (!startsWith(reader, "=") && !startsWith(reader, "+=")) fail(reader, "A subscript cannot be determined.");
  }
  const replaces = take(reader, "=");
  if (!replaces && !take(reader, "+=")) {
    moveTo(reader, start);
    return undefined;
  }
  const isWhole = replaces && words.length === 0;
  if (peek(reader) === "(") return { name, value: undefined, words: [...words, ...readArray(reader)], isWhole };
  return { name, value: readWord(reader), words, isWhole };
}

/** A bracket that is part of a pattern: nothing in it could be more than a character, and no assignment follows. */
function isPlainBracket(reader: Reader): boolean {
  for (let at = reader.at + 1; ; at += 1) {
    const character = reader.text[at] ?? "";
    if (character === "]") return reader.text[at + 1] !== "=" && !reader.text.startsWith("+=", at + 1);
    if (character === "" || character === "[") return false;
    if (" \t\n;&|()<>\\'\"$`".includes(character)) return false;
  }
}

/** The reader stands at the parenthesis of `name=(…)`. */
function readArray(reader: Reader): readonly Word[] {
  reader.at += 1;
  const words: Word[] = [];
  for (;;) {
    skipBlanks(reader);
    if (peek(reader) === "\n") {
      readLineEnd(reader);
      continue;
    }
    if (take(reader, ")")) {
      // What follows belongs to the same word for bash, even a sign that looks like a comment.
      if (!isWordEnd(peek(reader))) fail(reader, "An array is written in an unclear way.");
      return words;
    }
    const word = readWord(reader);
    if (isEmptyWord(word)) {
      fail(reader, "An array is not closed.");
      return words;
    }
    if (word.source.startsWith("[") && !word.source.includes("]")) fail(reader, "A subscript cannot be determined.");
    // Bash itself stumbles over these: reserved words in a coprocess, escapes when it reads a substitution again.
    if (reader.coprocesses > 0 && isReserved(word.source)) fail(reader, "An array is written in an unclear way.");
    if (reader.substitutions > 0 && hasBareEscape(word.source)) fail(reader, "An array is written in an unclear way.");
    words.push(word);
    const subscript = /^\[(.*?)\]\+?=/s.exec(word.source)?.[1];
    if (subscript !== undefined) words.push(toWord({ ...nothingNested, arithmetic: [subscript] }));
  }
}

function hasBareEscape(source: string): boolean {
  return /\\\W/.test(source.replaceAll(/\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:[^"\\]|\\.)*"/gs, ""));
}

/** `declare name=(…)`: the array becomes an unknown part of the word. */
function readArrayArgument(reader: Reader, word: Word, program: Word | undefined): Word | undefined {
  const text = bareText(word) ?? "";
  if (program === undefined || !declaring.has(bareText(program) ?? "") || !/^[A-Za-z_]\w*\+?=$/.test(text))
    return undefined;
  const start = reader.at;
  const nested = createNested();
  for (const element of readArray(reader)) absorb(nested, element.parts);
  const source = reader.text.slice(start, reader.at);
  const isEmpty =
    nested.scripts.length + nested.dangers.length + nested.assigned.length + nested.arithmetic.length === 0;
  const array = {
    kind: "expansion",
    source,
    isQuoted: true,
    variable: undefined,
    isProcess: false,
    nested: isEmpty ? nothingNested : nested,
  } as const;
  return { parts: [...word.parts, array], source: word.source + source, isContinued: word.isContinued };
}
