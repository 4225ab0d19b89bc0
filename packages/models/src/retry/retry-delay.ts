/** How long to wait before the next attempt, and when waiting is of no use to anybody. */
import type { Failure } from "@kedge/protocol";

export const attemptsMax = 10;

const baseMs = 500;
const baseMsMax = 30_000;
const jitterShare = 0.25;

/** A person looks at the screen: a limit that is lifted later than this is told instead of waited for. */
const interactiveResetMsMax = 60_000;
const interactiveRetryAfterMsMax = 10 * 60_000;

const unattendedDelayMsMax = 5 * 60_000;
const unattendedTotalMsMax = 6 * 60 * 60_000;
const unattendedPieceMs = 30_000;

export type Patience = {
  readonly unattended: boolean;
  /** In milliseconds since the epoch. */
  readonly nowMs: number;
  /** At least 0, less than 1. */
  readonly random: () => number;
};

export type Waited = {
  /** The attempt that failed, counted from 1. */
  readonly attempt: number;
  /** For this request, before all its attempts. */
  readonly totalMs: number;
};

/** Undefined when it would take too long. */
export function delayBeforeRetry(failure: Failure, waited: Waited, patience: Patience): number | undefined {
  const wanted = wantedDelay(failure, waited, patience);
  if (wanted === undefined || !patience.unattended) return wanted;
  const leftMs = unattendedTotalMsMax - waited.totalMs;
  return leftMs > 0 ? Math.min(wanted, leftMs) : undefined;
}

/** The part of a delay that is slept in one go: who watches a run unattended sees that it still waits. */
export function pieceOfDelay(delayMs: number, { unattended }: Pick<Patience, "unattended">): number {
  return unattended ? Math.min(delayMs, unattendedPieceMs) : delayMs;
}

function wantedDelay(failure: Failure, { attempt }: Waited, patience: Patience): number | undefined {
  const { unattended, nowMs, random } = patience;
  const { resetAtMs, retryAfterMs } = failure;
  if (resetAtMs !== undefined && resetAtMs > nowMs) {
    const delayMs = resetAtMs - nowMs;
    return unattended || delayMs <= interactiveResetMsMax ? delayMs : undefined;
  }
  // Zero asks for nothing, and without limits it would ask for it for ever.
  if (retryAfterMs !== undefined && retryAfterMs > 0) {
    if (unattended) return Math.min(retryAfterMs, unattendedDelayMsMax);
    return retryAfterMs <= interactiveRetryAfterMsMax ? retryAfterMs : undefined;
  }
  const delayMs = Math.min(baseMs * 2 ** (attempt - 1), baseMsMax);
  return Math.round(delayMs + random() * jitterShare * delayMs);
}
