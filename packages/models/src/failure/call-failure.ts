/** Says what a failed model call means: the one place where statuses, headers and vendor errors become failures. */
import type { Failure } from "@kedge/protocol";
import type { ResponseHeaders } from "../http/http-exchange.ts";
import { durationMsOf, momentMsOf } from "../limits/header-times.ts";
import { limitLiftedAtMs, type RateLimits, readRateLimits } from "../limits/rate-limits.ts";
import { timeLeft } from "../limits/time-left.ts";
import { failureGroup } from "./failure-group.ts";
import { type VendorFailureCode, waitRecovery, wordingOf } from "./failure-wordings.ts";
import { type MessageMatch, matchMessage, waitMsInMessage } from "./message-patterns.ts";
import { plainWord, readErrorBody, readVendorError, type VendorError } from "./vendor-error.ts";
import { codeOfWords } from "./vendor-words.ts";

/** Whom the call was for. */
export type CallContext = {
  readonly host: string;
  readonly requestId: string;
  /** Takes the user's secrets out of text that came from outside. */
  readonly redact: (text: string) => string;
  /** The environment variable that holds the provider's key. */
  readonly keyName?: string;
  /** Milliseconds since the epoch. Without it, the answer's `date` is taken for the present. */
  readonly now?: () => number;
};

const vendorMessageCharactersMax = 300;

const codeOfStatus: ReadonlyMap<number, VendorFailureCode> = new Map([
  [401, "invalid_api_key"],
  [402, "credit_too_low"],
  [403, "auth_error"],
  [404, "invalid_model"],
  [408, "api_timeout"],
  [409, "server_error"],
  [413, "request_too_large"],
  [429, "rate_limit"],
  [503, "server_overload"],
  [504, "api_timeout"],
  [529, "server_overload"],
]);

/** Where vendors say how they call the request in their own logs. */
const requestIdHeaders = ["x-request-id", "request-id", "x-amzn-requestid", "apim-request-id", "x-oai-request-id"];

/** A status other than success. `body` is the beginning of what came with it. */
export function failureOfStatus(
  answer: { readonly status: number; readonly headers: ResponseHeaders; readonly body: string },
  context: CallContext,
): Failure {
  const { status, headers } = answer;
  const read = readErrorBody(answer.body);
  const exception = headers["x-amzn-errortype"];
  const error = exception === undefined ? read : { ...read, words: [...read.words, plainWord(exception)] };
  const nowMs = context.now?.() ?? Date.parse(headers["date"] ?? "");
  const limits = readRateLimits(headers, nowMs);
  const match = matchMessage(error.message, status);
  const classified = classify(error, { status, match });
  const code = classified === "rate_limit" && isPlanUsedUp(limits) ? "quota_exhausted" : classified;
  return describe(
    { code, error, status, match },
    {
      ...context,
      requestId: vendorRequestId(headers) ?? error.requestId ?? context.requestId,
      retryAfterMs: retryAfterMsOf(headers, nowMs),
      resetAtMs: limits === undefined ? undefined : limitLiftedAtMs(limits),
      nowMs,
      shouldRetry: headers["x-should-retry"],
    },
  );
}

/** The content of a member `error` inside an answer that had begun well. */
export function failureOfVendorError(value: unknown, context: CallContext): Failure {
  const error = readVendorError(value);
  const match = matchMessage(error.message, error.status);
  const code = classify(error, { status: error.status, match });
  const nowMs = context.now?.() ?? Number.NaN;
  return describe({ code, error, status: error.status, match }, { ...context, nowMs });
}

export function malformedResponse(what: string, context: CallContext): Failure {
  return {
    code: "malformed_response",
    message: `${context.host} sent ${what}.`,
    recovery: "Check that the base URL matches the provider's API.",
    retryable: false,
    requestId: context.requestId,
  };
}

type Found = {
  readonly code: VendorFailureCode;
  readonly error: VendorError;
  readonly status: number | undefined;
  readonly match: MessageMatch | undefined;
};

/** What the headers of the answer add to the context of the call. */
type Circumstances = CallContext & {
  /** NaN when nobody knows the time; moments that depend on it are then left out. */
  readonly nowMs: number;
  readonly retryAfterMs?: number | undefined;
  readonly resetAtMs?: number | undefined;
  readonly shouldRetry?: string | undefined;
};

/** From the most exact evidence to the vaguest. */
function classify(
  error: VendorError,
  { status, match }: { readonly status: number | undefined; readonly match: MessageMatch | undefined },
): VendorFailureCode {
  const exact = match?.code ?? codeOfWords(error.words, "exact");
  if (exact !== undefined) return exact;
  const ofStatus = status === undefined ? undefined : codeOfStatus.get(status);
  return ofStatus ?? codeOfWords(error.words, "vague") ?? codeOfNumber(status);
}

