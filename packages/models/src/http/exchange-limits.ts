/** The time limits of one exchange: for all of it, and for the time without any byte from the other side. */
import { monotonicMs } from "@kedge/protocol";
import { addDeadline, type Deadline, dropDeadline } from "./deadlines.ts";

export type TimeLimits = {
  /** For the whole exchange. */
  readonly overallTimeoutMs: number;
  /** For the time without any byte from the other side. */
  readonly idleTimeoutMs: number;
  /** After so long without any byte the exchange says so and goes on; never without it. */
  readonly idleWarningMs?: number;
};

/** Nothing has come for a while. The exchange goes on. */
export type ExchangeSilence = { readonly kind: "silent"; readonly idleMs: number };

export type TimedOut = { readonly kind: "timed-out"; readonly limit: "idle" | "overall"; readonly limitMs: number };

export type LimitEvents = {
  /** Whoever makes the sender wait must not complain that nothing comes. */
  readonly isPaused: () => boolean;
  /** `takeSilence` has something. */
  readonly silent: () => void;
  readonly timedOut: (limit: TimedOut) => void;
};

export type RunningLimits = {
  readonly noticeBytes: () => void;
  /** The silence that was noticed and not taken yet. */
  readonly takeSilence: () => ExchangeSilence | undefined;
  readonly stop: () => void;
};

export function startLimits(limits: TimeLimits, { isPaused, silent, timedOut }: LimitEvents): RunningLimits {
  const { overallTimeoutMs, idleTimeoutMs, idleWarningMs = idleTimeoutMs } = limits;
  let heardAt = monotonicMs();
  let isWarned = false;
  let silence: ExchangeSilence | undefined;
  const overallAt = heardAt + overallTimeoutMs;
  const deadline: Deadline = { at: nextLook(), passed: look };
  addDeadline(deadline);

  function nextLook(): number {
    return Math.min(overallAt, heardAt + (isWarned ? idleTimeoutMs : Math.min(idleWarningMs, idleTimeoutMs)));
  }

  function look(now: number): void {
    if (isPaused()) heardAt = now;
    const idleMs = now - heardAt;
    if (now >= overallAt) timedOut({ kind: "timed-out", limit: "overall", limitMs: overallTimeoutMs });
    else if (idleMs >= idleTimeoutMs) timedOut({ kind: "timed-out", limit: "idle", limitMs: idleTimeoutMs });
    else {
      if (idleMs >= idleWarningMs && !isWarned) {
        isWarned = true;
        silence = { kind: "silent", idleMs: idleWarningMs };
        silent();
      }
      deadline.at = nextLook();
    }
  }

  return {
    noticeBytes() {
      heardAt = monotonicMs();
      if (!isWarned) return;
      isWarned = false;
      silence = undefined;
      deadline.at = nextLook();
      addDeadline(deadline);
    },
    takeSilence() {
      const taken = silence;
      silence = undefined;
      return taken;
    },
    stop: () => dropDeadline(deadline),
  };
}
