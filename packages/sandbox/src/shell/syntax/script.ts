/** The tree that a bash text is read into: as much of the grammar as decides what runs, where, and with which words. */

export type Script = { readonly lists: readonly AndOrList[] };

export type AndOrList = {
  readonly pipelines: readonly JoinedPipeline[];
  readonly isBackground: boolean;
};

export type JoinedPipeline = {
  readonly join: "first" | "and" | "or";
  /** The words `time` and `!` before it, as written; empty for most. */
  readonly prefix: string;
  readonly commands: readonly Command[];
};

export type Command = SimpleCommand | CompoundCommand | FunctionDefinition | Coprocess;

export type SimpleCommand = {
  readonly kind: "simple";
  readonly assignments: readonly AssignmentNode[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
};

export type CompoundCommand = {
  readonly kind: "compound";
  readonly shape: CompoundShape;
  /** Words that are expanded but start nothing themselves: the list of a loop, the patterns of a case. */
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
};

export type CompoundShape =
  | { readonly kind: "group"; readonly body: Script }
  | { readonly kind: "subshell"; readonly body: Script }
  | { readonly kind: "if"; readonly branches: readonly Branch[]; readonly otherwise: Script | undefined }
  /** `while` and `until`. */
  | { readonly kind: "while"; readonly condition: Script; readonly body: Script }
  /** `for` and `select`; the variable is undefined for the arithmetic form. */
  | {
      readonly kind: "for";
      readonly variable: string | undefined;
      /** The variable takes each of the words in turn, which only `for … in` does. */
      readonly takesWords: boolean;
      readonly body: Script;
    }
  | { readonly kind: "case"; readonly bodies: readonly Script[] }
  /** `[[ ]]` and `(( ))`. */
  | { readonly kind: "expression" };

export type Branch = { readonly condition: Script; readonly body: Script };

export type FunctionDefinition = { readonly kind: "function"; readonly name: string; readonly body: Command };

export type Coprocess = { readonly kind: "coprocess"; readonly name: string | undefined; readonly body: Command };

export type AssignmentNode = {
  readonly name: string;
  /** Undefined for an array. */
  readonly value: Word | undefined;
  /** Words inside the subscript and the parentheses of an array. */
  readonly words: readonly Word[];
  /** It is `name=…` and neither `name+=…` nor an element: nothing is left of an earlier value. */
  readonly isWhole: boolean;
};

export type RedirectionOperator = "<" | ">" | ">>" | ">|" | "<>" | ">&" | "<&" | "&>" | "&>>" | "<<<" | "<<";

export type Redirection = {
  readonly operator: RedirectionOperator;
  /** Undefined for the usual one of the operator. */
  readonly descriptor: number | undefined;
  /** The variable of `{name}>`. */
  readonly variable: string | undefined;
  /** The file or descriptor; for here-texts what is read. */
  readonly target: Word;
};

export type Word = {
  readonly parts: readonly WordPart[];
  /** As written. */
  readonly source: string;
  /** A line continuation lies in it, outside of quotes. */
  readonly isContinued: boolean;
};

export type WordPart = TextPart | ExpansionPart;

export type TextPart = { readonly kind: "text"; readonly text: string; readonly isQuoted: boolean };

export type ExpansionPart = {
  readonly kind: "expansion";
  readonly source: string;
  readonly isQuoted: boolean;
  /** The name, when it is `$name` or `${name}` and nothing else. */
  readonly variable: string | undefined;
  /** It stands for the name of a pipe to a command. */
  readonly isProcess: boolean;
  readonly nested: Nested;
};

/** What an expansion does besides giving a text. */
export type Nested = {
  readonly scripts: readonly Script[];
  /** Variables that it sets, as in `${name:=text}`. */
  readonly assigned: readonly string[];
  /** Arithmetic as written: names in it are evaluated and may be set. */
  readonly arithmetic: readonly string[];
  /** Why it may run what cannot be seen. */
  readonly dangers: readonly string[];
};
