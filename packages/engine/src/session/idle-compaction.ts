/** Has a large conversation summarised while nobody does anything with it. Off unless it is switched on. */

import { startUnheldTimer } from "../unheld-timer.ts";
import type { SessionParts } from "./session-parts.ts";
import type { SessionWork } from "./session-work.ts";

export interface IdleCompaction {
  /** Something begins; whatever was waited for is forgotten. */
  stop(): void;
  /** Nothing is under way any more; the waiting starts over. */
  wait(): void;
}

const off: IdleCompaction = { stop: () => undefined, wait: () => undefined };

export function createIdleCompaction(session: SessionParts, work: () => SessionWork): IdleCompaction {
  const { engine, journal, care } = session;
  const { enabled = false, seconds = 0 } = engine.compaction?.settings?.idle ?? {};
  if (!enabled) return off;
  const startTimer = engine.startTimer ?? startUnheldTimer;
  let cancel: (() => void) | undefined;

  function stop(): void {
    cancel?.();
    cancel = undefined;
  }

  async function compactIfDue(): Promise<void> {
    const found = await engine.models.find(journal.state.model);
    // A prompt that is being admitted has begun a run that is not under way yet.
    if (!found.ok || work().runId() !== undefined || journal.state.runId !== undefined) return;
    const frame = session.frameFor(found.model);
    if (!care.isIdleDue(frame)) return;
    await work().during((signal) => care.compact(frame, { trigger: "idle" }, signal));
  }

  return {
    stop,
    wait() {
      stop();
      cancel = startTimer(() => {
        cancel = undefined;
        compactIfDue().catch((error: unknown) => {
          const why = error instanceof Error ? engine.redact(error.message) : "unexpected error";
          const text = `Idle compaction failed: ${why}`;
          journal.signal({ type: "notice", sessionId: journal.state.sessionId, text });
        });
      }, seconds * 1_000);
    },
  };
}
