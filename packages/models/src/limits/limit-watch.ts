/** Decides when a user is told about limits: once for each change, and early enough to act on it. */
import type { LimitType, LimitWindow, RateLimits } from "./rate-limits.ts";
import { timeLeft } from "./time-left.ts";

export type LimitWatchOptions = {
  /** Teams whose use beyond the plan is billed without a break have no reason to slow down for five hours. */
  readonly isTeamPlan?: boolean;
};

/** Answers what to tell the user after a response, or undefined when nothing changed. */
export type LimitWatch = (limits: RateLimits, nowMs: number) => string | undefined;

const hourMs = 3_600_000;

const windowMs: { readonly [type in LimitType]: number } = {
  five_hour: 5 * hourMs,
  seven_day: 7 * 24 * hourMs,
  seven_day_opus: 7 * 24 * hourMs,
};

const windowNames: { readonly [type in LimitType]: string } = {
  five_hour: "five-hour limit",
  seven_day: "weekly limit",
  seven_day_opus: "weekly limit for Opus",
};

/** So much used before so much of the window has passed: at this pace it will not last. */
type PaceRule = { readonly type: LimitType; readonly used: number; readonly before: number };

const paceRules: readonly PaceRule[] = [
  { type: "five_hour", used: 0.9, before: 0.72 },
  { type: "seven_day", used: 0.75, before: 0.6 },
  { type: "seven_day", used: 0.5, before: 0.35 },
  { type: "seven_day", used: 0.25, before: 0.15 },
];

/** A five-hour window is over so soon that a warning below this use would only disturb. */
const fiveHourWarningMin = 0.7;

type Warning = { readonly window: LimitWindow; readonly threshold: number };

export function createLimitWatch({ isTeamPlan = false }: LimitWatchOptions = {}): LimitWatch {
  let wasRejected = false;
  let isBilled = false;
  let warned: string | undefined;

  return (limits, nowMs) => {
    const isRejected = limits.status === "rejected";
    const wasBilled = isBilled;
    const hasOverage = limits.overage === "allowed" || limits.overage === "allowed_warning";
    isBilled = hasOverage && (isRejected || wasRejected || wasBilled) && !isFreshWindow(limits);
    wasRejected = isRejected;
    if (isBilled) return wasBilled ? undefined : "The plan's limit is used up. Extra usage is now billed.";
    const warning = isRejected ? undefined : findWarning(limits, nowMs);
    if (warning === undefined || (warning.window.type === "five_hour" && isTeamPlan && hasOverage)) return undefined;
    const key = `${warning.window.type} ${warning.threshold} ${warning.window.resetAtMs ?? ""}`;
    if (key === warned) return undefined;
    warned = key;
    return warningText(warning, nowMs);
  };
}

/** Extra usage ends when the plan's window starts over, which its use shows. */
function isFreshWindow({ status, limitType, windows }: RateLimits): boolean {
  const utilisation = windows.find(({ type }) => type === limitType)?.utilisation;
  return status !== "rejected" && utilisation !== undefined && utilisation < 1;
}

function findWarning(limits: RateLimits, nowMs: number): Warning | undefined {
  const surpassed = limits.windows.filter(({ surpassedThreshold }) => surpassedThreshold !== undefined);
  const window = surpassed.find(({ type }) => type === limits.limitType) ?? surpassed[0];
  if (window?.surpassedThreshold !== undefined) return { window, threshold: window.surpassedThreshold };
  return findPaceWarning(limits.windows, nowMs) ?? findStatusWarning(limits);
}

function findPaceWarning(windows: readonly LimitWindow[], nowMs: number): Warning | undefined {
  for (const { type, used, before } of paceRules) {
    const window = windows.find((candidate) => candidate.type === type);
    if (window?.utilisation === undefined || window.resetAtMs === undefined || window.utilisation < used) continue;
    const passed = 1 - (window.resetAtMs - nowMs) / windowMs[type];
    if (passed < before) return { window, threshold: used };
  }
  return undefined;
}

/** The vendor warns without saying at which share; the window that decides is then the one to name. */
function findStatusWarning({ status, limitType, windows, resetAtMs }: RateLimits): Warning | undefined {
  if (status !== "allowed_warning" || limitType === undefined) return undefined;
  const window = windows.find(({ type }) => type === limitType) ?? {
    type: limitType,
    ...(resetAtMs === undefined ? {} : { resetAtMs }),
  };
  const isEarly = limitType === "five_hour" && (window.utilisation ?? 1) < fiveHourWarningMin;
  return isEarly ? undefined : { window, threshold: 0 };
}

function warningText({ window, threshold }: Warning, nowMs: number): string {
  const used = window.utilisation ?? threshold;
  const share = used > 0 ? `${Math.floor(used * 100)}% of the ${windowNames[window.type]} used` : "";
  const text = share === "" ? `The ${windowNames[window.type]} is nearly used up` : share;
  return window.resetAtMs === undefined ? `${text}.` : `${text}; it resets in ${timeLeft(window.resetAtMs - nowMs)}.`;
}
