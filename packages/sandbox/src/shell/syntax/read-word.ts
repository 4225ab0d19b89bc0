/** Reads one word of a command, quotes and all. */
import { readBackticks, readDollar, readDoubleQuoted, readProcess } from "./read-expansion.ts";
import { fail, isWordEnd, moveTo, nest, passLineEnd, peek, type Reader } from "./reader.ts";
import type { Word } from "./script.ts";
import { addPart, addText, type PartList } from "./word-parts.ts";

export type WordForm = {
  /** What stands for itself here: `()|` in a regular expression, extended patterns after `==`. */
  readonly groups: "none" | "pattern" | "regular expression" | "counted";
};

const plainForm: WordForm = { groups: "none" };
const specials = " \t\n;&|()<>\\'\"$`";
const patternOpeners = "?*+@!";

/** Empty parts when no word begins here. */
export function readWord(reader: Reader, form: WordForm = plainForm): Word {
  const start = reader.at;
  const parts: PartList = [];
  const isContinued = readParts(reader, parts, form);
  return { parts, source: reader.text.slice(start, reader.at), isContinued };
}

/** Tells whether lines were joined. */
function readParts(reader: Reader, parts: PartList, form: WordForm): boolean {
  let isContinued = false;
  for (;;) {
    const character = peek(reader);
    if (character === "\\") {
      const next = peek(reader, 1);
      if (next === "") fail(reader, "The command ends with a backslash.");
      else if (next === "\n") isContinued = true;
      else addText(parts, next, { isQuoted: true });
      reader.at += 2;
    } else if (character === "'") readSingleQuoted(reader, parts);
    else if (character === '"') {
      reader.at += 1;
      for (const part of readDoubleQuoted(reader)) addPart(parts, part);
    } else if (character === "$") {
      if (peek(reader, 1) === '"') reader.at += 1;
      else addPart(parts, readDollar(reader, { isQuoted: false }));
    } else if (character === "`") addPart(parts, readBackticks(reader, { isQuoted: false }));
    else if ((character === "<" || character === ">") && peek(reader, 1) === "(") addPart(parts, readProcess(reader));
    else if (character === "(" && form.groups === "regular expression") readGroup(reader, parts, form);
    else if (character === "|" && form.groups === "regular expression") {
      reader.at += 1;
      addText(parts, "|", { isQuoted: false });
    } else if (isWordEnd(character)) return isContinued;
    else readPlain(reader, parts, form);
  }
}

function readPlain(reader: Reader, parts: PartList, form: WordForm): void {
  const start = reader.at;
  do reader.at += 1;
  while (reader.at < reader.text.length && !specials.includes(peek(reader)));
  addText(parts, reader.text.slice(start, reader.at), { isQuoted: false });
  if (peek(reader) !== "(" || !patternOpeners.includes(peek(reader, -1))) return;
  if (form.groups === "pattern") nest(reader, () => readGroup(reader, parts, form));
  else if (form.groups === "none") fail(reader, "Extended patterns are not read.");
}

/** Everything up to the closing parenthesis belongs to the word, blanks too. */
function readGroup(reader: Reader, parts: PartList, form: WordForm): undefined {
  reader.at += 1;
  addText(parts, "(", { isQuoted: false });
  for (let open = 1; open > 0; ) {
    readParts(reader, parts, form.groups === "regular expression" ? plainGroups : form);
    const character = peek(reader);
    if (character === "(") open += 1;
    else if (character === ")") open -= 1;
    else if (character === "" || !" \t|&;".includes(character)) return fail(reader, "A pattern is not closed.");
    addText(parts, character, { isQuoted: false });
    reader.at += 1;
  }
}

/** Inside of a group parentheses are counted by its reader. */
const plainGroups: WordForm = { groups: "counted" };

function readSingleQuoted(reader: Reader, parts: PartList): undefined {
  const end = reader.text.indexOf("'", reader.at + 1);
  if (end === -1) return fail(reader, "A quote is not closed.");
  const text = reader.text.slice(reader.at + 1, end);
  if (text.includes("\n")) passLineEnd(reader);
  if (reader.problem !== undefined) return;
  addText(parts, text, { isQuoted: true });
  moveTo(reader, end + 1);
}

export function isEmptyWord(word: Word): boolean {
  return word.parts.length === 0;
}

/** The text of a word without quotes and expansions; undefined for every other word. */
export function bareText(word: Word): string | undefined {
  const [part, second] = word.parts;
  return part?.kind === "text" && !part.isQuoted && second === undefined ? part.text : undefined;
}
