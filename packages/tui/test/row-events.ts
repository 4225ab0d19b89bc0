/** Messages as the engine tells of them: the row, then each part. */
import type { MessageView, ViewEvent } from "@kedge/protocol";

/** One after the other in the tree. */
export function rowEvents(...messages: readonly MessageView[]): readonly ViewEvent[] {
  return messages.flatMap(({ parts, ...row }, index): readonly ViewEvent[] => {
    const treeParent = row.treeParent ?? messages[index - 1]?.id;
    const message = { ...row, ...(treeParent !== undefined && { treeParent }) };
    const { completedAt: _, ...begun } = message;
    return [
      { type: "message.updated", message: message.role === "assistant" ? begun : message },
      ...parts.map((part) => ({ type: "message.part.updated" as const, part })),
      { type: "message.updated", message },
    ];
  });
}
