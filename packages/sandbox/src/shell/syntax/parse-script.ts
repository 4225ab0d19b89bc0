/** Reads a bash text into a tree, strictly: what is unclear or rare enough to be a trick is a problem and not guessed. */
import { readLineEnd } from "./here-document.ts";
import { readCompound, skipLines } from "./read-compound.ts";
import { readRedirections } from "./read-redirection.ts";
import { readSimpleCommand } from "./read-simple-command.ts";
import { readWord } from "./read-word.ts";
import {
  createReader,
  emptyScript,
  fail,
  type Grammar,
  isAtEnd,
  moveTo,
  nest,
  nestingMax,
  peek,
  peekName,
  type Reader,
  skipBlanks,
  startsWith,
  take,
} from "./reader.ts";
import { isListEnd, peekReserved, takeReserved } from "./reserved-words.ts";
import type { AndOrList, Command, Coprocess, FunctionDefinition, JoinedPipeline, Script } from "./script.ts";

export type ParsedScript =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly problem: string };

/** The depth counts what the text is already nested in. */
export function parseScript(text: string, depth = 0): ParsedScript {
  const reader = createReader(text, grammar, depth);
  if (depth > nestingMax) fail(reader, "It is nested too deeply.");
  const script = readList(reader);
  if (!isAtEnd(reader)) fail(reader, `\`${peekReserved(reader) || peek(reader)}\` is not expected here.`);
  if (reader.pending.length > 0) fail(reader, "A here-document has no text.");
  return reader.problem === undefined ? { ok: true, script } : { ok: false, problem: reader.problem };
}

function parseInner(text: string, outer: Reader): Script {
  const parsed = parseScript(text, outer.depth + 1);
  if (parsed.ok) return parsed.script;
  fail(outer, parsed.problem);
  return emptyScript;
}

const grammar: Grammar = { readList, readCommand, parseInner };

/** Stops at whatever cannot begin a command; the caller knows what it expects there. */
function readList(reader: Reader): Script {
  const lists: AndOrList[] = [];
  for (;;) {
    skipLines(reader);
    if (reader.problem !== undefined || isListEnd(reader)) return { lists };
    const pipelines = readAndOr(reader);
    skipBlanks(reader);
    const isBackground = peek(reader) === "&" && !startsWith(reader, "&&");
    lists.push({ pipelines, isBackground });
    if (isBackground) reader.at += 1;
    else if (peek(reader) === ";" && !startsWith(reader, ";;") && !startsWith(reader, ";&")) reader.at += 1;
    else if (peek(reader) === "\n") readLineEnd(reader);
    else if (!isListEnd(reader) || !canEndHere(reader, pipelines)) fail(reader, "Commands are not separated.");
    else return { lists };
  }
}

/** A reserved word counts as one behind a compound command, but is an argument behind a simple one. */
function canEndHere(reader: Reader, pipelines: readonly JoinedPipeline[]): boolean {
  const character = peek(reader);
  if (character === "" || character === ")" || character === ";") return true;
  const last = pipelines.at(-1)?.commands.at(-1);
  return last !== undefined && isClosed(last);
}

function isClosed(command: Command): boolean {
  if (command.kind === "simple") return false;
  if (command.kind !== "compound") return isClosed(command.body);
  return command.redirections.length === 0;
}

function readAndOr(reader: Reader): readonly JoinedPipeline[] {
  const pipelines = [readPipeline(reader, "first")];
  for (;;) {
    skipBlanks(reader);
    const join = take(reader, "&&") ? "and" : take(reader, "||") ? "or" : undefined;
    if (join === undefined) return pipelines;
    skipLines(reader);
    pipelines.push(readPipeline(reader, join));
  }
}

function readPipeline(reader: Reader, join: JoinedPipeline["join"]): JoinedPipeline {
  const prefix = readPrefix(reader);
  if (prefix !== "" && isBarePrefixEnd(reader)) return { join, prefix, commands: [] };
  const commands = [readCommand(reader)];
  for (;;) {
    skipBlanks(reader);
    if (peek(reader) !== "|" || startsWith(reader, "||")) return { join, prefix, commands };
    reader.at += 1;
    const lineEndsMax = take(reader, "&") ? 0 : 1;
    const start = reader.at;
    skipLines(reader);
    // Behind one line end it is a program, behind several a reserved word in the wrong place.
    if (peekReserved(reader) === "time" && reader.text.slice(start, reader.at).split("\n").length - 1 > lineEndsMax)
      fail(reader, "`time` is not expected here.");
    if (peekReserved(reader) === "!") fail(reader, "`!` is not expected here.");
    commands.push(readCommand(reader));
  }
}

