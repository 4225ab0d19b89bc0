/** What open sessions are doing: from their state, and for retries from the last signal. */
import type { Engine, OpenSession } from "@kedge/engine";
import type { SessionStatus } from "@kedge/protocol";

export interface OpenStatuses {
  all(): { readonly [sessionId: string]: SessionStatus };
  of(sessionId: string): SessionStatus;
  close(): void;
}

const idle: SessionStatus = { state: "idle" };

export function watchStatuses(engine: Engine): OpenStatuses {
  /** When the vendor is asked again, by session. */
  const retries = new Map<string, number>();
  const stop = engine.subscribeAll((sessionId, event) => {
    if (event.kind === "signal" && event.signal.type === "step.retrying") retries.set(sessionId, event.signal.until);
    else retries.delete(sessionId);
  });

  function statusOf({ state }: OpenSession): SessionStatus {
    if (state.runId === undefined) return idle;
    if (state.permissionRequests.size > 0 || state.questions.size > 0) return { state: "waiting" };
    const until = retries.get(state.sessionId);
    return until === undefined ? { state: "busy" } : { state: "retry", until };
  }

  return {
    all: () => Object.fromEntries(engine.openSessions().map((open) => [open.state.sessionId, statusOf(open)])),
    of(sessionId) {
      const open = engine.openSessions().find(({ state }) => state.sessionId === sessionId);
      return open === undefined ? idle : statusOf(open);
    },
    close: stop,
  };
}
