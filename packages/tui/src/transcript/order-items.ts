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
    const { afterMessageId, orAfterMessageId, isSaidByMessage } = notice;
    const place = [afterMessageId, orAfterMessageId].find((id) => id !== undefined && known.has(id));
    // What became of an answer is no news once its prompt is gone as well.
    if (isSaidByMessage && (place === undefined || place === afterMessageId)) continue;
    if (afterMessageId === undefined) first.push(notice);
    else if (place === undefined) last.push(notice);
    else {
      const list = behind.get(place);
      if (list === undefined) behind.set(place, [notice]);
      else list.push(notice);
    }
  }
  return [...first, ...messages.flatMap((message) => [message, ...(behind.get(message.id) ?? [])]), ...last];
}
