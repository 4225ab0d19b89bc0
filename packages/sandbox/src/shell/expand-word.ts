/** Turns words of the syntax tree into words as far as a program would get them. */
import { expandBraces, type PartRow } from "./expand-braces.ts";
import { type FindValue, putValuesIn } from "./expand-values.ts";
import type { ShellWord } from "./shell-command.ts";
import type { ExpansionPart, TextPart, Word } from "./syntax/script.ts";

/** What is known of variables; home and directory are undefined when they were set in the text. */
export type KnownVariables = {
  readonly home: string | undefined;
  readonly directory: string | undefined;
  /** Absent where no value was set or none is to be put in. */
  readonly find?: FindValue;
  /** Whether the expansion gives nothing but a number. */
  readonly isNumber: (part: ExpansionPart) => boolean;
};

/** The words of an argument: braces may make several of one. */
export function expandWord(word: Word, known: KnownVariables): readonly ShellWord[] {
  const [only, second] = word.parts;
  if (only?.kind === "text" && second === undefined && (only.isQuoted || plainText.test(only.text))) {
    return [{ text: only.text, isLiteral: true, isSplit: false, isGlob: false }];
  }
  // Braces with nothing in them, before others: what bash makes of these is not worth guessing.
  const rows = /\{\}.*,/s.test(word.source) ? undefined : expandBraces(word.parts);
  if (rows === undefined) return [{ text: word.source, isLiteral: false, isSplit: true, isGlob: false }];
  return rows
    .flatMap((row) => withValues(row, known, { isValue: false }))
    .flatMap((row) => (row.length === 0 ? [] : [toShellWord(row, known, { isValue: false })]));
}

function withValues(row: PartRow, { find }: KnownVariables, form: { readonly isValue: boolean }): readonly PartRow[] {
  return find === undefined ? [row] : putValuesIn(row, find, form);
}

/** A value, or a word in any other place where a shell splits nothing and looks for no files. */
export function expandValue(word: Word, known: KnownVariables): ShellWord {
  const [row = word.parts] = withValues(word.parts, known, { isValue: true });
  return toShellWord(row, known, { isValue: true });
}

const plainText = /^[\w./:,@%+=^-]*$/;

type Draft = {
  text: string;
  isLiteral: boolean;
  isSplit: boolean;
  hasGlob: boolean;
  /** A variable holds a name that a pattern stands for. */
  hasFileName: boolean;
  isKnown: boolean;
};

function toShellWord(row: PartRow, known: KnownVariables, { isValue }: { readonly isValue: boolean }): ShellWord {
  const draft: Draft = {
    text: "",
    isLiteral: true,
    isSplit: false,
    hasGlob: false,
    hasFileName: false,
    isKnown: true,
  };
  for (const [index, part] of row.entries()) {
    if (part.kind === "expansion") addExpansion(draft, part, known);
    else if (part.isQuoted) draft.text += part.text;
    else {
      const isWhole = index === row.length - 1;
      addBare(draft, index === 0 ? openTilde(draft, part, known, { isWhole, isValue }) : part.text, { isValue });
    }
  }
  if (!isValue && (draft.hasFileName || (draft.hasGlob && hasPattern(row)))) {
    return { text: draft.text, isLiteral: false, isSplit: true, isGlob: draft.isKnown };
  }
  const { text, isLiteral, isSplit } = draft;
  const [only, second] = row.filter((part) => part.kind === "expansion" || part.text !== "");
  if (only?.kind === "expansion" && second === undefined && !isLiteral && known.isNumber(only)) {
    return { text, isLiteral, isSplit: false, isGlob: false, isNumber: true };
  }
  if (second === undefined && only?.kind === "expansion" && only.isProcess) {
    return { text, isLiteral, isSplit: false, isGlob: false, isPipe: true };
  }
  const isArray = row.some((part) => part.kind === "expansion" && part.source.startsWith("("));
  return { text, isLiteral, isSplit: isSplit && !isValue, isGlob: false, ...(isArray && { isArray }) };
}

function addBare(draft: Draft, text: string, { isValue }: { readonly isValue: boolean }): void {
  draft.text += text;
  if (/[*?[]/.test(text)) draft.hasGlob = true;
  // Behind a colon a value may name another home.
  if (text.includes(":~") && (isValue || /^[A-Za-z_]\w*\+?=/.test(draft.text))) draft.isLiteral = false;
}

/** `[` alone is a program, and a pattern only together with its partner. */
function hasPattern(row: PartRow): boolean {
  const bare = row.map((part) => (part.kind === "text" && !part.isQuoted ? part.text : "\0")).join("");
  if (bare.includes("*") || bare.includes("?")) return true;
  const bracket = bare.indexOf("[");
  return bracket !== -1 && bare.includes("]", bracket);
}

/** The text with `~` replaced; it also stands behind the first `=` of what looks like an assignment. */
function openTilde(
  draft: Draft,
  part: TextPart,
  known: KnownVariables,
  { isWhole, isValue }: { readonly isWhole: boolean; readonly isValue: boolean },
): string {
  const found = (isValue ? /^()~([^/]*)(\/|$)/ : /^((?:[A-Za-z_]\w*\+?=)?)~([^/]*)(\/|$)/).exec(part.text);
  if (found === null) return part.text;
  const [whole, before = "", user = "", slash = ""] = found;
  // Shells differ there, and bash with itself once braces are in the word.
  if (before !== "") {
    draft.isLiteral = false;
    draft.isKnown = false;
    return part.text;
  }
  if (slash === "" && !isWhole) {
    // Quotes that follow keep it as it is; an expansion might not.
    draft.isLiteral = false;
    return part.text;
  }
  const directory = user === "" ? known.home : user === "+" ? known.directory : undefined;
  if (directory === undefined) {
    draft.isLiteral = false;
    draft.isKnown = false;
    return part.text;
  }
  return directory + slash + part.text.slice(whole.length);
}

function addExpansion(draft: Draft, part: ExpansionPart, known: KnownVariables): void {
  const value = part.variable === "HOME" ? known.home : part.variable === "PWD" ? known.directory : undefined;
  if (value !== undefined && (part.isQuoted || plainText.test(value))) {
    draft.text += value;
    return;
  }
  // Not in quotes it would be split at the blanks of a name, into anything.
  const found = part.variable === undefined || !part.isQuoted ? undefined : known.find?.(part.variable);
  if (found?.isGlob) {
    draft.text += found.text;
    draft.isLiteral = false;
    draft.hasFileName = true;
    return;
  }
  draft.text += part.source;
  draft.isLiteral = false;
  draft.isKnown = false;
  if (part.isProcess || known.isNumber(part)) return;
  const isList = part.variable === "@" || /^\$\{(?:@|!?\w+\[@\]|!\w+@)/.test(part.source);
  if (!part.isQuoted || isList) draft.isSplit = true;
}
