/** The right of this process to write a session: taken when it is opened, renewed while it is, given free at its end. */
import { type Failure, FailureError, type SessionState } from "@kedge/protocol";
import type { EngineShared } from "../parts.ts";

export interface SessionLeases {
  /** A failure when another process has the session. */
  take(sessionId: string): Promise<Failure | undefined>;
  /** Until the returned function is called. */
  keep(sessionId: string): () => void;
  /** Gives the session free, in the state in which it is. */
  leave(state: SessionState): Promise<void>;
}

/** A third of a lease's life, so that two renewals may fail before it is lost. */
const leaseRenewalMs = 10_000;

export function createSessionLeases({ store, holder }: Pick<EngineShared, "store" | "holder">): SessionLeases {
  return {
    async take(sessionId) {
      const outcome = await store.acquireLease(sessionId, holder);
      if (outcome.ok) return undefined;
      return {
        code: "session_busy",
        message: `Session ${sessionId} is in use by another kedge process (pid ${outcome.holder.pid}).`,
        recovery: "Close the other one, or continue in a copy with --fork-session.",
        retryable: true,
      };
    },
    keep(sessionId) {
      const renewal = setInterval(() => {
        // A renewal that fails is tried again; a lease that was lost is noticed by the next append.
        store.acquireLease(sessionId, holder).catch(() => undefined);
      }, leaseRenewalMs);
      renewal.unref();
      return () => clearInterval(renewal);
    },
    async leave(state) {
      // What can be derived from facts need not be kept: whatever the disk has, the run has told already.
      await store.keepState(state).catch(passBugs);
      await store.releaseLease(state.sessionId, holder.boot);
    },
  };
}

export function passBugs(error: unknown): void {
  if (!(error instanceof FailureError)) throw error;
}
