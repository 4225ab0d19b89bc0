/** Reads something until it was read: what fails and may pass is tried again, what hangs is broken off. */

import { type Failure, FailureError } from "@kedge/protocol";
import { noticeTexts } from "../texts/conversation.ts";

export type RereadingParts = {
  /** Throws a `FailureError`. Nothing it does after its signal has aborted may count. */
  readonly read: (signal: AbortSignal) => Promise<void>;
  /** An attempt failed, and another one follows. */
  readonly onFailed: (failure: Failure) => void;
  /** Nothing passes any more: the failure of an attempt is the last one. */
  readonly isOver: () => boolean;
  /** Calls back after the time, unless the function given back is called before. */
  readonly after?: (ms: number, call: () => void) => () => void;
};

export interface Rereading {
  /**
   * Resolves when a read that began after this call has succeeded, or nobody wants it any more. Rejects when a read
   * failed in a way that does not pass.
   */
  demand(): Promise<void>;
  /** Breaks off the attempt that runs: what it waits for will not come. */
  breakOff(): void;
  /** Ends the pause before the next attempt. */
  hasten(): void;
  stop(): void;
}

const firstPauseMs = 250;
const longestPauseMs = 5_000;
/** Two heartbeats of a server. Whoever has a slow connection gets twice the time with every further attempt. */
const firstLimitMs = 20_000;
const longestLimitMs = 160_000;

const brokenOff: Failure = { code: "connection_error", message: noticeTexts.serverSilent, retryable: true };

export function createRereading({ read, onFailed, isOver, after = afterMs }: RereadingParts): Rereading {
  let running: Promise<void> | undefined;
  /** Somebody wants a read that begins later than the one that runs. */
  let isWantedAgain = false;
  let isStopped = false;
  let attempt = new AbortController();
  let endPause = () => {};

  /** The failure, or undefined when it was read. */
  async function tryOnce(limitMs: number): Promise<Failure | undefined> {
    attempt = new AbortController();
    const { signal } = attempt;
    const broken = Promise.withResolvers<Failure>();
    signal.addEventListener("abort", () => broken.resolve(brokenOff));
    const clear = after(limitMs, () => attempt.abort());
    try {
      return await Promise.race([read(signal).then(() => undefined), broken.promise]);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      return signal.aborted ? brokenOff : error.failure;
    } finally {
      clear();
      attempt.abort();
    }
  }

  async function pause(ms: number): Promise<void> {
    const over = Promise.withResolvers<void>();
    const clear = after(ms, over.resolve);
    endPause = over.resolve;
    await over.promise;
    clear();
  }

  async function run(): Promise<void> {
    try {
      for (let failed = 0; !isStopped; ) {
        isWantedAgain = false;
        const failure = await tryOnce(Math.min(firstLimitMs * 2 ** failed, longestLimitMs));
        if (isStopped || (failure === undefined && !isWantedAgain)) return;
        if (failure === undefined) {
          failed = 0;
          continue;
        }
        if (!failure.retryable || isOver()) throw new FailureError(failure);
        onFailed(failure);
        await pause(Math.min(firstPauseMs * 2 ** failed, longestPauseMs));
        failed += 1;
      }
    } finally {
      // In the same moment, so that no demand is taken for one of a run that is over.
      running = undefined;
    }
  }

  return {
    demand() {
      isWantedAgain = true;
      running ??= run();
      return running;
    },
    breakOff: () => attempt.abort(),
    hasten: () => endPause(),
    stop() {
      isStopped = true;
      attempt.abort();
      endPause();
    },
  };
}

function afterMs(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
}
