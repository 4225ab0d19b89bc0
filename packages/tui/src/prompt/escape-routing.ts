/** Who is meant by Escape. */

export type EscapeSituation = {
  readonly isDialogOpen: boolean;
  /** The prompt's completions or its search. */
  readonly isPopupOpen: boolean;
  readonly vimMode: "normal" | "insert" | undefined;
  readonly isRunning: boolean;
};

/** `idle` is the Escape that opens the rewind when it comes twice. The prompt is given it even then, to drop half a command. */
export type EscapeTarget = "dialog" | "prompt" | "interrupt" | "idle";

export function escapeTarget({ isDialogOpen, isPopupOpen, vimMode, isRunning }: EscapeSituation): EscapeTarget {
  if (isDialogOpen) return "dialog";
  if (isPopupOpen || vimMode === "insert") return "prompt";
  return isRunning ? "interrupt" : "idle";
}
