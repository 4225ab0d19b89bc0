/** The settings of `bash` with their usual values. */

export type BashSettings = {
  /** The longest time in seconds that a call may ask for. */
  readonly maxTimeout: number;
  /** Moves a command to the background that has run for so long. */
  readonly autoBackground: { readonly enabled: boolean; readonly thresholdMs: number };
  /** What becomes of a command whose time is up; it moves to the background only in interactive sessions. */
  readonly timeoutAction: "end" | "background";
  /** Put before every command, and shown; nothing if empty. */
  readonly prefix: string;
  /** Leaves out what programs print about their progress. */
  readonly minimizer: boolean;
  /** Leaves out a final `head` or `tail`, because the result shows both ends anyhow. */
  readonly stripTrailingHeadTail: boolean;
};

export const bashSettingsDefault: BashSettings = {
  maxTimeout: 600,
  autoBackground: { enabled: false, thresholdMs: 60_000 },
  timeoutAction: "end",
  prefix: "",
  minimizer: true,
  stripTrailingHeadTail: true,
};

/** No setting lets a call wait longer. */
export const timeoutLimitSeconds = 3_600;
export const timeoutDefaultSeconds = 120;
