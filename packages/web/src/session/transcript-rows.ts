/** The conversation as rows of a list: messages, and what kedge itself told between them. */
import type { MessageView } from "@kedge/protocol";
import type { Notice } from "@kedge/tui/session";

export type TranscriptRow =
  | { readonly kind: "message"; readonly key: string; readonly message: MessageView }
  | { readonly kind: "notice"; readonly key: string; readonly notice: Notice };

/** A notice stands behind the message that was the last one when it was told; prompts that wait stay at the end. */
export function transcriptRows(messages: readonly MessageView[], notices: readonly Notice[]): readonly TranscriptRow[] {
  const ids = new Set(messages.map(({ id }) => id));
  const isThere = (id: string | undefined) => id !== undefined && ids.has(id);
  const placed = Map.groupBy(
    notices.filter(({ isSaidByMessage, afterMessageId }) => isSaidByMessage !== true || !isThere(afterMessageId)),
    ({ afterMessageId, orAfterMessageId }) => [afterMessageId, orAfterMessageId].find(isThere),
  );
  const noticeRows = (id: string | undefined): readonly TranscriptRow[] =>
    (placed.get(id) ?? []).map((notice) => ({ kind: "notice", key: notice.id, notice }));
  const said = messages.filter(({ isQueued }) => isQueued !== true);
  const waiting = messages.filter(({ isQueued }) => isQueued === true);
  const rows = said.flatMap((message) => [messageRow(message), ...noticeRows(message.id)]);
  // Those without a message before them were told first, unless the message has left the conversation.
  const loose = noticeRows(undefined);
  const isFirst = ({ notice }: { readonly notice: Notice }) => notice.afterMessageId === undefined;
  const first = loose.filter((row) => row.kind === "notice" && isFirst(row));
  const last = loose.filter((row) => row.kind === "notice" && !isFirst(row));
  return [...first, ...rows, ...last, ...waiting.map(messageRow)];
}

function messageRow(message: MessageView): TranscriptRow {
  return { kind: "message", key: message.id, message };
}
