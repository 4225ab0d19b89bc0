/** Sentences about what happened, in the words of the whole program. */
import type { Failure, FileChange } from "@kedge/protocol";

export function failureText({ message, recovery }: Failure): string {
  return recovery === undefined ? message : `${message} ${recovery}`;
}

const filesMax = 8;

export function changesText(files: readonly FileChange[]): string {
  if (files.length === 0) return "No file had to be changed.";
  const shown = files.slice(0, filesMax).map(({ path, status }) => `${status} ${path}`);
  const more = files.length > filesMax ? [`and ${files.length - filesMax} more`] : [];
  return `${files.length === 1 ? "1 file" : `${files.length} files`}: ${[...shown, ...more].join(", ")}.`;
}

export const notReady: Failure = {
  code: "session_busy",
  message: "The engine is not ready yet.",
  recovery: "Try again in a moment.",
  retryable: true,
};

export function engineGone(message: string): Failure {
  return {
    code: "connection_error",
    message,
    recovery: "kedge --continue goes on with what is stored.",
    retryable: false,
  };
}
