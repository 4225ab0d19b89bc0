/** The order in which messages and notices stand on the screen. */
import type { MessageView } from "@kedge/protocol";
import type { Notice } from "../state/client-state.ts";
import type { Item } from "./section.ts";

/** A notice whose message is gone stands at the end: it is newer than what is left. */
export function orderItems(messages: readonly MessageView[], notices: readonly Notice[]): readonly Item[] {
  if (notices.length === 0) return messages;
  const known = new Set(messages.map(({ id }) => id));
  const first: Notice[] = [];
  const last: Notice[] = [];
  const behind = new Map<string, Notice[]>();
  for (const notice of notices) {
    const { afterMessageId } = notice;
    if (afterMessageId === undefined) first.push(notice);
    else if (!known.has(afterMessageId)) last.push(notice);
    else {
      const list = behind.get(afterMessageId);
      if (list === undefined) behind.set(afterMessageId, [notice]);
      else list.push(notice);
    }
  }
  return [...first, ...messages.flatMap((message) => [message, ...(behind.get(message.id) ?? [])]), ...last];
}
