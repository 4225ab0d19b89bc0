/**
 * Keeps a server that floods kedge from keeping it busy: beyond a number a second its notices are passed over, and so are
 * its requests, whose answers would pile up in front of a server that never reads them.
 */
import { isJsonObject } from "@kedge/protocol";

const perSecondMax = 100;

/**
 * True for a message that is to be read. Answers always are. `readLater` is called for one that may not be lost: that a
 * list changed is told once, behind however many words of a log.
 */
export type IsRead = (message: unknown, readLater: () => void) => boolean;

export function createFloodGuard(onFlood: () => void): IsRead {
  const left = { notices: perSecondMax, requests: perSecondMax };
  /** By method: of a thousand such notices one is enough. */
  const kept = new Map<string, () => void>();
  let isCounting = false;

  function begin(): void {
    isCounting = false;
    left.notices = perSecondMax;
    left.requests = perSecondMax;
    const late = [...kept.values()];
    kept.clear();
    for (const read of late) {
      try {
        read();
      } catch {
        // It only had the name of such a notice.
      }
    }
  }

  return (message, readLater) => {
    if (!isJsonObject(message) || !("method" in message)) return true;
    const { method } = message;
    const kind = "id" in message ? "requests" : "notices";
    if (!isCounting) setTimeout(begin, 1_000).unref();
    isCounting = true;
    left[kind] -= 1;
    if (left[kind] === -1) onFlood();
    if (left[kind] >= 0) return true;
    if (kind === "notices" && typeof method === "string" && lists.has(method)) kept.set(method, readLater);
    return false;
  };
}

const lists: ReadonlySet<string> = new Set(
  ["tools", "prompts", "resources"].map((list) => `notifications/${list}/list_changed`),
);
