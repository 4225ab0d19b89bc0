/** A provider that tries again: each request is a series of attempts, of which only the last one is answered. */
import type { Failure, ModelEvent, ModelRequest, Provider } from "@kedge/protocol";
import type { WireRequest } from "../wire/request-body.ts";
import { decideRetry, type PreparedBy, type ProviderHistory, type RequestHistory } from "./retry-decision.ts";
import { type Pause, sleepPiece, takePiece } from "./retry-pause.ts";
import type { RetryWait, RetryWaits } from "./retry-waits.ts";
import type { RetryableProvider } from "./retryable-provider.ts";
import { limitedMs, noteLimit } from "./shared-limit.ts";
import type { Wait } from "./wait.ts";

export type RetryOptions = {
  readonly provider: RetryableProvider;
  /** Milliseconds since the epoch. */
  readonly clock: { readonly now: () => number };
  /** At least 0, less than 1. */
  readonly random: () => number;
  /** Resolves with the delay or with the abort. */
  readonly wait: Wait;
  /** Told of every wait, so that a person can end it. */
  readonly waits?: RetryWaits;
  /** Nobody watches: limits and overloads are waited for as long as it takes, within hours. */
  readonly unattended: boolean;
  /** True once `provider` sends other credentials than those that were rejected. */
  readonly refreshCredentials?: (failure: Failure) => Promise<boolean>;
};

type Result = IteratorResult<ModelEvent, undefined>;

const over: Result = { done: true, value: undefined };

export function createRetryingProvider(options: RetryOptions): Provider {
  const history: ProviderHistory = {
    ...{ begun: 0, overloads: 0, begunAtOverload: 0 },
    ...{ limits: new Map(), usesFreshConnections: false, reached: false },
  };
  const { compact } = options.provider;
  return {
    stream: (request, signal) => createAttempts(options, history, { request, signal }),
    ...(compact !== undefined && { compact }),
  };
}

/** What is waited before the first attempt because another request was told to slow down. */
type Hold = { readonly leftMs: number; readonly known: RetryWait | undefined };

type Asked = { readonly request: ModelRequest; readonly signal: AbortSignal };

/** An iterator by hand: it costs each event 35 ns, a generator around the attempt would cost 165 ns. */
function createAttempts(
  options: RetryOptions,
  providerHistory: ProviderHistory,
  { request, signal }: Asked,
): AsyncIterableIterator<ModelEvent, undefined> {
  const history = emptyHistory();
  let asked: WireRequest = request;
  let attempt: AsyncIterator<ModelEvent> | undefined;
  let pause: Pause | undefined;
  let hold: Hold | undefined;
  let hasBegun = false;
  let isOver = false;

  function next(): Promise<Result> {
    if (attempt !== undefined) return attempt.next().then(look);
    if (isOver) return Promise.resolve(over);
    if (hold !== undefined) return sleepHeld(hold);
    return pause === undefined ? begin() : sleep(pause);
  }

  function begin(): Promise<Result> {
    const leftMs = limitedMs(providerHistory.limits, request.model.id, options);
    if (leftMs === 0) return attemptNow();
    hold = { leftMs, known: options.waits?.enter(request.conversationId) };
    const text = `Waiting ${Math.ceil(leftMs / 1_000)} s: the provider limits requests to ${request.model.id}.`;
    return Promise.resolve({ done: false, value: { type: "notice", text } });
  }

  /** Once for each request: whoever waited is not held back again. */
  async function sleepHeld({ leftMs, known }: Hold): Promise<Result> {
    const ends = known === undefined ? signal : AbortSignal.any([signal, known.hastened]);
    if (!ends.aborted) await options.wait(leftMs, ends);
    leaveHold();
    if (isOver) return over;
    return signal.aborted ? finish(stopped(request.requestId)) : attemptNow();
  }

  function attemptNow(): Promise<Result> {
    history.attempt++;
    providerHistory.begun++;
    history.begun = providerHistory.begun;
    attempt = options.provider.stream(asked, signal)[Symbol.asyncIterator]();
    return attempt.next().then(look);
  }

  function look(result: IteratorResult<ModelEvent>): Result | Promise<Result> {
    if (result.done === true) return over;
    switch (result.value.type) {
      case "end":
        providerHistory.overloads = 0;
        return result;
      case "failed":
        return hasBegun ? result : takeFailure(result.value.failure);
      case "stalled":
      case "notice":
      case "retrying":
        return result;
      default:
        hasBegun = true;
        providerHistory.reached = true;
        return result;
    }
  }

  async function takeFailure(failure: Failure): Promise<Result> {
    // Before the next attempt, which wants the same connection and the same buffer.
    await leaveAttempt();
    const canRefreshCredentials = options.refreshCredentials !== undefined;
    const decision = decideRetry(
      { failure, asked, canRefreshCredentials },
      { provider: providerHistory, request: history },
      { unattended: options.unattended, nowMs: options.clock.now(), random: options.random },
    );
    if (decision.kind === "surface") return finish(decision.failure);
    if (!(await isPrepared(decision.first, failure, options))) return finish(failure);
    asked = decision.request;
    const { delayMs, attemptsMax } = decision;
    noteLimit(providerHistory.limits, request.model.id, { failure, untilMs: options.clock.now() + delayMs });
    const limit = attemptsMax === undefined ? {} : { attemptsMax };
    const retrying = { type: "retrying", attempt: history.attempt, ...limit, delayMs, failure } as const;
    pause = { retrying, leftMs: delayMs, known: options.waits?.enter(request.conversationId) };
    return { done: false, value: retrying };
  }

  /** Sleeps a piece of the pause, and tells how much is left or begins the next attempt. */
  async function sleep(current: Pause): Promise<Result> {
    const pieceMs = await sleepPiece(current, options, signal);
    if (isOver) return over;
    if (signal.aborted) {
      leavePause();
      return finish(stopped(request.requestId));
    }
    history.waitedMs += takePiece(current, pieceMs);
    if (current.leftMs > 0) return { done: false, value: { ...current.retrying, delayMs: current.leftMs } };
    leavePause();
    return attemptNow();
  }

  function leavePause(): void {
    pause?.known?.leave();
    pause = undefined;
  }

  function leaveHold(): void {
    hold?.known?.leave();
    hold = undefined;
  }

  function finish(failure: Failure): Result {
    isOver = true;
    return { done: false, value: { type: "failed", failure } };
  }

  async function leaveAttempt(): Promise<void> {
    const left = attempt;
    attempt = undefined;
    await left?.return?.();
  }

  return {
    next,
    async return() {
      isOver = true;
      leavePause();
      leaveHold();
      await leaveAttempt();
      return over;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function emptyHistory(): RequestHistory {
  return { attempt: 0, begun: 0, counted: 0, unopened: 0, waitedMs: 0, triedWhole: false, refreshedCredentials: false };
}

/** Does what has to come before the next attempt; false when it cannot be had. */
async function isPrepared(first: PreparedBy | undefined, failure: Failure, options: RetryOptions): Promise<boolean> {
  switch (first) {
    case "refresh-credentials":
      return (await options.refreshCredentials?.(failure)) === true;
    case "use-fresh-connections":
      options.provider.useFreshConnections();
      return true;
    case undefined:
      return true;
  }
}

function stopped(requestId: string): Failure {
  return { code: "aborted", message: "Stopped.", retryable: false, requestId };
}
