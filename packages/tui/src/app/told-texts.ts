/** Sentences about what happened, in the words of the whole program. */
import { type Failure, type FileChange, namedInQuestion, permissionQuestion } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import type { OpenRequest } from "../state/client-state.ts";

export function failureText({ message, recovery }: Failure): string {
  return recovery === undefined ? message : `${message} ${recovery}`;
}

const filesMax = 8;

export function changesText(files: readonly FileChange[]): string {
  if (files.length === 0) return "no files changed";
  const shown = files.slice(0, filesMax).map(({ path, status }) => `${path} (${status})`);
  const more = files.length > filesMax ? [`and ${files.length - filesMax} more`] : [];
  return `${files.length === 1 ? "1 file" : `${files.length} files`} changed: ${[...shown, ...more].join(", ")}`;
}

const watchedCharactersMax = 200;

/** What is asked of somebody else, for one who may not answer it. */
export function watchText(request: OpenRequest): string {
  if (request.kind === "question") {
    const asked = shortLine(request.questions.map(({ question }) => question).join(" "));
    return `The model asks: ${asked} View only: your token does not allow answers.`;
  }
  const question = cleanLine(permissionQuestion(request.request));
  const wanted =
    namedInQuestion(request.request) === undefined ? ` ${shortLine(request.request.patterns.join(", "))}.` : "";
  return `${question}${wanted} View only: your token does not allow approvals.`;
}

function shortLine(text: string): string {
  const line = cleanLine(text);
  return line.length <= watchedCharactersMax ? line : `${line.slice(0, watchedCharactersMax)}…`;
}

export const notReady: Failure = {
  code: "session_busy",
  message: "The engine is still starting.",
  recovery: "Try again in a moment.",
  retryable: true,
};

export function engineGone(message: string): Failure {
  return {
    code: "connection_error",
    message,
    recovery: "Resume with kedge --continue.",
    retryable: false,
  };
}
