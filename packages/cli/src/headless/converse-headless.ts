/** `--input-format stream-json`: one prompt after the other in the same session, each with a result of its own. */
import type { Failure, Media } from "@kedge/protocol";
import { exitCodes } from "../exit-codes.ts";
import { writeDiagnostic } from "../output.ts";
import { failedResult, type Printing, report } from "./headless-report.ts";
import { readUserMessages } from "./user-messages.ts";

export type HeadlessConversation = {
  /** Comes before all that is read; its text is empty when there is no such prompt. */
  readonly first: { readonly text: string; readonly attachments: readonly Media[] };
  /** Resolves with the exit code that the answer alone would have. */
  readonly runOne: (given: HeadlessConversation["first"]) => Promise<number>;
  readonly sessionId: string;
  readonly printing: Printing;
  /** Aborted when the user wants to end. */
  readonly signal: AbortSignal;
};

/** Goes on after a failed answer and after a line that is no message; the exit code is that of the first one that failed. */
export async function converseHeadless(conversation: HeadlessConversation): Promise<number> {
  const { first, runOne, signal } = conversation;
  let { attachments } = first;
  let exitCode: number = exitCodes.success;
  if (first.text !== "") {
    exitCode = await runOne(first);
    attachments = [];
  }
  for await (const message of readUserMessages(process.stdin, signal)) {
    if (signal.aborted) break;
    let code: number;
    if (message.ok) {
      code = await runOne({ text: message.text, attachments: [...attachments, ...message.attachments] });
      attachments = [];
    } else code = refuse(message.sentence, conversation);
    if (exitCode === exitCodes.success) exitCode = code;
    if (signal.aborted) break;
  }
  return signal.aborted ? exitCodes.interrupted : exitCode;
}

/** Told as a result as well, so that a program that waits for one is not left alone. */
function refuse(message: string, { sessionId, printing }: HeadlessConversation): number {
  const failure: Failure = { code: "invalid_command", message, retryable: false };
  if (printing.format === "text") writeDiagnostic(`kedge: ${message}`);
  else report(sessionId, failedResult(failure), printing);
  return exitCodes.usage;
}
