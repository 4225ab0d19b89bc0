/** The time limits of one exchange: for all of it, and for the time without any byte from the other side. */

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
  let silence: ExchangeSilence | undefined;
  /** Runs only during a silence, so that bytes that keep coming move no timer but one. */
  let silenceTimer: NodeJS.Timeout | undefined;
  const timeOut = (limit: TimedOut["limit"], limitMs: number) => () => timedOut({ kind: "timed-out", limit, limitMs });
  const giveUpIdle = timeOut("idle", idleTimeoutMs);
  const overallTimer = setTimeout(timeOut("overall", overallTimeoutMs), overallTimeoutMs);
  const idleTimer = setTimeout(noticeSilence, Math.min(idleWarningMs, idleTimeoutMs));

  function noticeSilence(): void {
    if (isPaused()) idleTimer.refresh();
    else if (idleWarningMs >= idleTimeoutMs) giveUpIdle();
    else {
      silence = { kind: "silent", idleMs: idleWarningMs };
      silenceTimer = setTimeout(giveUpIdle, idleTimeoutMs - idleWarningMs);
      silent();
    }
  }

  function endSilence(): void {
    clearTimeout(silenceTimer);
    silenceTimer = undefined;
    silence = undefined;
  }

  return {
    noticeBytes() {
      idleTimer.refresh();
      if (silenceTimer !== undefined) endSilence();
    },
    takeSilence() {
      const taken = silence;
      silence = undefined;
      return taken;
    },
    stop() {
      clearTimeout(overallTimer);
      clearTimeout(idleTimer);
      endSilence();
    },
  };
}
