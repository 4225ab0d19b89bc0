/** Reads redirections and the words of here-documents. */
import { bareText, isEmptyWord, readWord } from "./read-word.ts";
import {
  emptyWord,
  fail,
  type HereDocument,
  moveTo,
  peek,
  peekDigits,
  peekName,
  type Reader,
  skipBlanks,
  startsWith,
  take,
} from "./reader.ts";
import type { Redirection, RedirectionOperator, Word } from "./script.ts";

/** Longer ones first. */
const operators: readonly RedirectionOperator[] = ["&>>", "<<<", "&>", ">>", ">|", ">&", "<>", "<&", "<<", "<", ">"];
const descriptorDigitsMax = 9;

/** Undefined when no redirection begins here. The reader stands where a word could begin. */
export function readRedirection(reader: Reader): Redirection | undefined {
  const start = reader.at;
  const digits = peekDigits(reader);
  reader.at += digits.length;
  const variable = digits === "" ? takeVariable(reader) : undefined;
  const operator = operators.find((candidate) => startsWith(reader, candidate));
  const isBare = digits === "" && variable === undefined;
  if (operator === undefined || isProcess(reader, operator) || (operator.startsWith("&") && !isBare)) {
    if (variable !== undefined && operator !== undefined) fail(reader, "A redirection is unclear.");
    moveTo(reader, start);
    return undefined;
  }
  if (digits.length > descriptorDigitsMax) fail(reader, "The number of a descriptor is too long.");
  reader.at += operator.length;
  const descriptor = digits === "" ? undefined : Number(digits);
  if (operator === "<<") return readHereDocument(reader, { descriptor, variable });
  if (startsWith(reader, "\\\n")) fail(reader, "A line continuation follows an operator.");
  const isClosing = operator.endsWith("&") && peek(reader) === "-";
  skipBlanks(reader);
  const target = readWord(reader);
  // The sign belongs to the operator, so that a word directly behind it is another one.
  if (isClosing && target.source !== "-") fail(reader, "A redirection is unclear.");
  if (isEmptyWord(target)) fail(reader, "A redirection has no target.");
  if ("<>".includes(peek(reader) || " ") && /^(?:\d+|\{\w+\})$/.test(target.source))
    fail(reader, "A redirection is unclear.");
  return { operator, descriptor, variable, target };
}

export function readRedirections(reader: Reader): readonly Redirection[] {
  const redirections: Redirection[] = [];
  for (;;) {
    skipBlanks(reader);
    const redirection = readRedirection(reader);
    if (redirection === undefined) return redirections;
    redirections.push(redirection);
  }
}

function isProcess(reader: Reader, operator: RedirectionOperator): boolean {
  return (operator === "<" || operator === ">") && peek(reader, 1) === "(";
}

/** The `{name}` of `{name}>file`. */
function takeVariable(reader: Reader): string | undefined {
  const start = reader.at;
  if (!take(reader, "{")) return undefined;
  const name = peekName(reader);
  reader.at += name.length;
  if (name !== "" && take(reader, "}") && "<>".includes(peek(reader) || " ")) return name;
  moveTo(reader, start);
  return undefined;
}

type Descriptors = Pick<Redirection, "descriptor" | "variable">;

function readHereDocument(reader: Reader, descriptors: Descriptors): Redirection {
  const stripsTabs = take(reader, "-");
  if (startsWith(reader, "\\\n")) fail(reader, "A line continuation follows an operator.");
  skipBlanks(reader);
  const word = readWord(reader);
  const delimiter = delimiterOf(reader, word);
  const isExpanded = bareText(word) !== undefined;
  const document: HereDocument = { delimiter, isExpanded, stripsTabs, body: emptyWord };
  reader.pending.push(document);
  return {
    operator: "<<",
    ...descriptors,
    // The text is read at the end of the line, after this node was made.
    get target() {
      return document.body;
    },
  };
}

function delimiterOf(reader: Reader, word: Word): string {
  if (isEmptyWord(word)) fail(reader, "A here-document has no delimiter.");
  let delimiter = "";
  for (const part of word.parts) {
    if (part.kind === "expansion") fail(reader, "The delimiter of a here-document is unclear.");
    else delimiter += part.text;
  }
  if (word.isContinued || delimiter.includes("\n")) fail(reader, "The delimiter of a here-document is unclear.");
  return delimiter;
}
