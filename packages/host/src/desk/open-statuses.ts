/** What open sessions are doing: from their state, and for retries from the last signal. */
import type { Engine, OpenSession } from "@kedge/engine";
import type { SessionStatus } from "@kedge/protocol";

export interface OpenStatuses {
  all(): { readonly [sessionId: string]: SessionStatus };
  of(sessionId: string): SessionStatus;
  /** The vendor is asked now, before its time. */
  endRetry(sessionId: string): void;
  close(): void;
}

const idle: SessionStatus = { state: "idle" };

export function watchStatuses(engine: Engine): OpenStatuses {
  /** When the vendor is asked again and why, by session. */
  const retries = new Map<string, SessionStatus>();
  const stop = engine.subscribeAll((sessionId, event) => {
    if (event.kind === "signal" && event.signal.type === "step.retrying") {
      const { until, attempt, attemptsMax, failure } = event.signal;
      const attempts = { attempt, ...(attemptsMax !== undefined && { attemptsMax }) };
      retries.set(sessionId, { state: "retry", until, ...attempts, reason: failure.message });
    } else retries.delete(sessionId);
  });

  function statusOf({ state }: OpenSession): SessionStatus {
    if (state.runId === undefined) return idle;
    if (state.permissionRequests.size > 0 || state.questions.size > 0) return { state: "waiting" };
    return retries.get(state.sessionId) ?? { state: "busy" };
  }

  return {
    all: () => Object.fromEntries(engine.openSessions().map((open) => [open.state.sessionId, statusOf(open)])),
    of(sessionId) {
      const open = engine.openSessions().find(({ state }) => state.sessionId === sessionId);
      return open === undefined ? idle : statusOf(open);
    },
    endRetry: (sessionId) => retries.delete(sessionId),
    close: stop,
  };
}
