/** Sessions as clients see them: folded when they are first asked for, then brought up to date by what is new. */
import { applyToView, emptyView, type SessionView, type Store, type ViewState } from "@kedge/protocol";

/** Each takes memory for every message of its session, though none for texts. */
const viewsKeptMax = 32;

export interface SessionViews {
  /** Undefined when there is no such session, or only what is left of a deleted one. */
  read(sessionId: string): Promise<SessionView | undefined>;
}

export function createSessionViews(store: Pick<Store, "read" | "session">): SessionViews {
  /** The one that was asked for last comes last. */
  const views = new Map<string, { readonly view: ViewState; turn: Promise<unknown> }>();

  function viewOf(sessionId: string) {
    const kept = views.get(sessionId) ?? { view: emptyView(sessionId), turn: Promise.resolve() };
    views.delete(sessionId);
    views.set(sessionId, kept);
    const [oldest] = views.keys();
    if (views.size > viewsKeptMax && oldest !== undefined) views.delete(oldest);
    return kept;
  }

  async function catchUp(view: ViewState): Promise<void> {
    for await (const record of store.read(view.sessionId, view.skeleton.lastSeq)) applyToView(view, record);
  }

  return {
    async read(sessionId) {
      if ((await store.session(sessionId)) === undefined) {
        views.delete(sessionId);
        return undefined;
      }
      const kept = viewOf(sessionId);
      // One after the other: two at once would apply the same record twice.
      kept.turn = kept.turn.then(
        () => catchUp(kept.view),
        () => catchUp(kept.view),
      );
      await kept.turn;
      return kept.view.session;
    },
  };
}
