/** One open session: its parts, the work under way in it, and how it ends. What its commands do is in `commands/`. */

import type { RunOptions } from "@kedge/protocol";
import type { OpenSuccessor } from "../compaction/hand-over.ts";
import type { Journal } from "../journal.ts";
import type { EngineParts } from "../parts.ts";
import { handOverIfDue } from "./automatic-handoff.ts";
import { createIdleCompaction, type IdleCompaction } from "./idle-compaction.ts";
import { createSessionParts, type SessionLinks, type SessionParts } from "./session-parts.ts";
import { createSessionWork, type SessionWork } from "./session-work.ts";

export type Session = SessionParts & {
  readonly work: SessionWork;
  readonly openSuccessor: OpenSuccessor;
  /** Begins a run for what agents have to tell, if nothing runs and somebody waits for it. */
  wake(continued?: RunOptions): void;
  /** Interrupts what runs and waits until its end is stored. */
  close(): Promise<void>;
};

export type SessionOptions = SessionLinks & { readonly openSuccessor: OpenSuccessor };

export function createSession(
  engine: EngineParts,
  journal: Journal,
  { openSuccessor, ...links }: SessionOptions,
): Session {
  const { isResumed } = links;
  const parts = createSessionParts(engine, journal, links);
  const work: SessionWork = createSessionWork(parts, {
    onBusy: () => idle.stop(),
    onIdle(after) {
      idle.wait();
      parts.messages.settle(journal.state);
      if (after !== "run" || journal.state.lastRun?.reason !== "completed") return;
      if (parts.agentNews.isWorthRun()) wake();
      else handOverIfDue(parts, work, openSuccessor);
    },
  });
  let isClosing = false;

  /** A run that failed or was stopped waits for the user, with everything that came since, unless it is continued. */
  function wake(continued?: RunOptions): void {
    const isAgent = engine.agent !== undefined;
    const isFree = work.runId() === undefined && !isClosing && (engine.interactive || isAgent);
    const { lastRun } = journal.state;
    const isGood = continued !== undefined || lastRun === undefined || lastRun.reason === "completed";
    if (!isFree || !isGood || !parts.agentNews.isWorthRun()) return;
    const runId = engine.newId("run_");
    // The limits of an agent hold for whatever it does, not only for what it was asked first.
    work.giveOptions(runId, continued ?? (isAgent ? work.lastOptions() : {}));
    work.start(runId);
  }

  const idle: IdleCompaction = createIdleCompaction(parts, () => work);
  if (isResumed) idle.wait();

  return {
    ...parts,
    work,
    openSuccessor,
    wake,
    async close() {
      isClosing = true;
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
