/** Where one can go back to: the prompts on the way to the leaf, with how many files were changed since. */
import type { MessageView } from "@kedge/protocol";
import { messageText } from "./message-text.ts";
import type { RewindPoint } from "./rewind-dialog.ts";
import { pathIds } from "./tree-rows.ts";

/** The newest first. Without a leaf the last message is taken for it. */
export function rewindPointsOf(messages: readonly MessageView[], leafId?: string): readonly RewindPoint[] {
  const placed = messages.filter(({ isQueued }) => isQueued !== true);
  const byId = new Map(placed.map((message) => [message.id, message]));
  const changed = new Set<string>();
  const points: RewindPoint[] = [];
  // From the leaf to the root, so that what was changed after a prompt is known when it is reached.
  for (const id of pathIds(byId, leafId ?? placed.at(-1)?.id)) {
    const message = byId.get(id);
    if (message === undefined) continue;
    for (const part of message.parts) {
      if (part.type === "patch") for (const { path } of part.files) changed.add(path);
    }
    const isPrompt = message.role === "user" && !message.parts.some(({ type }) => type === "compaction");
    const label = isPrompt ? messageText(message) : undefined;
    if (label === undefined) continue;
    points.push({ id, label, time: message.createdAt, files: changed.size });
  }
  return points;
}
