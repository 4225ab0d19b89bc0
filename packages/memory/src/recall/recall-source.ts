/** Shows recalled topics with the next step, whenever they are found; nothing waits for them. */
import type { ContextBlock, ContextSource, SessionState } from "@kedge/protocol";

export const recallSourceName = "recalled notes";

export interface RecalledNotes {
  /** One for all sessions. */
  readonly source: ContextSource;
  /** From now on shown in this session, in the place of those before; what was said stays said. */
  offer(sessionId: string, blocks: readonly ContextBlock[]): void;
  /** Those that the model has seen and still sees. */
  surfaced(state: Readonly<SessionState>): ReadonlySet<string>;
  /** Of everything that was offered to this session. */
  bytes(sessionId: string): number;
  forget(sessionId: string): void;
}

const none: readonly ContextBlock[] = [];

export function createRecalledNotes(): RecalledNotes {
  const offered = new Map<string, { readonly blocks: readonly ContextBlock[]; readonly bytes: number }>();
  const bytes = (sessionId: string) => offered.get(sessionId)?.bytes ?? 0;
  return {
    source: {
      name: recallSourceName,
      kind: "data",
      place: "turn",
      read: ({ state }) => offered.get(state.sessionId)?.blocks ?? none,
    },
    offer(sessionId, blocks) {
      const added = blocks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      offered.set(sessionId, { blocks, bytes: bytes(sessionId) + added });
    },
    surfaced: ({ items }) =>
      new Set(
        items.flatMap((item) =>
          item.type === "reminder" && item.sent?.source === recallSourceName ? [item.sent.origin] : [],
        ),
      ),
    bytes,
    forget: (sessionId) => void offered.delete(sessionId),
  };
}
