/** What the judge is asked, what it knows, and the single things it decides about. */
import type {
  AnalyseShell,
  LookAtPath,
  Need,
  PermissionMode,
  PermissionRule,
  RiskyOption,
  RuleSet,
} from "@kedge/protocol";
import type { LookHold } from "./plain-looks.ts";

export type JudgeCall = {
  readonly tool: string;
  readonly needs: readonly Need[];
  readonly readOnly: boolean;
  /** Absolute; relative patterns and paths start here. */
  readonly cwd: string;
};

export type JudgeContext = {
  /** Rules of every source but the session's own grants. */
  readonly rules: readonly RuleSet[];
  /** What the user granted until the session ends. */
  readonly grants: readonly PermissionRule[];
  readonly mode: PermissionMode;
  readonly lookAtPath: LookAtPath;
  /** The worktree root that path rules are relative to; the working directory when left out. */
  readonly root?: string;
  readonly home?: string;
  readonly kedgeHome?: string;
  /** True where the file system does not distinguish case; holds for paths only. */
  readonly ignorePathCase?: boolean;
  /** Without it no command is understood. */
  readonly analyseShell?: AnalyseShell;
  /** A write there affects what runs later. */
  readonly isProtected?: (path: string) => boolean;
  /** Commands cannot write outside of the workspace nor reach the network, and may run unasked for that reason. */
  readonly isSandboxed?: boolean;
  /** Commands that only look run where they cannot act; without this only those of a short list run unasked. */
  readonly confinesLooks?: boolean;
  /** Only the rules and the meaning of the command count: no secrets, no defaults. For those who try out rules. */
  readonly isTrial?: boolean;
};

/** Why something asks although rules allow it. */
export type Floor = {
  /**
   * A concern or an unknown gives way to the bypass mode or to a rule that spells out the command; a guard never. What
   * nobody has reviewed gives way to the same mode or to a rule that spells out its version.
   */
  readonly kind: "concern" | "unknown" | "unreviewed" | "guard";
  readonly why: string;
};

export type Subject = {
  /** Canonical. */
  readonly permission: string;
  /** The string as the tool stated it, which a person is shown. */
  readonly stated: string;
  /** The forms that rules are matched against; one match is enough. */
  readonly spellings: readonly string[];
  /** Those that grants of the session are matched against, which are spelled as calls spell: from where they run. */
  readonly grantSpellings?: readonly string[];
  /** Only for bash: texts on which deny and ask rules are tried as well. */
  readonly commandTexts: readonly string[];
  /** Rules are tried at every word of those texts. */
  readonly isRaw?: true;
  /** Only for bash: all of the text that runs. */
  readonly whole?: string;
  /** The part of the text that is known before it runs; all of it without this. */
  readonly certain?: string;
  /** An allow rule must name each of them. */
  readonly riskyOptions?: readonly RiskyOption[];
  /** What it starts is judged in its place. */
  readonly isTransparent?: true;
  /** It only looks; this is how it is held. */
  readonly look?: LookHold;
  /** It comes upon files that rules may close: even where a rule allows it, it runs where those are hidden. */
  readonly needsView?: true;
  /** Directories of repositories of which it may show what git keeps. */
  readonly histories?: readonly string[];
  /** It shows what files are called, and nothing that is in them. */
  readonly onlyNames?: true;
  /** Permitted along with something else, unless a rule speaks of it. */
  readonly isCovered?: true;
  readonly outward?: string;
  readonly floor?: Floor;
  /** Patterns proposed for "always"; empty when it cannot be offered. */
  readonly always: readonly string[];
  readonly path?: string;
  readonly place?: "inside" | "outside";
};
