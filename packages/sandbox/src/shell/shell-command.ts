/** One simple command as the shell would start it, and what is known about the program it names. */
import type { RiskyOption, ShownContent } from "@kedge/protocol";

/** A word as far as it is known before anything runs. */
export type ShellWord = {
  /** Quotes and escapes resolved, `~` and an untouched `$HOME` and `$PWD` put in; what is unknown stands as written. */
  readonly text: string;
  /** The program gets exactly this text. */
  readonly isLiteral: boolean;
  /** It may become none or several words: unquoted expansions, and unquoted `*`, `?`, `[` or braces. */
  readonly isSplit: boolean;
  /** It has unquoted `*`, `?` or `[` and is otherwise known: names of existing files take its place. */
  readonly isGlob: boolean;
  /** It is `<(…)` or `>(…)` and nothing else: the name of a pipe, and no file that anybody knows. */
  readonly isPipe?: true;
  /** It is some number. */
  readonly isNumber?: true;
  /** What it becomes begins with a place, so none of it is an option. */
  readonly isPlaced?: true;
  /** It ends with the parentheses of an array, which the shell reads where they stand: `declare x=(…)`. */
  readonly isArray?: true;
};

export type Assignment = {
  readonly name: string;
  /** Undefined for `export NAME` and the like. */
  readonly value: ShellWord | undefined;
  /** If the variable is an array, its value is read again as shell text: `declare x=$y`. */
  readonly mayBeReread?: true;
};

export type ShellCommand = {
  /** The program and its arguments, without assignments and redirections. Empty for assignments alone. */
  readonly words: readonly ShellWord[];
  readonly assignments: readonly Assignment[];
  /** Where it runs; undefined when an earlier `cd` went nobody knows where. */
  readonly directory: string | undefined;
  readonly input: ShellInput;
};

/** Where standard input comes from. */
export type ShellInput =
  | { readonly kind: "inherited" }
  | { readonly kind: "file" }
  /** What other commands print: a pipe. `by` holds the words of the simple commands before it, first to last, where all are. */
  | { readonly kind: "output"; readonly by?: readonly (readonly ShellWord[])[] }
  /** A here-document or here-string; undefined when expansions make its text unknown. */
  | { readonly kind: "text"; readonly text: string | undefined };

/** What one command is known to do. The words of unknown programs are plain text: nothing is read into them. */
export type ProgramInsight = {
  /** Commands that it starts in turn. */
  readonly inner: readonly InnerCommand[];
  /** It adds nothing to the commands it starts, which are judged in its place: `timeout`, `nice`. */
  readonly isTransparent: boolean;
  /** Spellings for deny and ask rules: base name of the program, its global options removed, options in usual order. */
  readonly otherTexts: readonly string[];
  readonly riskyOptions: readonly RiskyOption[];
  readonly files: readonly NamedFile[];
  /** Reasons to ask whatever the rules allow. */
  readonly concerns: readonly string[];
  /** Why nothing can be known: an interpreter that reads its program from a pipe. */
  readonly unknown?: string;
  /** Words, or subscripts in them, that it evaluates as arithmetic. */
  readonly arithmetic: readonly ShellWord[];
  /** Variables that it sets in this shell or for what it starts. */
  readonly assigned: readonly Assignment[];
  readonly readOnly: boolean;
  /** Absent for files. */
  readonly looksAt?: "machine";
  readonly shows?: ShownContent;
  readonly readsTrees?: true;
  /** It looks if everything that it starts does: `find -exec`, `xargs`. */
  readonly looksThrough?: true;
  /** It works in a repository: the directory of the command, or this one. */
  readonly repository?: { readonly at: ShellWord | undefined };
  readonly guard?: string;
  readonly outward?: string;
  readonly suggestion?: string;
  /** No table has it: it may be a function that somebody's start-up files define. */
  readonly isUnlisted?: true;
  /** Where later commands of the same shell run; undefined inside means unknown. */
  readonly movesTo?: { readonly word: ShellWord | undefined };
};

export type InnerCommand =
  | { readonly kind: "words"; readonly words: readonly ShellWord[]; readonly directory?: ShellWord }
  /** Shell code given as text. */
  | { readonly kind: "script"; readonly text: string; readonly directory?: ShellWord }
  | { readonly kind: "unknown"; readonly why: string };

export type NamedFile = {
  readonly word: ShellWord;
  /** The path itself when it is only a part of the word, as in `of=/dev/sda`. */
  readonly path?: string;
  readonly access: "read" | "write";
  /** It is taken from here and not from the directory of the command, as after `git -C`. */
  readonly from?: ShellWord;
  /** Nothing of its content is shown. */
  readonly onlyNames?: true;
};

export type ProgramPlace = { readonly root: string; readonly home: string };

export type LookIntoProgram = (command: ShellCommand, place: ProgramPlace) => ProgramInsight;
