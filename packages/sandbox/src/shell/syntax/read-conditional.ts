/** Reads `[[ … ]]`. */
import { readLineEnd } from "./here-document.ts";
import { bareText, isEmptyWord, readWord } from "./read-word.ts";
import { fail, nest, peek, type Reader, skipBlanks, startsWith, take } from "./reader.ts";
import type { Word } from "./script.ts";
import { subscriptOf } from "./word-parts.ts";

const unary: ReadonlySet<string> = new Set("abcdefghknoprstuvwxzGLNORS".split("").map((letter) => `-${letter}`));
const binary: ReadonlySet<string> = new Set("= == != =~ -eq -ne -lt -le -gt -ge -nt -ot -ef".split(" "));
/** Their operands are arithmetic. */
const evaluating: ReadonlySet<string> = new Set("-eq -ne -lt -le -gt -ge".split(" "));
/** Their operand is a name, of which the subscript is arithmetic. */
const naming: ReadonlySet<string> = new Set(["-v", "-R"]);

export type ConditionWords = {
  readonly words: readonly Word[];
  /** What is evaluated, with expansions as written. */
  readonly arithmetic: readonly string[];
};

type Gathering = { readonly words: Word[]; readonly arithmetic: string[] };

/** The reader stands behind `[[`. */
export function readConditional(reader: Reader): ConditionWords {
  const gathered: Gathering = { words: [], arithmetic: [] };
  readOr(reader, gathered);
  skipSpace(reader);
  if (bareText(readWord(reader)) !== "]]") fail(reader, "`]]` is missing.");
  return gathered;
}

function readOr(reader: Reader, gathered: Gathering): void {
  do readAnd(reader, gathered);
  while (takeOperator(reader, "||"));
}

function readAnd(reader: Reader, gathered: Gathering): void {
  do readTerm(reader, gathered);
  while (takeOperator(reader, "&&"));
}

function takeOperator(reader: Reader, operator: string): boolean {
  skipBlanks(reader);
  return take(reader, operator);
}

function skipSpace(reader: Reader): undefined {
  for (;;) {
    if (startsBlankComment(reader)) return fail(reader, "Comments inside `[[` are not supported.");
    skipBlanks(reader);
    if (peek(reader) !== "\n") return;
    readLineEnd(reader);
  }
}

function readTerm(reader: Reader, gathered: Gathering): undefined {
  skipSpace(reader);
  if (take(reader, "(")) {
    nest(reader, () => readOr(reader, gathered));
    skipSpace(reader);
    if (!take(reader, ")")) fail(reader, "`)` is missing.");
    return skipSpace(reader);
  }
  const first = readOperand(reader);
  const text = bareText(first);
  if (text === "]]" || isEmptyWord(first)) return fail(reader, "A condition is missing.");
  if (text === "!") return nest(reader, () => readTerm(reader, gathered));
  if (text !== undefined && unary.has(text)) {
    const operand = readOperand(reader);
    if (isEmptyWord(operand) || bareText(operand) === "]]") fail(reader, "An operand is missing.");
    gather(gathered, text, [operand]);
    return skipSpace(reader);
  }
  readComparison(reader, gathered, first);
}

function readComparison(reader: Reader, gathered: Gathering, first: Word): undefined {
  if (isTermEnd(reader)) return gather(gathered, "", [first]);
  const operator = take(reader, "<") ? "<" : take(reader, ">") ? ">" : (bareText(readWord(reader)) ?? "");
  if (operator !== "<" && operator !== ">" && !binary.has(operator))
    return fail(reader, "A condition is not understood.");
  skipBlanks(reader);
  const isPattern = operator === "=" || operator === "==" || operator === "!=";
  const groups = operator === "=~" ? "regular expression" : isPattern ? "pattern" : "none";
  if (startsBlankComment(reader)) return fail(reader, "Comments inside `[[` are not supported.");
  const second = readWord(reader, { groups });
  if (isEmptyWord(second)) return fail(reader, "An operand is missing.");
  gather(gathered, operator, [first, second]);
  skipSpace(reader);
}

function gather(gathered: Gathering, operator: string, words: readonly Word[]): undefined {
  gathered.words.push(...words);
  const texts = words.map((word) =>
    word.parts.map((part) => (part.kind === "text" ? part.text : part.source)).join(""),
  );
  if (evaluating.has(operator)) gathered.arithmetic.push(...texts);
  if (naming.has(operator)) gathered.arithmetic.push(...texts.flatMap(subscriptOf));
}

function readOperand(reader: Reader): Word {
  if (startsBlankComment(reader)) fail(reader, "Comments inside `[[` are not supported.");
  skipBlanks(reader);
  return readWord(reader);
}

function isTermEnd(reader: Reader): boolean {
  skipBlanks(reader);
  return startsWith(reader, "]]") || startsWith(reader, "&&") || startsWith(reader, "||") || peek(reader) === ")";
}

/** A comment would begin behind the blanks. */
function startsBlankComment(reader: Reader): boolean {
  let at = reader.at;
  while (reader.text[at] === " " || reader.text[at] === "\t") at += 1;
  return reader.text[at] === "#";
}
