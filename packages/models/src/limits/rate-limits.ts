/** What a response's headers say about the limits of the account: plan windows, extra usage, and requests and tokens left. */
import type { ResponseHeaders } from "../http/http-exchange.ts";
import { momentMsOf } from "./header-times.ts";

export type LimitStatus = "allowed" | "allowed_warning" | "rejected";

export type LimitType = "five_hour" | "seven_day" | "seven_day_opus";

/** A window of a plan. */
export type LimitWindow = {
  readonly type: LimitType;
  /** The share that is used; over 1 when the vendor let more pass. */
  readonly utilisation?: number;
  readonly resetAtMs?: number;
  /** The share at which the vendor itself wants the user warned, once it was passed. */
  readonly surpassedThreshold?: number;
};

/** Requests or tokens that may still be sent in a short time. */
export type Allowance = {
  readonly of: "requests" | "tokens" | "input-tokens" | "output-tokens";
  readonly limit?: number;
  readonly remaining?: number;
  readonly resetAtMs?: number;
};

export type RateLimits = {
  readonly status?: LimitStatus;
  /** When the window that decides is lifted. */
  readonly resetAtMs?: number;
  /** The window that decides. */
  readonly limitType?: LimitType;
  readonly windows: readonly LimitWindow[];
  /** Whether use beyond the plan is served and billed. */
  readonly overage?: LimitStatus;
  /** True when the vendor offers another model in place of the one whose limit is reached. */
  readonly fallback?: true;
  readonly allowances: readonly Allowance[];
};

const statuses: ReadonlySet<string> = new Set<LimitStatus>(["allowed", "allowed_warning", "rejected"]);
const limitTypes: ReadonlySet<string> = new Set<LimitType>(["five_hour", "seven_day", "seven_day_opus"]);

const unified = "anthropic-ratelimit-unified-";

const windowNames: readonly (readonly [name: string, type: LimitType])[] = [
  ["5h", "five_hour"],
  ["7d", "seven_day"],
  ["7d_opus", "seven_day_opus"],
];

const typeOfWindowMinutes: ReadonlyMap<string, LimitType> = new Map([
  ["300", "five_hour"],
  ["10080", "seven_day"],
]);

/** Where the three numbers of an allowance stand; the first place that has any of them counts. */
const allowancePlaces: readonly (readonly [of: Allowance["of"], header: (part: string) => string])[] = [
  ["requests", (part) => `anthropic-ratelimit-requests-${part}`],
  ["tokens", (part) => `anthropic-ratelimit-tokens-${part}`],
  ["input-tokens", (part) => `anthropic-ratelimit-input-tokens-${part}`],
  ["output-tokens", (part) => `anthropic-ratelimit-output-tokens-${part}`],
  ["requests", (part) => `x-ratelimit-${part}-requests`],
  ["tokens", (part) => `x-ratelimit-${part}-tokens`],
  ["requests", (part) => `x-ratelimit-${part}`],
];

/** Undefined when the headers say nothing about limits, which a look at their names tells for most vendors. */
export function readRateLimits(headers: ResponseHeaders, nowMs: number): RateLimits | undefined {
  if (!Object.keys(headers).some(isAboutLimits)) return undefined;
  const moment = (name: string) => readMoment(headers[name], nowMs);
  const status = readStatus(headers[`${unified}status`]);
  const resetAtMs = moment(`${unified}reset`);
  const claim = headers[`${unified}representative-claim`] ?? "";
  const overage = readStatus(headers[`${unified}overage-status`]);
  const windows = [...unifiedWindows(headers, moment), ...codexWindows(headers, moment)];
  const allowances = readAllowances(headers, moment);
  if (status === undefined && resetAtMs === undefined && windows.length === 0 && allowances.length === 0)
    return undefined;
  return {
    ...(status === undefined ? {} : { status }),
    ...(resetAtMs === undefined ? {} : { resetAtMs }),
    ...(isLimitType(claim) ? { limitType: claim } : {}),
    windows,
    ...(overage === undefined ? {} : { overage }),
    ...(headers[`${unified}fallback`] === "available" ? { fallback: true } : {}),
    allowances,
  };
}

