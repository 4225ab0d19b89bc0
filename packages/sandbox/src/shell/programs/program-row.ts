/** What one row of `rows/*.jsonl` says about a program. The shape of a row decides how its words are read. */
import type { OptionTable } from "./option-set.ts";

/**
 * A row begins with the `names` it holds for, separated by spaces, or with the name of a `set` that others take over.
 * `like` takes over the fields of another row or set but its `code`; `plain` and `special` are added to what that one has.
 */
export type ProgramRow = ShapedRow & {
  /** Beside its shape: the program also starts the command that this finds. */
  readonly starts?: StartedCommand;
  /** It looks at processes, sockets, mounts, devices, services or other machines, which a confined view has not. */
  readonly looksAt?: "machine";
  /** Files of the project decide what it does: nothing that it is asked is only a look, not even its version. */
  readonly readsProject?: boolean;
};

export type ShapedRow =
  | OrdinaryRow
  | WrapperRow
  | RunnerRow
  | ToolRow
  | InterpreterRow
  | CodeRow
  /** It always needs a person, whatever its words are. */
  | { readonly shape: "asks"; readonly why: string }
  /** Nothing is known but what it starts. */
  | { readonly shape: "starter" };

/** Options and operands say everything, or everything up to what its code adds. */
export type OrdinaryRow = OptionTable & {
  readonly shape: "ordinary";
  readonly operands?: OperandUse;
  /** It only looks, as long as all its options are listed. */
  readonly looks?: boolean;
  /** What it does to the world outside of the machine. */
  readonly outward?: string;
  /** Kept words of an "always" pattern; 0 for none. */
  readonly suggestedWords?: number;
  readonly code?: string;
};

/** What the operands are. */
export const operandUses = [
  "text",
  "read",
  "write",
  /** A pattern or program text first, unless an option gave it, then files that are read. */
  "pattern",
  /** Files that are read, the last one is written. */
  "copy",
  /** Files that are read, the second is written: `uniq`, `xxd`. */
  "readThenWrite",
] as const;
export type OperandUse = (typeof operandUses)[number];

/** It starts the command given in its last words. */
export type WrapperRow = OptionTable & {
  readonly shape: "wrapper";
  /** How many operands stand before the command: the duration of `timeout`. */
  readonly skips?: number;
  /** Those operands may be left out, and are there only if the first of them matches: the architecture of `setarch`. */
  readonly skipsOnly?: string;
  /** It adds nothing to what it starts. */
  readonly isTransparent?: boolean;
  /** The words are joined with spaces and given to a shell. */
  readonly joins?: boolean;
  /** `NAME=value` words before the command are set for it. */
  readonly assigns?: boolean;
  /** With one of these the command is not run, or there is none: `command -v`, `taskset -p`. */
  readonly onlyLooksWith?: readonly string[];
  readonly acts?: readonly string[];
  /** Without a command it starts a shell. */
  readonly opensShell?: boolean;
};

/** It starts other commands in a way that its code finds; the first operand ends its own options. */
export type RunnerRow = OptionTable & { readonly shape: "runner"; readonly code: string };

/** It has sub-commands. */
export type ToolRow = {
  readonly shape: "tool";
  /** Options before the sub-command, and wherever the program takes them. */
  readonly globals?: OptionTable;
  /** Options after the sub-command. */
  readonly options?: OptionTable;
  /** First words that are followed by a second one, as in `gh pr create`. */
  readonly groups?: string;
  /** Sub-commands that only look, separated by `|`; a final `*` stands for any further words. */
  readonly looks?: string;
  /** Sub-commands that reach other machines or people. */
  readonly outward?: string;
  readonly outwardWhy?: string;
  /** Sub-commands that always need a person. */
  readonly concerns?: string;
  /** Other names of sub-commands. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Sub-commands that start the command in their words. */
  readonly runs?: Readonly<Record<string, ToolRun>>;
  /** Kept words of an "always" pattern where it is not program and sub-command. */
  readonly suggestedWords?: Readonly<Record<string, number>>;
  readonly code?: string;
};

/** The options such a sub-command takes, and how many operands stand before the command. */
export type ToolRun = { readonly options?: OptionTable; readonly skips?: number };

/** A script file is run by rule, code given as text or over a pipe is not visible to rules. */
export type InterpreterRow = OptionTable & {
  readonly shape: "interpreter";
  /** Options that give the code, so that no file or input does. */
  readonly codeOptions?: readonly string[];
  /** It does nothing but print when called with one of these. */
  readonly prints?: readonly string[];
  /** Words that load other code although no option of the table says so; a regular expression. */
  readonly loadsWith?: string;
  /** Without a script it waits for a person, or does something harmless of its own. */
  readonly ignoresInput?: boolean;
  /** `-m` names a module, and what follows belongs to it. */
  readonly takesModule?: boolean;
  /** What it does to the file it is given; it reads a script where this is absent. */
  readonly opens?: "write";
  readonly code?: string;
};

/** Its code reads the words, with the options of the row if it has any. */
export type CodeRow = OptionTable & { readonly shape: "code"; readonly looks?: boolean; readonly code: string };

/** A command that a word, an option or its place among the words marks. */
export type StartedCommand = {
  /** What follows the first word that this regular expression matches is the command. */
  readonly after?: string;
  /** Shell code is the value of one of these options. */
  readonly scripts?: readonly string[];
  /** The command begins with this operand, counted from 0, once the options below are skipped. */
  readonly from?: number;
  /** Options that take the next word, for `from`. */
  readonly valued?: string;
  /** Every operand is shell code of its own. */
  readonly listsScripts?: boolean;
  /** It does so only as this sub-command. */
  readonly verb?: string;
};