/** `time` and `!` may stand alone. */
function isBarePrefixEnd(reader: Reader): boolean {
  const character = peek(reader);
  return character === "" || character === "\n" || (character === ";" && !";&".includes(peek(reader, 1) || " "));
}

function readPrefix(reader: Reader): string {
  const words: string[] = [];
  for (;;) {
    skipBlanks(reader);
    if (takeReserved(reader, "!")) words.push("!");
    else if (reader.at === reader.firstCommandAt && peekReserved(reader) === "time") {
      checkFirstTime(reader);
      return words.join(" ");
    } else if (takeReserved(reader, "time")) words.push("time", ...readTimeOptions(reader));
    else return words.join(" ");
  }
}

/** Versions of bash take it for a program there or for a prefix, which is the same only before a plain program. */
function checkFirstTime(reader: Reader): void {
  const after = reader.text.slice(reader.at + "time".length).replace(/^[ \t]+/, "");
  const isUnclear =
    /^(?:[!({\\]|\[\[|[A-Za-z_]\w*(?:\[|\+?=)|(?:if|while|until|for|case|select|function|coproc|time)\b)/.test(after);
  if (isUnclear) fail(reader, "What `time` means first in a substitution depends on the version of bash.");
}

function readTimeOptions(reader: Reader): readonly string[] {
  const options: string[] = [];
  for (const option of ["-p", "--"]) {
    skipBlanks(reader);
    const start = reader.at;
    if (startsWith(reader, option) && readWord(reader).source === option) options.push(option);
    else moveTo(reader, start);
  }
  return options;
}

function readCommand(reader: Reader): Command {
  skipBlanks(reader);
  if (takeReserved(reader, "function")) return nest(reader, () => readFunctionBody(reader, readFunctionName(reader)));
  if (takeReserved(reader, "coproc")) {
    reader.coprocesses += 1;
    const coprocess = nest(reader, () => readCoprocess(reader));
    reader.coprocesses -= 1;
    return coprocess;
  }
  const compound = readCompound(reader);
  if (compound !== undefined) return { kind: "compound", ...compound, redirections: readRedirections(reader) };
  const word = startsWith(reader, "]]") ? "]]" : peekReserved(reader);
  if (word !== "" && word !== "time") fail(reader, `\`${word}\` is not expected here.`);
  const simple = readSimpleCommand(reader);
  return simple.kind === "simple" ? simple : nest(reader, () => readFunctionBody(reader, simple.name));
}

function readFunctionName(reader: Reader): string {
  skipBlanks(reader);
  const word = readWord(reader);
  skipBlanks(reader);
  if (take(reader, "(")) {
    skipBlanks(reader);
    if (!take(reader, ")")) fail(reader, "`)` is missing.");
  }
  if (!/^[\w.:@%+,/-]+$/.test(word.source)) fail(reader, "The name of a function is not understood.");
  return word.source;
}

function readFunctionBody(reader: Reader, name: string): FunctionDefinition {
  skipLines(reader);
  const compound = readCompound(reader);
  if (compound === undefined) fail(reader, "The body of a function is missing.");
  const body: Command =
    compound === undefined
      ? { kind: "simple", assignments: [], words: [], redirections: [] }
      : { kind: "compound", ...compound, redirections: readRedirections(reader) };
  return { kind: "function", name, body };
}

/** The first word is a name only when a compound command follows it. */
function readCoprocess(reader: Reader): Coprocess {
  skipBlanks(reader);
  const start = reader.at;
  const word = readWord(reader);
  skipBlanks(reader);
  const next = peekReserved(reader);
  if (peek(reader, peekName(reader).length) === "[") fail(reader, "A subscript cannot be determined.");
  const isNamed = word.parts.length > 0 && (peek(reader) === "(" || compoundStarts.has(next));
  if (word.parts.length > 0 && next !== "" && !isNamed && !compoundStarts.has(word.source))
    fail(reader, `\`${next}\` is not expected here.`);
  if (isNamed && compoundStarts.has(word.source)) moveTo(reader, start);
  else if (isNamed) {
    if (!/^[A-Za-z_]\w*$/.test(word.source)) fail(reader, "The name of a coprocess is not understood.");
    return { kind: "coprocess", name: word.source, body: readCommand(reader) };
  }
  moveTo(reader, start);
  return { kind: "coprocess", name: undefined, body: readCommand(reader) };
}

const compoundStarts: ReadonlySet<string> = new Set("{ [[ if while until for select case".split(" "));
