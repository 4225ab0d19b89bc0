/** The conversation of a worker, as its loop sees it: a session of the engine in this process. */
import type { Letter, WorkerSession } from "@kedge/agents/teams";
import type { Engine } from "@kedge/engine";
import type { RunOptions } from "@kedge/protocol";
import { findOpen } from "./team-parts.ts";

export type EngineWorker = WorkerSession & {
  /** Stops following the session. */
  close(): void;
};

export function followWorker(
  engine: Engine,
  sessionId: string,
  { options, onTurnEnd }: { readonly options: RunOptions; readonly onTurnEnd: () => void },
): EngineWorker {
  const state = () => findOpen(engine, sessionId)?.state;
  // One that was quick has ended before anybody could listen.
  let ended = state()?.lastRun === undefined ? 0 : 1;
  const close = engine.subscribe(sessionId, (event) => {
    if (event.kind !== "fact" || event.record.fact.type !== "run.ended") return;
    ended += 1;
    onTurnEnd();
  });
  return {
    close,
    isBusy() {
      const now = state();
      return now !== undefined && (now.runId !== undefined || now.queue.length > 0);
    },
    isInCall: () => [...(state()?.calls.values() ?? [])].some(({ started, result }) => started && result === undefined),
    turnsEnded: () => ended,
    lastTurn() {
      const run = state()?.lastRun;
      const outcome = run?.reason === "completed" ? "completed" : run?.reason === "aborted" ? "interrupted" : "failed";
      return { outcome, text: run?.text ?? "" };
    },
    async instruct(text) {
      await engine.send<"prompt.submit">({ type: "prompt.submit", sessionId, text, delivery: "steer", options });
    },
    async inform({ id, from, text }: Letter) {
      const open = findOpen(engine, sessionId);
      await open?.record({ type: "mail.received", messageId: id, fromId: from, from, text });
      open?.wake();
    },
    async interrupt() {
      await engine.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
    },
  };
}

/** Waits for a moment, or until somebody says that something happened. */
export function createPause(pollMs: number) {
  let wake: () => void = () => undefined;
  let isNudged = false;
  return {
    nudge() {
      isNudged = true;
      wake();
    },
    async pause(signal: AbortSignal): Promise<void> {
      if (!isNudged && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(resolve, pollMs);
        signal.addEventListener("abort", () => resolve(), { once: true });
        await promise;
        clearTimeout(timer);
      }
      isNudged = false;
    },
  };
}
