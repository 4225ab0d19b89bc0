/** What a shell command would do, as far as can be told before it runs. Made by `sandbox`, judged by the engine. */
import type { LookAtPath, OtherName } from "./path-look.ts";

/** Where a command would run and what is known about the machine it runs on. */
export type ShellPlace = {
  readonly cwd: string;
  /** The directory of the workspace. */
  readonly root: string;
  readonly home: string;
  /** Follows links; a path that does not exist counts by its nearest parent. */
  readonly lookAtPath: LookAtPath;
};

export type ShellAnalysis = {
  /** Everything that would run, outermost first: in lists, pipes, loops, functions, substitutions, behind wrappers. */
  readonly commands: readonly AnalysedCommand[];
  /** Files named by redirections and by arguments of programs known to read or write them. */
  readonly files: readonly FileUse[];
  /** What needs a person whatever the rules allow, such as an assignment of PATH. */
  readonly concerns: readonly ShellConcern[];
  /** Why the text is not understood. No allow rule can match it then; `commands` holds what could be told. */
  readonly unknown?: string;
  /** Needs a person in every mode, such as the removal of the workspace. */
  readonly guard?: string;
  /** Every command only looks: nothing is written, run or sent. */
  readonly readOnly: boolean;
  /** What its commands look at, for a text that only looks: files alone can be shown in a confined view of the machine. */
  readonly looksAt: LookedAt;
};

/** `machine` is everything but files: processes, sockets, mounts, devices, services, other machines. */
export type LookedAt = "files" | "machine";

export type AnalysedCommand = {
  /** Quotes and escapes resolved, one space between words, assignments and redirections taken off. */
  readonly text: string;
  /** Further spellings on which only deny and ask rules are tried: base name, options of the program itself removed. */
  readonly otherTexts: readonly string[];
  /** The beginning of the text, when what follows depends on variables, files or output. */
  readonly certain?: string;
  /** It only starts another command of the list, which is judged in its place. */
  readonly isTransparent: boolean;
  /** Options that make a harmless program write, run or load something: an allow rule must name them. */
  readonly riskyOptions: readonly RiskyOption[];
  readonly readOnly: boolean;
  /** Absent for files. */
  readonly looksAt?: "machine";
  /** What it may show that it does not name; absent where it shows only what it names. */
  readonly shows?: ShownContent;
  /** It shows what lies in whole directories: files that nobody named, and therefore nobody judged. */
  readonly readsTrees?: true;
  /** For git: the known directories it could work in. The settings of the repository around them can run commands. */
  readonly repositories?: readonly string[];
  /** What it does to the world outside of the machine, such as a push. */
  readonly outward?: string;
  /** Pattern proposed for "always"; absent where none is safe. */
  readonly suggestion?: string;
};

/**
 * `files`: any below the directories it works in. `history`: what git keeps of any file. `names`: of git only what files
 * are called, and nothing that is in them.
 */
export type ShownContent = "files" | "history" | "names";

export type RiskyOption = {
  /** As a person would write it in a rule; any of them in the pattern counts as named. */
  readonly spellings: readonly string[];
  readonly why: string;
};

export type FileUse = {
  /** Absolute; undefined when it cannot be known before the command runs. */
  readonly path: string | undefined;
  /** What else the path is, links followed; absent for a plain file. */
  readonly otherNames?: readonly OtherName[];
  /** As written. */
  readonly text: string;
  readonly access: "read" | "write";
  /** The redirection or the program that touches it. */
  readonly by: string;
  /** Shell start-up files, hooks and the like, where a write decides what runs later. */
  readonly isProtected: boolean;
  readonly place: "inside" | "outside";
  /**
   * A word of the command names this existing file, or the text in one does, and nobody knows whether its program reads
   * it. What rules close is closed to it too; that it may be a secret counts only for a word.
   */
  readonly isMentioned?: "word" | "text";
  /** Only what is called and how large it is, is told of it: `tar -t`, `ls`. */
  readonly onlyNames?: true;
};

export type ShellConcern = { readonly text: string; readonly why: string };

/** Never throws and never waits: what it does not understand is `unknown`. */
export type AnalyseShell = (command: string, place: ShellPlace) => ShellAnalysis;
