/** When a connection is tried again that was lost or that needs a sign-in, and when that is given up. */
import { needsAuthMs } from "./limits.ts";

export interface ReturnPlan {
  connected(): void;
  /** Until the next attempt; undefined when it is given up. */
  nextDelayMs(): number | undefined;
  /** Whether a process that ended may be started for the next call. Counts as a start. */
  mayRestart(): boolean;
  /** The server asked for a sign-in, which a person may need some time for. */
  needsSignIn(): void;
  waitsForSignIn(): boolean;
  /** A person asked for it, so everything starts over. */
  forget(): void;
}

const attemptsMax = 5;
const firstDelayMs = 1_000;
const delayMsMax = 30_000;
const giveUpMs = 10 * 60_000;
const restartsMax = 3;
const restartsMs = 5 * 60_000;

export function createReturnPlan({
  isRemote,
  now,
}: {
  readonly isRemote: boolean;
  readonly now: () => number;
}): ReturnPlan {
  let attempts = 0;
  let lostAtMs: number | undefined;
  let restarts: readonly number[] = [];
  let wasConnected = false;
  let askedAtMs: number | undefined;
  return {
    connected() {
      attempts = 0;
      lostAtMs = undefined;
      wasConnected = true;
    },
    nextDelayMs() {
      lostAtMs ??= now();
      if (!isRemote || attempts >= attemptsMax || now() - lostAtMs >= giveUpMs) return undefined;
      const delayMs = Math.min(firstDelayMs * 2 ** attempts, delayMsMax);
      attempts += 1;
      return delayMs;
    },
    mayRestart() {
      // The first start is none that was lost.
      if (isRemote || !wasConnected) return true;
      restarts = restarts.filter((time) => now() - time < restartsMs);
      if (restarts.length >= restartsMax) return false;
      restarts = [...restarts, now()];
      return true;
    },
    needsSignIn() {
      askedAtMs = now();
    },
    waitsForSignIn: () => askedAtMs !== undefined && now() - askedAtMs < needsAuthMs,
    forget() {
      askedAtMs = undefined;
      attempts = 0;
      lostAtMs = undefined;
      restarts = [];
    },
  };
}
