/** A store that notices damage while it is used: the next start is told to rescue the database, and the user is told to start again. */
import { FailureError, type Store } from "@kedge/protocol";
import { RecordDamaged } from "../read-row.ts";
import { failure } from "../storage-failure.ts";

export type DamageWatch = {
  readonly path: string;
  readonly isDamage: (error: unknown) => boolean;
  /** Leaves the mark for the next start. */
  readonly onDamage: () => void;
  /** Closes a session's torn end, before it is written for the first time. */
  readonly beforeWriting: (sessionId: string) => void;
};

/** Looked through when an error says nothing about the session that it came from. */
const sessionsMax = 1_000;

export function watchDamage(store: Store, { path, isDamage, onDamage, beforeWriting }: DamageWatch): Store {
  const taken = new Set<string>();

  async function noticed(error: unknown, sessionId?: string): Promise<unknown> {
    const cause = error instanceof FailureError ? error.cause : error;
    const isBug = !(error instanceof FailureError) && !isDamage(error);
    const isDamaged = error instanceof RecordDamaged || isDamage(cause) || (isBug && (await hasChanged(sessionId)));
    if (!isDamaged) return error;
    onDamage();
    const message = error instanceof RecordDamaged ? error.failure.message : `${path} is damaged.`;
    return new FailureError(failure(message, "Restart kedge to recover everything that can be read."), error);
  }

  /** Records are not checked when they are read; one that was changed may trip up whoever takes it for what it was. */
  async function hasChanged(sessionId: string | undefined): Promise<boolean> {
    const sessions = sessionId === undefined ? await store.sessions({ limit: sessionsMax }) : [{ sessionId }];
    for (const session of sessions) {
      const { valid, tampered } = await store.verify(session.sessionId);
      // What somebody wrote in the right form can be read as it is, and a rescue would not mend it.
      if (!valid && !tampered) return true;
    }
    return false;
  }

  async function guarded<Result>(work: () => Promise<Result>, sessionId?: string): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw await noticed(error, sessionId);
    }
  }

  return {
    ...store,
    append: (sessionId, facts, options) => guarded(() => store.append(sessionId, facts, options), sessionId),
    async *read(sessionId, afterSeq) {
      let isOver = false;
      try {
        yield* store.read(sessionId, afterSeq);
        isOver = true;
      } catch (error) {
        isOver = true;
        throw await noticed(error, sessionId);
      } finally {
        // Whoever stops early may have been tripped up; what it was told cannot be changed any more.
        if (!isOver && (await hasChanged(sessionId))) onDamage();
      }
    },
    fold: (state) => guarded(() => store.fold(state), state.sessionId),
    keepState: (state) => guarded(() => store.keepState(state), state.sessionId),
    sessions: (filter) => guarded(() => store.sessions(filter)),
    session: (sessionId) => guarded(() => store.session(sessionId), sessionId),
    signHead: (sessionId) => guarded(() => store.signHead(sessionId), sessionId),
    unlistedChains: () => guarded(() => store.unlistedChains()),
    catchUp: (sessionId) => guarded(() => store.catchUp(sessionId), sessionId),
    sessionView: (sessionId) => guarded(() => store.sessionView(sessionId), sessionId),
    keptView: (sessionId) => guarded(() => store.keptView(sessionId), sessionId),
    messages: (sessionId, page) => guarded(() => store.messages(sessionId, page), sessionId),
    search: (query) => guarded(() => store.search(query), query.sessionId),
    verify: (sessionId) => guarded(() => store.verify(sessionId)),
    acquireLease: (sessionId, holder) =>
      guarded(async () => {
        const outcome = await store.acquireLease(sessionId, holder);
        if (outcome.ok && !taken.has(sessionId)) {
          taken.add(sessionId);
          beforeWriting(sessionId);
        }
        return outcome;
      }),
    releaseLease(sessionId, boot) {
      taken.delete(sessionId);
      return guarded(() => store.releaseLease(sessionId, boot));
    },
  };
}
