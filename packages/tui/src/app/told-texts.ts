/** Sentences about what happened, in the words of the whole program. */

import { type Failure, type FileChange, namedInQuestion, permissionQuestion } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import type { OpenRequest } from "../state/client-state.ts";
import { noticeTexts } from "../texts/conversation.ts";

export function failureText({ message, recovery }: Failure): string {
  return recovery === undefined ? message : `${message} ${recovery}`;
}

const filesMax = 8;

export function changesText(files: readonly FileChange[]): string {
  if (files.length === 0) return noticeTexts.noFilesChanged;
  const shown = files.slice(0, filesMax).map(({ path, status }) => `${path} (${status})`);
  const more = files.length > filesMax ? [noticeTexts.andMore(files.length - filesMax)] : [];
  return noticeTexts.filesChanged({ count: files.length, names: [...shown, ...more].join(", ") });
}

const watchedCharactersMax = 200;

/** What is asked of somebody else, for one who may not answer it. */
export function watchText(request: OpenRequest): string {
  if (request.kind === "question") {
    const asked = shortLine(request.questions.map(({ question }) => question).join(" "));
    return `${noticeTexts.modelAsks(asked)} ${noticeTexts.cannotAnswer}`;
  }
  const question = cleanLine(permissionQuestion(request.request));
  const wanted =
    namedInQuestion(request.request) === undefined ? ` ${shortLine(request.request.patterns.join(", "))}.` : "";
  return `${question}${wanted} ${noticeTexts.cannotApprove}`;
}

function shortLine(text: string): string {
  const line = cleanLine(text);
  return line.length <= watchedCharactersMax ? line : `${line.slice(0, watchedCharactersMax)}…`;
}

export const notReady: Failure = {
  code: "session_busy",
  message: noticeTexts.engineStarting,
  recovery: noticeTexts.tryAgain,
  retryable: true,
};

export function engineGone(message: string): Failure {
  return {
    code: "connection_error",
    message,
    recovery: noticeTexts.resumeLater,
    retryable: false,
  };
}
