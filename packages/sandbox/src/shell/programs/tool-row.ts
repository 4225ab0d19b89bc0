/** What a table says about a program with sub-commands. */
import type { OptionTable } from "./option-set.ts";

export type ToolRow = {
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
  /** Sub-commands that start the command in their words: options that they take, operands before the command. */
  readonly runs?: Readonly<Record<string, { readonly options?: OptionTable; readonly skips?: number }>>;
  /** Other names of sub-commands. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Kept words of an "always" pattern where it is not program and sub-command. */
  readonly suggestedWords?: Readonly<Record<string, number>>;
};
