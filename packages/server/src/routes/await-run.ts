/** Waits for the end of a run that a command begins: listens before it is sent, so that no end is missed. */
import type { Door, FactOf, Failure } from "@kedge/protocol";
import { ProblemError, problemOfFailure } from "../http/failure-status.ts";

export type RunOver = {
  readonly result: FactOf<"run.ended">;
  /** The last step of the run; absent when it made none. */
  readonly stepId?: string;
};

type Ended = { readonly result: FactOf<"run.ended"> } | { readonly failure: Failure };

interface RunWatch {
  /** Gives up when the signal aborts; the run goes on. */
  over(runId: string, signal: AbortSignal): Promise<RunOver>;
  close(): void;
}

export function watchRuns(door: Pick<Door, "subscribe">, sessionId: string): RunWatch {
  const ends = new Map<string, Ended>();
  const lastSteps = new Map<string, string>();
  let notify = () => {};
  const close = door.subscribe(sessionId, (event) => {
    if (event.kind === "signal") {
      if (event.signal.type !== "run.unrecorded") return;
      ends.set(event.signal.runId, { failure: event.signal.failure });
      return notify();
    }
    const { fact } = event.record;
    if (fact.type === "step.started") lastSteps.set(fact.runId, fact.stepId);
    if (fact.type !== "run.ended") return;
    ends.set(fact.runId, { result: fact });
    notify();
  });

  return {
    async over(runId, signal) {
      const aborted = () => notify();
      signal.addEventListener("abort", aborted, { once: true });
      try {
        while (!ends.has(runId) && !signal.aborted) {
          await new Promise<void>((resolve) => {
            notify = resolve;
          });
        }
      } finally {
        signal.removeEventListener("abort", aborted);
      }
      const end = ends.get(runId);
      if (end === undefined) {
        const message = "The client disconnected; the run continues.";
        throw new ProblemError({ status: 409, code: "aborted", message });
      }
      if ("failure" in end) throw new ProblemError(problemOfFailure(end.failure));
      const stepId = lastSteps.get(runId);
      return stepId === undefined ? end : { ...end, stepId };
    },
    close,
  };
}
