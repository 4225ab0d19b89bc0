/** `--input-format stream-json`: prompts of one session as they arrive, with a result for each run. */
import type { Failure, Media } from "@kedge/protocol";
import { exitCodes } from "../exit-codes.ts";
import { writeNotice } from "../output.ts";
import { failedResult, type Printing, report } from "./headless-report.ts";
import { type MessageInbox, openInbox } from "./message-inbox.ts";
import { readUserMessages } from "./user-messages.ts";

export type HeadlessConversation = {
  /** Comes before all that is read; its text is empty when there is no such prompt. */
  readonly first: { readonly text: string; readonly attachments: readonly Media[] };
  /** Takes messages for its run from the inbox. Resolves with the exit code that the answer alone would have. */
  readonly runOne: (given: HeadlessConversation["first"], inbox: MessageInbox) => Promise<number>;
  readonly sessionId: string;
  readonly printing: Printing;
  /** Aborted when the user wants to end. */
  readonly signal: AbortSignal;
};

/** Goes on after a failed answer and after a line that is no message; the exit code is that of the first one that failed. */
export async function converseHeadless(conversation: HeadlessConversation): Promise<number> {
  const { first, runOne, signal } = conversation;
  const inbox = openInbox(readUserMessages(process.stdin, signal));
  let { attachments } = first;
  let exitCode: number = exitCodes.success;
  if (first.text !== "") {
    exitCode = await runOne(first, inbox);
    attachments = [];
  }
  for (;;) {
    const message = await inbox.next();
    if (message === undefined || signal.aborted) break;
    let code: number;
    if (message.ok) {
      code = await runOne({ text: message.text, attachments: [...attachments, ...message.attachments] }, inbox);
      attachments = [];
    } else code = refuse(message.sentence, conversation);
    if (exitCode === exitCodes.success) exitCode = code;
  }
  return signal.aborted ? exitCodes.interrupted : exitCode;
}

/** Told as a result as well, so that a program that waits for one is not left alone. */
function refuse(message: string, { sessionId, printing }: HeadlessConversation): number {
  const failure: Failure = { code: "invalid_command", message, retryable: false };
  if (printing.format === "text") writeNotice(message);
  else report(sessionId, failedResult(failure), printing);
  return exitCodes.usage;
}
