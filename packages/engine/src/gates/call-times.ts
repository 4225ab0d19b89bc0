/** When each call of the session that may change something ran, so that a change of a file can be laid at its door. */
import { plainText } from "./plain-text.ts";

export type CallCause = {
  /** The command, or the tool and what it was given. */
  readonly text: string;
  /** The number of the step, as the user counts them. */
  readonly step: number;
};

export interface TimedCall {
  readonly startedMs: number;
  /** What goes on after the call, such as a job left running, may still change files. */
  ended(options?: { readonly isStillAtWork: boolean }): void;
}

export interface CallTimes {
  started(cause: CallCause): TimedCall;
  /** Who was at work then, in words; more than one where calls ran side by side or in quick succession. */
  causeAt(timeMs: number): string;
  /** The same for a change that is known to be younger than the end of every call that has ended. */
  causeNow(timeMs: number): string;
}

/** Files are stamped with a clock that goes by ticks of the kernel, and so lags behind by up to one of them. */
export const clockToleranceMs = 15;
/** Older calls are forgotten; what they changed counts as done outside kedge. */
const callsMax = 2_000;
const namedMax = 3;

export const outsideOfKedge = "outside kedge";

type Window = { readonly text: string; readonly startedMs: number; endedMs: number };

export function createCallTimes(now: () => number): CallTimes {
  const windows: Window[] = [];
  return {
    started({ text, step }) {
      const window: Window = {
        text: `${plainText(text)} (step ${step})`,
        startedMs: now(),
        endedMs: Number.POSITIVE_INFINITY,
      };
      windows.push(window);
      if (windows.length > callsMax) windows.shift();
      return {
        startedMs: window.startedMs,
        ended(options) {
          if (options?.isStillAtWork !== true) window.endedMs = now();
        },
      };
    },
    causeAt: (timeMs) => nameOf(windows.filter((window) => isWithin(window, timeMs))),
    causeNow: (timeMs) =>
      nameOf(windows.filter((window) => window.endedMs === Number.POSITIVE_INFINITY && isWithin(window, timeMs))),
  };
}

/** Stamps have fractions of a millisecond, which our clock has not. */
function isWithin({ startedMs, endedMs }: Window, timeMs: number): boolean {
  return startedMs - clockToleranceMs <= timeMs && timeMs < endedMs + 1;
}

function nameOf(atWork: readonly Window[]): string {
  return atWork.length === 0
    ? outsideOfKedge
    : atWork
        .slice(-namedMax)
        .map(({ text }) => text)
        .join(" or ");
}
