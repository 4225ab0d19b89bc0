/** Runs the calls of one step: safe ones side by side, others alone, none overtaking an unsafe one before it. */
import type { ToolCallBlock } from "@kedge/protocol";
import type { Call } from "./call.ts";
import type { Pipeline } from "./pipeline.ts";

export interface Executor {
  /** A call arrived while the answer still streams. It starts now only if it is read-only and safe. */
  offer(block: ToolCallBlock): void;
  /** The answer is stored: calls with side effects may start. */
  release(): void;
  /** The answer will not count: nothing more starts, what runs is cancelled. */
  discard(): void;
  /**
   * Resolves when every offered call is over. The ends are then on their way to the journal; awaiting `stored` means
   * they have arrived.
   */
  settle(): Promise<{ readonly stored: Promise<unknown>; readonly changedFiles: boolean }>;
}

/** Stops the calls of a step, with the run or without it. One serves all steps of a run, because making one is slow. */
export interface Cancellation {
  readonly signal: AbortSignal;
  /** For the calls of an answer that will not count; a further step of the run needs a new one. */
  cancel(): void;
}

export function createCancellation(runSignal: AbortSignal): Cancellation {
  const controller = new AbortController();
  // Not by `AbortSignal.any`: each look at a signal made of others looks at all of them, twenty times per turn.
  const follow = () => controller.abort(runSignal.reason);
  if (runSignal.aborted) follow();
  else runSignal.addEventListener("abort", follow, { once: true });
  return { signal: controller.signal, cancel: () => controller.abort() };
}

export type ExecutorParts = {
  readonly pipeline: Pipeline;
  readonly stepId: string;
  readonly cancellation: Cancellation;
  readonly concurrentCallsMax: number;
};

export function createExecutor({ pipeline, stepId, cancellation, concurrentCallsMax }: ExecutorParts): Executor {
  const { signal } = cancellation;
  const queue: Call[] = [];
  const running = new Set<Call>();
  /** Those among the running that turned out not to be safe, and those of them that wait until they are alone. */
  const unsafe = new Set<Call>();
  const waiting: (() => void)[] = [];
  const stored: Promise<void>[] = [];
  const settled = Promise.withResolvers<void>();
  let released = false;
  let settling = false;
  let changedFiles = false;

  function advance(): void {
    if (released && waiting.length > 0 && waiting.length === running.size) waiting.shift()?.();
    for (let next = queue[0]; next !== undefined && mayStart(next); next = queue[0]) {
      queue.shift();
      running.add(next);
      if (isOpen(next) && !next.readOnly) changedFiles = true;
      pipeline.run(next).then(
        ({ ended = Promise.resolve() }) => finished(next, ended),
        (bug: unknown) => settled.reject(bug),
      );
    }
    if (settling && queue.length === 0 && running.size === 0) settled.resolve();
  }

  function mayStart(next: Call): boolean {
    if (!released && !(isSafe(next) && next.readOnly)) return false;
    if (running.size === 0) return true;
    return isSafe(next) && running.size < concurrentCallsMax && [...running].every(isSafe);
  }

  /** Only a call that is open may run beside others, and only as long as its input is the one that was said to be safe. */
  function isSafe(call: Call): boolean {
    return isOpen(call) && call.concurrencySafe && !unsafe.has(call);
  }

  function alone(call: Call): Promise<void> {
    const turn = Promise.withResolvers<void>();
    changedFiles = true;
    unsafe.add(call);
    waiting.push(turn.resolve);
    advance();
    return turn.promise;
  }

  function finished(call: Call, ended: Promise<void>): void {
    stored.push(ended);
    // Whoever awaits `stored` sees a failed write; until then it must not count as unhandled.
    ended.catch(() => undefined);
    running.delete(call);
    advance();
  }

  return {
    offer(block) {
      const call = pipeline.prepare(block, { stepId, signal, alone: () => alone(call) });
      queue.push(call);
      advance();
    },
    release() {
      released = true;
      advance();
    },
    discard() {
      released = true;
      cancellation.cancel();
      advance();
    },
    async settle() {
      settling = true;
      advance();
      await settled.promise;
      const all = Promise.all(stored);
      all.catch(() => undefined);
      return { stored: all, changedFiles };
    },
  };
}

function isOpen({ end }: Call): boolean {
  return end === undefined;
}
