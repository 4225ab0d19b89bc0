/** Which messages of a session's tree a reader follows, and which belong to other branches. */
import type { MessageView } from "@kedge/protocol";

export type MessagePath = {
  /** From the root to the leaf. */
  readonly path: readonly MessageView[];
  readonly others: readonly MessageView[];
};

/** Holds the whole session, because only its last message tells which of the first ones lead to it. */
export async function collectPath(
  messages: AsyncIterable<MessageView>,
  leafId: string | undefined,
): Promise<MessagePath> {
  const collected: MessageView[] = [];
  // A prompt that the model has not seen yet is no part of any conversation.
  for await (const message of messages) if (!message.isQueued) collected.push(message);
  return followPath(collected, leafId);
}

/** The leaf may name an item of a message, such as the results of its calls; without one the last message is it. */
function followPath(messages: readonly MessageView[], leafId: string | undefined): MessagePath {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const leaf = leafId === undefined ? undefined : (byId.get(leafId) ?? byId.get(leafId.split(".")[0] ?? ""));
  const taken = new Set<MessageView>();
  for (let at = leaf ?? messages.at(-1); at !== undefined && !taken.has(at); at = byId.get(at.treeParent ?? "")) {
    taken.add(at);
  }
  return { path: messages.filter((each) => taken.has(each)), others: messages.filter((each) => !taken.has(each)) };
}
