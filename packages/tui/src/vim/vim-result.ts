/** What the engine gives back for a key. */

export type VimMode = "normal" | "insert";

/** What the caller has to take over; what is absent stays as it was. */
export type VimResult = {
  /** Otherwise the key goes on to the application and the text widget. */
  readonly consumed: boolean;
  readonly text?: string;
  /** A UTF-16 offset. */
  readonly cursor?: number;
  readonly mode?: VimMode;
  /** The cursor wanted to leave the text over its first or last line. */
  readonly edge?: "up" | "down";
};
