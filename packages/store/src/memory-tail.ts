/** The records of all sessions in the order they were stored, for the store in memory. */
import type { Store } from "@kedge/protocol";
import { journalRow, recordFromRow, type StoredRow } from "./chain.ts";

export type StoredAt = { readonly sessionId: string; readonly seq: number };

type Tail = Pick<Store, "tail" | "tailRows" | "lastPosition" | "positionOf" | "positionBefore">;

/** `order` has the place of every record that was stored; the first one has position 1. */
export function createMemoryTail(order: readonly StoredAt[], rowAt: (at: StoredAt) => StoredRow): Tail {
  return {
    async *tail(afterPosition, sessionId) {
      for (let index = afterPosition; index < order.length; index += 1) {
        const at = order[index];
        if (at === undefined || (sessionId !== undefined && at.sessionId !== sessionId)) continue;
        yield { position: index + 1, record: recordFromRow(at.sessionId, rowAt(at)) };
      }
    },

    async *tailRows(afterPosition) {
      for (let index = afterPosition; index < order.length; index += 1) {
        const at = order[index];
        if (at !== undefined) yield { position: index + 1, sessionId: at.sessionId, row: journalRow(rowAt(at)) };
      }
    },

    async lastPosition() {
      return order.length;
    },

    async positionOf(sessionId, seq) {
      return 1 + order.findLastIndex((at) => at.sessionId === sessionId && at.seq <= seq);
    },

    async positionBefore(known) {
      const missing = order.findIndex(({ sessionId, seq }) => seq > (known.get(sessionId) ?? 0));
      return missing === -1 ? order.length : missing;
    },
  };
}
