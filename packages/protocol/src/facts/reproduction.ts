/** Reproductions of bugs: a file that fails before the fix and passes after it, and what kedge itself saw of that. */

/**
 * `unproven`: not seen to fail as announced. `fails-before`: failed three times on the clean base commit.
 * `proven`: the same file then passed three times with the fix. `broken`: it was changed meanwhile, or fails again.
 */
export const reproductionStates = ["unproven", "fails-before", "proven", "broken"] as const;

export type ReproductionState = (typeof reproductionStates)[number];

export type ReproductionRun = {
  /** Null for a run that a signal or its timeout ended. */
  readonly exitCode: number | null;
  /** SHA-256 of everything it printed. */
  readonly digest: string;
};

export type Reproduction = {
  readonly id: string;
  readonly state: ReproductionState;
  /** What the user reported. */
  readonly issue: string;
  /** The task that cannot be completed before: the id of a shared task, or the text of a todo. */
  readonly task?: string;
  /** Relative to the root of the repository. */
  readonly file?: string;
  /** SHA-256 of the file when it failed. */
  readonly fileDigest?: string;
  readonly command?: string;
  /** How it must fail, named in advance: a part of the output, or `exit N`. */
  readonly signature?: string;
  /** The commit it failed on. */
  readonly base?: string;
  readonly before: readonly ReproductionRun[];
  readonly after: readonly ReproductionRun[];
  /** Why it is not further. */
  readonly why?: string;
};
