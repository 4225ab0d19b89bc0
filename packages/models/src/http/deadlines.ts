/**
 * One timer for all deadlines. Nearly every deadline is dropped long before it comes, and a timer of its own costs each
 * exchange more than its bytes do; so the timer stays set for the earliest one it was ever asked for and looks then.
 */
import { monotonicMs } from "@kedge/protocol";

export type Deadline = {
  /** On the clock of `monotonicMs`. It may be moved to a later moment at any time; for an earlier one, add it again. */
  at: number;
  /** Called once it has passed; it is dropped unless it was moved to a later moment meanwhile. */
  readonly passed: (now: number) => void;
};

const timerMsMax = 2 ** 31 - 1;

const pending = new Set<Deadline>();
let timer: NodeJS.Timeout | undefined;
let timerAt = Number.POSITIVE_INFINITY;

export function addDeadline(deadline: Deadline): void {
  pending.add(deadline);
  if (deadline.at < timerAt) setTimer(deadline.at);
}

export function dropDeadline(deadline: Deadline): void {
  pending.delete(deadline);
}

/** Whoever waits for bytes has an open connection, which keeps the process alive. */
function setTimer(at: number): void {
  clearTimeout(timer);
  timerAt = at;
  timer = setTimeout(look, Math.min(timerMsMax, Math.max(1, Math.ceil(at - monotonicMs())))).unref();
}

function look(): void {
  timerAt = Number.POSITIVE_INFINITY;
  const now = monotonicMs();
  for (const deadline of [...pending]) {
    if (deadline.at > now || !pending.has(deadline)) continue;
    deadline.passed(now);
    if (deadline.at <= now) pending.delete(deadline);
  }
  let earliest = Number.POSITIVE_INFINITY;
  for (const { at } of pending) earliest = Math.min(earliest, at);
  // One that was added meanwhile has set the timer by itself.
  if (earliest < timerAt) setTimer(earliest);
}
