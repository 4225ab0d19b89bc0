/** Sentences of kedge itself between the messages: each stands behind the message that was the last one when it was told. */
import type { ClientState, Notice } from "../state/client-state.ts";
import type { StateStore } from "../state/state-store.ts";

export type TellNotice = (tone: Notice["tone"], text: string, options?: Pick<Notice, "isSaidByMessage">) => void;

export function createNotices(store: StateStore<ClientState>): TellNotice {
  let count = 0;
  return (tone, text, options = {}) => {
    count += 1;
    const id = `notice-${count}`;
    store.update((before) => {
      const last = before.messages.findLast(({ isQueued }) => isQueued !== true);
      const place = {
        ...(last !== undefined && { afterMessageId: last.id }),
        ...(last?.treeParent !== undefined && { orAfterMessageId: last.treeParent }),
      };
      const made: Notice = { id, tone, text, ...place, ...options };
      const kept =
        tone === "success" ? before.notices.filter((notice) => !isOvercome(notice, made, before)) : before.notices;
      return { ...before, notices: [...kept, made] };
    });
  };
}

/** What the user tried again with success: an error at the same place, or at one that is gone by now. */
function isOvercome(notice: Notice, success: Notice, { messages }: ClientState): boolean {
  if (notice.tone !== "error") return false;
  const { afterMessageId } = notice;
  return afterMessageId === success.afterMessageId || !messages.some(({ id }) => id === afterMessageId);
}
