/** What is shown of the selected session below the list: when, how much, and what was said last. */

import type { MessagePage, MessageView, SessionSummary } from "@kedge/protocol";
import { cleanLine } from "../../screen/clean-text.ts";
import { cutText } from "../../screen/cut-text.ts";
import { sessionTexts } from "../../texts/dialogs.ts";
import type { PickerPage } from "../list/picker-dialog.ts";
import { localTimeText } from "../text/local-time.ts";
import { messageText } from "./message-text.ts";

/** The newest messages of a session; undefined while they are asked for. */
export type SessionPreview = (sessionId: string) => MessagePage | undefined;

/** Always as many, so that the list does not jump. */
export function previewLines(
  session: SessionSummary,
  page: MessagePage | undefined,
  { width, theme, now }: PickerPage & { readonly now: number },
): readonly string[] {
  const { separator, ellipsis } = theme.symbols;
  const head = [localTimeText(session.updatedAt, now), ...countTexts(page), cleanLine(session.model)];
  const prompt = lastText(page, "user");
  const answer = lastText(page, "assistant");
  const cut = (text: string) => cutText(text, width, ellipsis);
  return [
    "",
    theme.fg("muted", cut(head.filter(Boolean).join(` ${separator} `))),
    theme.fg("text", cut(prompt === "" ? "" : `${theme.symbols.prompt} ${prompt}`)),
    theme.fg("dim", cut(answer === "" ? "" : `  ${answer}`)),
  ];
}

function countTexts(page: MessagePage | undefined): readonly string[] {
  if (page === undefined) return [];
  const count = page.messages.length;
  if (page.before !== undefined) return [sessionTexts.messagesAtLeast(count)];
  return [sessionTexts.messages(count)];
}

function lastText(page: MessagePage | undefined, role: MessageView["role"]): string {
  const spoken = page?.messages.findLast((message) => message.role === role && messageText(message) !== undefined);
  return spoken === undefined ? "" : (messageText(spoken) ?? "");
}