function codeOfNumber(status: number | undefined): VendorFailureCode {
  if (status === undefined) return "unknown";
  if (status < 400) return "configuration";
  if (status >= 500) return "server_error";
  return status === 400 || status === 422 ? "bad_request" : "unknown";
}

/** A window of hours or days, in contrast to a rate that recovers within a minute. */
function isPlanUsedUp(limits: RateLimits | undefined): boolean {
  return limits?.status === "rejected";
}

function vendorRequestId(headers: ResponseHeaders): string | undefined {
  for (const name of requestIdHeaders) {
    const id = headers[name];
    if (id !== undefined && id !== "") return id;
  }
  return undefined;
}

function retryAfterMsOf(headers: ResponseHeaders, nowMs: number): number | undefined {
  const exact = headers["retry-after-ms"];
  if (exact !== undefined && Number(exact) >= 0) return Math.ceil(Number(exact));
  const written = headers["retry-after"];
  if (written === undefined || written === "") return undefined;
  if (Number(written) >= 0) return Math.ceil(Number(written) * 1000);
  const durationMs = durationMsOf(written) ?? (momentMsOf(written, nowMs) ?? Number.NaN) - nowMs;
  return Number.isNaN(durationMs) ? undefined : Math.max(0, durationMs);
}

function describe({ code, error, status, match }: Found, circumstances: Circumstances): Failure {
  const { host, requestId, nowMs, redact, keyName } = circumstances;
  const counts = code === "prompt_too_long" ? (match?.counts ?? error.counts) : undefined;
  const retryAfterMs = circumstances.retryAfterMs ?? delayMsOf(code, error);
  const resetAtMs = resetAtMsOf(code, error, circumstances);
  const wording = wordingOf(code, keyName);
  const wait = waitText(code, { retryAfterMs, untilResetMs: (resetAtMs ?? Number.NaN) - nowMs });
  const size =
    counts === undefined
      ? ""
      : `, ${counts.inputTokens.toLocaleString("en-US")} of ${counts.limitTokens.toLocaleString("en-US")} tokens`;
  const ofStatus = status === undefined ? "" : ` (status ${status})`;
  const vendorMessage = shorten(redact(error.message).trim());
  return {
    code,
    message: `${host} ${wording.says}${size}${ofStatus}${vendorMessage === "" ? "." : `: ${vendorMessage}`}`,
    recovery: wait === undefined ? wording.recovery : waitRecovery(wait),
    retryable: isRetryable(code, circumstances.shouldRetry),
    ...(status === undefined ? {} : { status }),
    requestId,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(resetAtMs === undefined ? {} : { resetAtMs }),
    ...(counts === undefined ? {} : { overflow: counts }),
  };
}

/** Only where waiting helps: Google names some seconds even when a day's worth is used up. */
function delayMsOf(code: VendorFailureCode, { retryDelayMs, message }: VendorError): number | undefined {
  return failureGroup(code) === "retryable" ? (retryDelayMs ?? waitMsInMessage(message)) : undefined;
}

/** The vendor's own advice counts, except where the same request cannot succeed before hours or without a change. */
function isRetryable(code: VendorFailureCode, shouldRetry: string | undefined): boolean {
  const group = failureGroup(code);
  if (shouldRetry === "false") return false;
  if (shouldRetry !== "true") return group === "retryable";
  return group !== "auth" && group !== "overflow" && code !== "quota_exhausted" && code !== "credit_too_low";
}

function resetAtMsOf(
  code: VendorFailureCode,
  { resetAt }: VendorError,
  circumstances: Circumstances,
): number | undefined {
  if (code !== "rate_limit" && code !== "quota_exhausted") return undefined;
  const ofBody = resetAt === undefined ? undefined : momentMsOf(resetAt, circumstances.nowMs);
  const moment = ofBody ?? circumstances.resetAtMs;
  return moment === undefined || Number.isNaN(moment) ? undefined : moment;
}

function waitText(
  code: VendorFailureCode,
  { retryAfterMs, untilResetMs }: { readonly retryAfterMs: number | undefined; readonly untilResetMs: number },
): string | undefined {
  if (code !== "rate_limit" && code !== "quota_exhausted") return undefined;
  const waitMs = retryAfterMs ?? untilResetMs;
  if (!(waitMs > 0)) return undefined;
  return waitMs < 60_000 ? `${Math.ceil(waitMs / 1000)} s` : timeLeft(waitMs);
}

function shorten(message: string): string {
  return message.length > vendorMessageCharactersMax ? `${message.slice(0, vendorMessageCharactersMax)}…` : message;
}
