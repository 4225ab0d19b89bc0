/** A line that the user typed for the shell, and what becomes of it. */
import type { UserShellEnd } from "@kedge/tools";

export type ShellLine = {
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
};

/** Runs it as it is, unasked, and unseen by the model. */
export type RunShellLine = (command: string, line: ShellLine) => Promise<UserShellEnd>;
