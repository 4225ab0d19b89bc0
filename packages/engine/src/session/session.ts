/** One open session: its parts, the work under way in it, and how it ends. What its commands do is in `commands/`. */

import type { OpenSuccessor } from "../compaction/hand-over.ts";
import type { Journal } from "../journal.ts";
import type { EngineParts } from "../parts.ts";
import { handOverIfDue } from "./automatic-handoff.ts";
import { createIdleCompaction, type IdleCompaction } from "./idle-compaction.ts";
import { createSessionParts, type SessionParts } from "./session-parts.ts";
import { createSessionWork, type SessionWork } from "./session-work.ts";

export type Session = SessionParts & {
  readonly work: SessionWork;
  readonly openSuccessor: OpenSuccessor;
  /** Interrupts what runs and waits until its end is stored. */
  close(): Promise<void>;
};

export type SessionOptions = {
  /** True for one that was stored and is taken up again. */
  readonly isResumed: boolean;
  readonly openSuccessor: OpenSuccessor;
  /** Stops what runs in sessions that work for this one. */
  readonly interruptChildren: () => void;
};

export function createSession(
  engine: EngineParts,
  journal: Journal,
  { isResumed, openSuccessor, interruptChildren }: SessionOptions,
): Session {
  const parts = createSessionParts(engine, journal, { isResumed, interruptChildren });
  const work: SessionWork = createSessionWork(parts, {
    onBusy: () => idle.stop(),
    onIdle(after) {
      idle.wait();
      parts.messages.settle(journal.state);
      if (after === "run" && journal.state.lastRun?.reason === "completed") handOverIfDue(parts, work, openSuccessor);
    },
  });
  const idle: IdleCompaction = createIdleCompaction(parts, () => work);
  if (isResumed) idle.wait();

  return {
    ...parts,
    work,
    openSuccessor,
    async close() {
      // What ends by itself in this moment may begin something else.
      while (work.runId() !== undefined) {
        work.stop();
        await work.settled();
      }
      idle.stop();
      if (parts.moments !== undefined) await parts.moments.closed();
      parts.pool.close();
      const { jobs, naming, takenUp, guard } = parts;
      await Promise.all([jobs.close(), naming.close(), takenUp?.close()]);
      await guard.settle();
    },
  };
}