function isAboutLimits(name: string): boolean {
  return name.includes("ratelimit") || name.startsWith("x-codex");
}

/** When a request may be sent again: what the vendor names as the deciding moment, or the last allowance to come back. */
export function limitLiftedAtMs({ resetAtMs, status, windows, allowances }: RateLimits): number | undefined {
  if (resetAtMs !== undefined) return resetAtMs;
  const spent = [
    ...allowances.filter(({ remaining }) => remaining === 0),
    ...windows.filter(({ utilisation }) => status === undefined && utilisation !== undefined && utilisation >= 1),
  ];
  const moments = spent.flatMap(({ resetAtMs: moment }) => moment ?? []);
  return moments.length === 0 ? undefined : Math.max(...moments);
}

type ReadHeaderMoment = (name: string) => number | undefined;

function unifiedWindows(headers: ResponseHeaders, moment: ReadHeaderMoment): readonly LimitWindow[] {
  return windowNames.flatMap(([name, type]) => {
    const utilisation = readNumber(headers[`${unified}${name}-utilization`]);
    const resetAtMs = moment(`${unified}${name}-reset`);
    const surpassedThreshold = readNumber(headers[`${unified}${name}-surpassed-threshold`]);
    if (utilisation === undefined && resetAtMs === undefined && surpassedThreshold === undefined) return [];
    return {
      type,
      ...(utilisation === undefined ? {} : { utilisation }),
      ...(resetAtMs === undefined ? {} : { resetAtMs }),
      ...(surpassedThreshold === undefined ? {} : { surpassedThreshold }),
    };
  });
}

/** ChatGPT plans have a primary and a secondary window, whose lengths come with them. */
function codexWindows(headers: ResponseHeaders, moment: ReadHeaderMoment): readonly LimitWindow[] {
  return ["primary", "secondary"].flatMap((name) => {
    const type = typeOfWindowMinutes.get(headers[`x-codex-${name}-window-minutes`] ?? "");
    const usedPercent = readNumber(headers[`x-codex-${name}-used-percent`]);
    if (type === undefined || usedPercent === undefined) return [];
    const resetAtMs = moment(`x-codex-${name}-reset-at`);
    return { type, utilisation: usedPercent / 100, ...(resetAtMs === undefined ? {} : { resetAtMs }) };
  });
}

function readAllowances(headers: ResponseHeaders, moment: ReadHeaderMoment): readonly Allowance[] {
  const found = new Map<Allowance["of"], Allowance>();
  for (const [of, header] of allowancePlaces) {
    const limit = readNumber(headers[header("limit")]);
    const remaining = readNumber(headers[header("remaining")]);
    const resetAtMs = moment(header("reset"));
    if (found.has(of) || (limit === undefined && remaining === undefined && resetAtMs === undefined)) continue;
    found.set(of, {
      of,
      ...(limit === undefined ? {} : { limit }),
      ...(remaining === undefined ? {} : { remaining }),
      ...(resetAtMs === undefined ? {} : { resetAtMs }),
    });
  }
  return [...found.values()];
}

/** Some gateways write -1 where they do not know a number. */
function readNumber(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

function readMoment(text: string | undefined, nowMs: number): number | undefined {
  return text === undefined || text === "" ? undefined : momentMsOf(text, nowMs);
}

function readStatus(text: string | undefined): LimitStatus | undefined {
  return text !== undefined && isLimitStatus(text) ? text : undefined;
}

function isLimitStatus(text: string): text is LimitStatus {
  return statuses.has(text);
}

function isLimitType(text: string): text is LimitType {
  return limitTypes.has(text);
}
