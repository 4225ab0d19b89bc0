/** Waits for the ends of runs, which may be known before the command that began a run is answered. */
import type { Event, Failure, RunResult } from "@kedge/protocol";

export type RunEnd =
  | { readonly ok: true; readonly result: RunResult }
  /** The end could not be stored, or nobody will see it any more. */
  | { readonly ok: false; readonly failure: Failure };

interface RunEnds {
  observe(event: Event): void;
  over(runId: string): Promise<RunEnd>;
  /** Whoever still waits is told that nothing comes any more. */
  close(): void;
}

export function createRunEnds(): RunEnds {
  const runs = new Map<string, PromiseWithResolvers<RunEnd>>();
  let isClosed = false;

  function run(runId: string): PromiseWithResolvers<RunEnd> {
    const known = runs.get(runId) ?? Promise.withResolvers<RunEnd>();
    runs.set(runId, known);
    if (isClosed) known.resolve(gone);
    return known;
  }

  return {
    observe(event) {
      if (event.kind === "fact") {
        const { fact } = event.record;
        if (fact.type === "run.ended") run(fact.runId).resolve({ ok: true, result: fact });
      } else if (event.signal.type === "run.unrecorded") {
        run(event.signal.runId).resolve({ ok: false, failure: event.signal.failure });
      }
    },
    async over(runId) {
      const end = await run(runId).promise;
      runs.delete(runId);
      return end;
    },
    close() {
      isClosed = true;
      for (const each of runs.values()) each.resolve(gone);
    },
  };
}

const gone: RunEnd = {
  ok: false,
  failure: { code: "aborted", message: "The session was closed before the run ended.", retryable: false },
};
