/** What to do about an attempt that failed before anything of its answer was reported. */
import type { Failure, QuerySource } from "@kedge/protocol";
import type { WireRequest } from "../wire/request-body.ts";
import { attemptsMax, delayBeforeRetry, type Patience } from "./retry-delay.ts";

/** What one provider has seen, over all its requests. */
export type ProviderHistory = {
  /** Attempts that began so far. */
  begun: number;
  /** Since the last answer that ended well. */
  overloads: number;
  /** Attempts that had begun when the last overload was counted: what they report of it is not a further one. */
  begunAtOverload: number;
  /** Until when each model is limited, as the vendor said, in milliseconds since the epoch. */
  readonly limits: Map<string, number>;
  usesFreshConnections: boolean;
  /** The vendor answered at least once, with whatever. */
  reached: boolean;
};

/** What has happened to one request. */
export type RequestHistory = {
  /** The attempt that failed last, counted from 1. */
  attempt: number;
  /** Its number among all attempts of the provider. */
  begun: number;
  /** Attempts whose failures count towards the limit. */
  counted: number;
  /** Streams that never brought anything because of their connection. */
  unopened: number;
  waitedMs: number;
  triedWhole: boolean;
  refreshedCredentials: boolean;
};

export type RetryDecision =
  | { readonly kind: "surface"; readonly failure: Failure }
  /** Without `attemptsMax` there is no limit. */
  | {
      readonly kind: "retry";
      readonly delayMs: number;
      readonly request: WireRequest;
      readonly attemptsMax?: number;
      readonly first?: PreparedBy;
    };

/** What has to be done before the next attempt. */
export type PreparedBy = "refresh-credentials" | "use-fresh-connections";

export type FailedAttempt = {
  readonly failure: Failure;
  /** What the attempt asked. */
  readonly asked: WireRequest;
  readonly canRefreshCredentials: boolean;
};

/** An address that never answered is probably wrong, and a person who mistyped it should not wait for minutes. */
const attemptsUnreachedMax = 3;

const overloadsMax = 3;
const unopenedMax = 2;

/** A source that nobody waits for only adds to an overload. */
const foreground: ReadonlySet<QuerySource> = new Set(["main", "subagent", "fork", "compaction"]);

/** The vendor's counts and ours differ by less. */
const overflowMarginTokens = 1_000;
const outputTokensMin = 3_000;

/** The first rule that applies decides. Counts the failure in both histories. */
export function decideRetry(
  attempt: FailedAttempt,
  { provider, request }: { readonly provider: ProviderHistory; readonly request: RequestHistory },
  patience: Patience,
): RetryDecision {
  const { failure, asked } = attempt;
  if (failure.code === "aborted") return surface(failure);
  if (failure.code === "server_overload") {
    if (!foreground.has(asked.source)) return surface(failure);
    countOverload(provider, request);
    if (provider.overloads >= overloadsMax && !patience.unattended) {
      // Whoever asks next starts over: the vendor may have recovered in between.
      provider.overloads = 0;
      return surface(repeatedOverload(failure));
    }
  }
  if (failure.status !== undefined) provider.reached = true;
  const isLimited = !(patience.unattended && isCapacity(failure, patience));
  if (isLimited) request.counted++;
  const limit = isUnreached(failure, provider) && !patience.unattended ? attemptsUnreachedMax : attemptsMax;
  const hasAttempts = request.counted < limit;
  const retry = { kind: "retry", delayMs: 0, ...(isLimited ? { attemptsMax: limit } : {}) } as const;

  if (isRejectedCredential(failure)) {
    if (request.refreshedCredentials) return surface(secondRejection(failure));
    if (!attempt.canRefreshCredentials || !hasAttempts) return surface(failure);
    request.refreshedCredentials = true;
    return { ...retry, request: asked, first: "refresh-credentials" };
  }
  if (failure.overflow !== undefined) {
    const outputTokensMax = outputRoom(failure.overflow, asked);
    if (outputTokensMax === undefined || !hasAttempts) return surface(tooLong(failure));
    return { ...retry, request: { ...asked, outputTokensMax } };
  }
  if (!(failure.retryable || isQuotaWithEnd(failure, patience)) || !hasAttempts) return surface(failure);
  const next = nextRequest(attempt, request);
  if (failure.code === "stale_connection" && !provider.usesFreshConnections) {
    provider.usesFreshConnections = true;
    return { ...retry, request: next, first: "use-fresh-connections" };
  }
  const delayMs = delayBeforeRetry(failure, { attempt: request.attempt, totalMs: request.waitedMs }, patience);
  return delayMs === undefined ? surface(failure) : { ...retry, delayMs, request: next };
}

/** Several requests under way meet the same overload, which then is still one. */
function countOverload(provider: ProviderHistory, { begun }: RequestHistory): void {
  if (begun <= provider.begunAtOverload) return;
  provider.overloads++;
  provider.begunAtOverload = provider.begun;
}

function surface(failure: Failure): RetryDecision {
  return { kind: "surface", failure };
}

/** What passes when the vendor has room again, however long that takes. */
function isCapacity(failure: Failure, patience: Patience): boolean {
  return failure.code === "rate_limit" || failure.code === "server_overload" || isQuotaWithEnd(failure, patience);
}

/** A quota that is used up helps nobody who asks again, unless it is known when it is filled. */
function isQuotaWithEnd({ code, resetAtMs }: Failure, { nowMs }: Patience): boolean {
  return code === "quota_exhausted" && resetAtMs !== undefined && resetAtMs > nowMs;
}

function isUnreached({ code }: Failure, { reached }: ProviderHistory): boolean {
  return code === "connection_error" && !reached;
}

function isRejectedCredential({ code, status }: Failure): boolean {
  return status === 401 || code === "token_expired" || code === "token_revoked";
}

/** Once per request the answer is asked for in one piece: what breaks streams on their way may let that pass. */
function nextRequest({ failure, asked }: FailedAttempt, history: RequestHistory): WireRequest {
  const { whole, ...streamed } = asked;
  if (whole === true || history.triedWhole || failure.status !== undefined) return streamed;
  switch (failure.code) {
    case "api_timeout":
      break;
    case "connection_error":
    case "stale_connection":
      history.unopened++;
      if (history.unopened < unopenedMax) return streamed;
      break;
    default:
      return streamed;
  }
  history.triedWhole = true;
  return { ...streamed, whole: true };
}

/** How long the answer may be beside this conversation; undefined when shortening it does not help. */
function outputRoom(
  { inputTokens, limitTokens }: NonNullable<Failure["overflow"]>,
  { outputTokensMax, reasoning }: WireRequest,
): number | undefined {
  const room = limitTokens - inputTokens - overflowMarginTokens;
  const thinkingTokens = reasoning?.tokensMax ?? 0;
  const fits = room >= outputTokensMin && room > thinkingTokens + 1 && room < outputTokensMax;
  return fits ? room : undefined;
}

function tooLong(failure: Failure): Failure {
  return { ...failure, code: "prompt_too_long", retryable: false };
}

function repeatedOverload(failure: Failure): Failure {
  return {
    ...failure,
    code: "repeated_overload",
    recovery: "Wait a while, or choose another model.",
    retryable: false,
  };
}

function secondRejection(failure: Failure): Failure {
  return { ...failure, code: "auth_error", recovery: 'Run "kedge auth login".', retryable: false };
}
