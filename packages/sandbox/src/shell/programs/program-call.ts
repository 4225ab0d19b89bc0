/** One call of a known program and what is gathered about it. */
import type { RiskyOption, ShownContent } from "@kedge/protocol";
import type { Assignment, InnerCommand, NamedFile, ProgramPlace, ShellCommand, ShellWord } from "../shell-command.ts";
import type { OptionSet, OptionTable } from "./option-set.ts";
import { type FoundOption, isListed, type ReadWords } from "./read-options.ts";

export type ProgramCall = {
  /** Base name as the tables know it. */
  readonly name: string;
  /** Everything after the program. */
  readonly words: readonly ShellWord[];
  readonly command: ShellCommand;
  readonly place: ProgramPlace;
};

/** Filled by the program that is called; `lookIntoProgram` turns it into the insight. */
export type Findings = {
  readonly inner: InnerCommand[];
  readonly riskyOptions: RiskyOption[];
  readonly files: NamedFile[];
  readonly concerns: string[];
  readonly assigned: Assignment[];
  readonly arithmetic: ShellWord[];
  isTransparent: boolean;
  readOnly: boolean;
  looksAt?: "machine";
  shows?: ShownContent;
  readsTrees?: true;
  looksThrough?: true;
  repository?: { readonly at: ShellWord | undefined };
  unknown?: string;
  guard?: string;
  outward?: string;
  movesTo?: { readonly word: ShellWord | undefined };
  /** Program and sub-commands without global options, and what follows them. */
  shape?: CommandShape;
  /** Other ways to say the same: `pip install` for `python -m pip install`. */
  readonly otherWords: (readonly string[])[];
  /** How many words an "always" pattern keeps; 0 for none. */
  suggestedWords?: number;
};

export type CommandShape = { readonly lead: readonly string[]; readonly read: ReadWords };

export type Program = (call: ProgramCall, findings: Findings) => void;

export type ReadCall = ProgramCall & { readonly read: ReadWords };

/** Adds what a row cannot say, once its shape has been read. */
export type Refine = (call: ReadCall, findings: Findings) => void;

/** The options of a row, as written and compiled. */
export type RowOptions = { readonly row: OptionTable & { readonly looks?: boolean }; readonly options: OptionSet };

/** Reads the words itself, with the options of its row. */
export type RowProgram = (call: ProgramCall & { readonly table: RowOptions }, findings: Findings) => void;

export function newFindings(): Findings {
  return {
    inner: [],
    riskyOptions: [],
    files: [],
    concerns: [],
    assigned: [],
    arithmetic: [],
    otherWords: [],
    isTransparent: false,
    readOnly: false,
  };
}

export function literalWord(text: string): ShellWord {
  return { text, isLiteral: true, isSplit: false, isGlob: false };
}

/** A word of which nothing is known before the command runs. */
export function unknownWord(text: string): ShellWord {
  return { text, isLiteral: false, isSplit: true, isGlob: false };
}

export function addRisk(findings: Findings, spellings: readonly string[], why: string): void {
  findings.riskyOptions.push({ spellings, why });
}

/** Standard input and output, and the void, are free; what stands in for a process is judged as a command. */
const freeFiles = new Set(["-", "", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/null"]);

export function addFile(findings: Findings, access: "read" | "write", word: ShellWord, path?: string): void {
  const text = path ?? word.text;
  if (freeFiles.has(text) || (!word.isLiteral && /^[<>]\(/.test(text))) return;
  // Which of the listed names it is decides whether it may be written.
  if (access === "write" && isListed(word)) findings.files.push({ word: unknownWord(text), access });
  else findings.files.push(path === undefined || path === word.text ? { word, access } : { word, path, access });
}

export function addFileOfOption(findings: Findings, access: "read" | "write", option: FoundOption): void {
  if (option.value !== undefined) addFile(findings, access, option.value.word, option.value.text);
}

/** Shell code in an argument: known only when the program gets exactly this text. */
export function addScript(findings: Findings, word: ShellWord, text = word.text): void {
  if (text.trim() === "" && word.isLiteral) return;
  if (word.isLiteral) findings.inner.push({ kind: "script", text });
  else findings.inner.push({ kind: "unknown", why: `the code ${word.text} is put together when it runs` });
}

/** Words that a program joins with spaces and gives to a shell. */
export function addJoinedScript(findings: Findings, words: readonly ShellWord[]): void {
  if (words.length === 0) return;
  if (words.every((word) => word.isLiteral)) {
    findings.inner.push({ kind: "script", text: words.map((word) => word.text).join(" ") });
    return;
  }
  findings.inner.push({ kind: "unknown", why: "the code is put together when it runs" });
}

export function addInnerWords(findings: Findings, words: readonly ShellWord[], directory?: ShellWord): void {
  if (words.length === 0) return;
  findings.inner.push(directory === undefined ? { kind: "words", words } : { kind: "words", words, directory });
}
