/** Splits the words of a command into options, their values and operands, the way getopt does. */
import type { ShellWord } from "../shell-command.ts";
import type { OptionRule, OptionSet } from "./option-set.ts";

export type OptionValue = {
  readonly word: ShellWord;
  /** The value itself, which may be a part of the word. */
  readonly text: string;
  readonly isAttached: boolean;
};

export type FoundOption = {
  /** Full name: abbreviations are completed, clusters taken apart. */
  readonly name: string;
  /** Undefined for an option that no table lists. */
  readonly rule: OptionRule | undefined;
  readonly value: OptionValue | undefined;
};

export type ReadWords = {
  readonly options: readonly FoundOption[];
  readonly operands: readonly ShellWord[];
  /** Words that may turn out to be options when the command runs. */
  readonly untrusted: readonly ShellWord[];
  /** How many words were options with their values, for sets that stop at the first operand. */
  readonly length: number;
};

type Reading = {
  readonly options: FoundOption[];
  readonly operands: ShellWord[];
  readonly untrusted: ShellWord[];
};

export function readOptions(words: readonly ShellWord[], set: OptionSet): ReadWords {
  const reading: Reading = { options: [], operands: [], untrusted: [] };
  let index = 0;
  while (index < words.length) {
    const word = words[index];
    if (word === undefined) break;
    if (word.text === "--" && word.isLiteral) {
      const rest = words.slice(index + 1);
      reading.operands.push(...rest);
      return { ...reading, length: index + 1 };
    }
    if (!isOptionText(word, set)) {
      if (mayBecomeOption(word) && mayFit(word, set)) reading.untrusted.push(word);
      if (set.stopsAtOperand) return { ...reading, operands: words.slice(index), length: index };
      reading.operands.push(word);
      index += 1;
      continue;
    }
    index += readOne(word, words[index + 1], set, reading);
  }
  return { ...reading, length: index };
}

export function hasOption(read: ReadWords, ...names: readonly string[]): boolean {
  return read.options.some((option) => names.includes(option.name) || sharesSpelling(option, names));
}

export function findOption(read: ReadWords, ...names: readonly string[]): FoundOption | undefined {
  return read.options.findLast((option) => names.includes(option.name) || sharesSpelling(option, names));
}

