/** Where the turns of a conversation begin. */
import type { ConversationItem } from "@kedge/protocol";

/**
 * A turn begins with what the user said, or with what came of another branch. Prompts that entered together begin one,
 * and a word in the middle of a run belongs to the turn under way.
 */
export function startsTurn(item: ConversationItem, previous: ConversationItem | undefined): boolean {
  return isOpening(item) && !(previous !== undefined && isOpening(previous));
}

function isOpening(item: ConversationItem): boolean {
  switch (item.type) {
    case "prompt":
      return item.form === "prompt";
    case "record":
      return item.kind === "branch-summary";
    case "reminder":
    case "answer":
    case "results":
    case "report":
    case "compaction":
      return false;
  }
}
