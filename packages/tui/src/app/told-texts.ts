/** Sentences about what happened, in the words of the whole program. */
import type { Failure, FileChange } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import type { OpenRequest } from "../state/client-state.ts";

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

const watchedCharactersMax = 200;

/** What is asked of somebody else, for one who may not answer it. */
export function watchText(request: OpenRequest): string {
  if (request.kind === "question") {
    const asked = shortLine(request.questions.map(({ question }) => question).join(" "));
    return `The model asks: ${asked} You may only watch: your token may not answer.`;
  }
  const { tool, patterns } = request.request;
  const wanted = shortLine(patterns.join(", "));
  return `${cleanLine(tool)} needs permission: ${wanted}. You may only watch: your token may not approve.`;
}

function shortLine(text: string): string {
  const line = cleanLine(text);
  return line.length <= watchedCharactersMax ? line : `${line.slice(0, watchedCharactersMax)}…`;
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
