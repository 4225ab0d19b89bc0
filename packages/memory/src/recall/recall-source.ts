/** Shows recalled topics with the next step, whenever they are found; nothing waits for them. */
import type { ContextBlock, ContextSource, SessionState } from "@kedge/protocol";

export const recallSourceName = "recalled notes";

export interface RecalledNotes {
  /** One for all sessions. */
  readonly source: ContextSource;
  /** Shown with the next step of this session, beside what was not shown yet. */
  offer(state: Readonly<SessionState>, blocks: readonly ContextBlock[]): void;
  /** Those that the model still sees, or will see with the next step. */
  surfaced(state: Readonly<SessionState>): ReadonlySet<string>;
  /** Of everything that was offered to this session. */
  bytes(state: Readonly<SessionState>): number;
  /** Another prompt: what is found for it may be shown. */
  begin(sessionId: string): void;
  /** A plugin remembers in our place: nothing that waits or is still found is shown until the next prompt. */
  replace(sessionId: string): void;
}

const none: readonly ContextBlock[] = [];

export function createRecalledNotes(): RecalledNotes {
  // Gone with the session, whenever that is closed.
  const offered = new WeakMap<object, { readonly blocks: readonly ContextBlock[]; readonly bytes: number }>();
  const replaced = new Set<string>();
  const bytes = (state: object) => offered.get(state)?.bytes ?? 0;
  return {
    source: {
      name: recallSourceName,
      kind: "data",
      place: "turn",
      read({ state, shown }) {
        const known = offered.get(state);
        if (known === undefined || known.blocks.length === 0) return none;
        if (replaced.has(state.sessionId)) {
          offered.set(state, { ...known, blocks: none });
          return none;
        }
        const blocks = known.blocks.filter(({ origin, hash }) => shown(origin) !== hash);
        offered.set(state, { ...known, blocks });
        return blocks;
      },
    },
    offer(state, blocks) {
      const added = blocks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      const waiting = offered.get(state)?.blocks ?? none;
      const others = waiting.filter(({ origin }) => !blocks.some((block) => block.origin === origin));
      offered.set(state, { blocks: [...others, ...blocks], bytes: bytes(state) + added });
    },
    surfaced(state) {
      const waiting = offered.get(state)?.blocks ?? none;
      const seen = state.items.flatMap((item) =>
        item.type === "reminder" && item.sent?.source === recallSourceName ? [item.sent.origin] : [],
      );
      return new Set([...seen, ...waiting.map(({ origin }) => origin)]);
    },
    bytes,
    begin: (sessionId) => void replaced.delete(sessionId),
    replace: (sessionId) => void replaced.add(sessionId),
  };
}
