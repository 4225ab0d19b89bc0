/** The settings about answers that announce work and stop; read at the start, unlike what they are for. */

export type UnexpectedStopSettings = {
  /** `mechanical` only repeats empty answers; `smart` also asks a model. */
  readonly detection: "none" | "mechanical" | "smart";
  /** The session's own without it. */
  readonly model?: string;
  /** Whether asking the user to go on counts as well. */
  readonly questions: boolean;
};

export const unexpectedStopDefaults: UnexpectedStopSettings = { detection: "mechanical", questions: false };
