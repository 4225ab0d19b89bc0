/** What makes a command insist: words that override a check, a question or a permission. */

export type OverrideOption = {
  readonly word: RegExp;
  /** Gentler words in whose place it stands. */
  readonly insteadOf?: readonly string[];
};

export const overrideOptions: readonly OverrideOption[] = [
  { word: /^--force(?:-[\w-]+)?$/, insteadOf: ["--force-with-lease"] },
  { word: /^-f$/ },
  { word: /^-D$/, insteadOf: ["-d", "--delete"] },
  { word: /^--hard$/, insteadOf: ["--soft", "--mixed", "--keep", "--merge"] },
  { word: /^--no-verify$/ },
  { word: /^(?:--yes|-y|--assume-yes)$/ },
  { word: /^--allow-[\w-]+$/ },
];

/** Programs that run the rest of the line with more rights. */
export const raisingPrograms: ReadonlySet<string> = new Set(["sudo", "doas"]);

/** Changes who may do what; before a repetition it is an override. */
export const rightsPrograms: ReadonlySet<string> = new Set(["chmod"]);