/** An unquoted expansion may be anything; a quoted one, and the name of a file, only what follows the text before it. */
export function mayBecomeOption(word: ShellWord): boolean {
  // A number in the place of an option never does more than one.
  if (word.isLiteral || word.isPipe || word.isNumber || word.isPlaced) return false;
  if (word.isGlob) return /^[-*?[{]/.test(word.text);
  return word.isSplit || /^[-$`]/.test(word.text) || word.text === "";
}

/** Whether the set has an option that the word may become. */
function mayFit(word: ShellWord, set: OptionSet): boolean {
  if (!set.exactOptions || !word.isGlob || isListed(word)) return true;
  const isLetters = /^-?\w*$/.test(word.text.replaceAll(/\[.*?\]|[*?]/gs, ""));
  return isLetters || set.longNames.some((name) => mayGive(word, name));
}

/** Whether exactly this text may be one of the words that it becomes. */
export function mayGive(word: ShellWord, text: string): boolean {
  if (word.isLiteral) return word.text === text;
  if (word.isNumber) return /^-?\d+$/.test(text);
  if (word.isGlob && !isListed(word)) return globPattern(word.text).test(text);
  return word.isSplit || text.startsWith(/^[^$`]*/.exec(word.text)?.[0] ?? "");
}

/** A name that another command prints, in which no sign of a pattern stands. */
export function isListed(word: ShellWord): boolean {
  return word.isGlob && !/[*?[]/.test(word.text);
}

function globPattern(text: string): RegExp {
  const source = text.replaceAll(/\[.*?\]|[.+^${}()|[\]\\*?]/gs, (sign) => {
    if (sign === "*") return ".*";
    return sign === "?" || sign.length > 1 ? "." : `\\${sign}`;
  });
  return new RegExp(`^${source}$`, "s");
}

/** It may become several words, of which the others begin with anything. */
export function isOpen(word: ShellWord): boolean {
  return word.isSplit && !word.isLiteral && !word.isGlob && !word.isNumber;
}

function sharesSpelling(option: FoundOption, names: readonly string[]): boolean {
  return option.rule?.spellings.some((spelling) => names.includes(spelling)) ?? false;
}

function isOptionText(word: ShellWord, set: OptionSet): boolean {
  const { text } = word;
  return text.length > 1 && (text[0] === "-" || (text[0] === "+" && set.rules.has(text)));
}

/** `head -5`: a number in the place of an option. */
const numberRule: OptionRule = { spellings: [], value: "none", effect: "none", why: undefined };

/** The name of the option is not known from there on. */
const unsureSign = /[$`*?[{]/;

/** Gives how many words were used. */
function readOne(word: ShellWord, next: ShellWord | undefined, set: OptionSet, reading: Reading): number {
  if (set.takesNumbers && /^-\d+$/.test(word.text)) {
    reading.options.push({ name: word.text, rule: numberRule, value: undefined });
    return 1;
  }
  if (word.text.startsWith("--") || set.oneDash || word.text.startsWith("+")) return readLong(word, next, set, reading);
  // Long options with one dash exist beside joined short ones, as in `bash -rcfile` or `java -jar`.
  if (word.text.length > 2 && set.rules.has(upToEqualSign(word.text))) return readLong(word, next, set, reading);
  return readCluster(word, next, set, reading);
}

function readLong(word: ShellWord, next: ShellWord | undefined, set: OptionSet, reading: Reading): number {
  const name = upToEqualSign(word.text);
  if (!word.isLiteral && unsureSign.test(name)) {
    reading.untrusted.push(word);
    return 1;
  }
  const rule = findLongRule(name, set);
  const isAttached = name.length < word.text.length;
  if (isOpen(word)) reading.untrusted.push(word);
  const value = isAttached ? { word, text: word.text.slice(name.length + 1), isAttached } : undefined;
  const fullName = rule === undefined ? name : completeName(name, rule, set);
  if (rule?.value === "required" && value === undefined && next !== undefined) {
    reading.options.push({ name: fullName, rule, value: takeNext(next, reading) });
    return 2;
  }
  reading.options.push({ name: fullName, rule, value });
  return 1;
}

/** A value that splits into several words pushes options in behind it. */
function takeNext(next: ShellWord, reading: Reading): OptionValue {
  if (next.isSplit && !next.isLiteral) reading.untrusted.push(next);
  return { word: next, text: next.text, isAttached: false };
}

function upToEqualSign(text: string): string {
  const equalSign = text.indexOf("=");
  return equalSign < 0 ? text : text.slice(0, equalSign);
}

/** Where an abbreviation fits several options the program refuses it, so the riskiest reading costs nothing. */
function findLongRule(name: string, set: OptionSet): OptionRule | undefined {
  const exact = set.rules.get(name) ?? (set.oneDash ? set.rules.get(name.replace(/^--/, "-")) : undefined);
  if (exact !== undefined || set.oneDash) return exact;
  let found: OptionRule | undefined;
  for (const long of set.longNames) {
    if (!long.startsWith(name)) continue;
    const rule = set.rules.get(long);
    if (found === undefined || (found.why === undefined && rule?.why !== undefined)) found = rule;
  }
  return found;
}

function completeName(name: string, rule: OptionRule, set: OptionSet): string {
  if (set.rules.has(name)) return name;
  return rule.spellings.find((spelling) => spelling.startsWith(name)) ?? name;
}

function readCluster(word: ShellWord, next: ShellWord | undefined, set: OptionSet, reading: Reading): number {
  const { text } = word;
  for (let index = 1; index < text.length; index += 1) {
    const letter = text[index] ?? "";
    if (!word.isLiteral && unsureSign.test(letter)) {
      reading.untrusted.push(word);
      return 1;
    }
    const name = `-${letter}`;
    const rule = set.rules.get(name);
    const rest = text.slice(index + 1);
    if (rule === undefined || rule.value === "none") {
      reading.options.push({ name, rule, value: undefined });
      continue;
    }
    if (rest !== "") {
      if (isOpen(word)) reading.untrusted.push(word);
      reading.options.push({ name, rule, value: { word, text: rest, isAttached: true } });
      return 1;
    }
    if (rule.value === "required" && next !== undefined) {
      reading.options.push({ name, rule, value: takeNext(next, reading) });
      return 2;
    }
    reading.options.push({ name, rule, value: undefined });
    return 1;
  }
  return 1;
}
