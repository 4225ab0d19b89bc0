/** Says what a failed model call means: the one place where statuses, vendor codes and system errors become failures. */

import { type Failure, type FailureCode, isJsonObject } from "@kedge/protocol";
import type { ResponseHeaders } from "../http/response-head.ts";

/** Whom the call was for. */
export type CallContext = {
  readonly host: string;
  readonly requestId: string;
  /** Takes the user's secrets out of text that came from outside. */
  readonly redact: (text: string) => string;
};

const vendorMessageCharactersMax = 300;

type Wording = { readonly says: string; readonly recovery?: string; readonly retryable: boolean };

/** `says` follows the host's name, so that each message is one sentence. */
const wordings: { readonly [code in FailureCode]?: Wording } = {
  api_timeout: { says: "did not answer in time", recovery: "Try again.", retryable: true },
  rate_limit: { says: "limits the rate of requests", recovery: "Wait, or choose another model.", retryable: true },
  quota_exhausted: { says: "reports that the quota is used up", recovery: "Add credit or wait.", retryable: false },
  server_overload: { says: "is overloaded", recovery: "Try again, or choose another model.", retryable: true },
  server_error: { says: "reported an error of its own", recovery: "Try again.", retryable: true },
  prompt_too_long: { says: "finds the conversation too long", recovery: "Shorten the conversation.", retryable: false },
  request_too_large: { says: "finds the request too large", recovery: "Remove large content.", retryable: false },
  invalid_model: {
    says: "does not know this model or address",
    recovery: "Check the model id and the base URL, or choose another model.",
    retryable: false,
  },
  invalid_api_key: { says: "rejected the API key", recovery: "Set a valid API key.", retryable: false },
  auth_error: { says: "denied access", recovery: "Check what the API key may use.", retryable: false },
  policy_refusal: { says: "declined the request", recovery: "Rephrase the request.", retryable: false },
  configuration: {
    says: "sends requests elsewhere",
    recovery: "Set the base URL to the service's final address.",
    retryable: false,
  },
  bad_request: { says: "rejected the request", recovery: "Report it with the request id.", retryable: false },
};

const codeOfStatus: ReadonlyMap<number, FailureCode> = new Map([
  [401, "invalid_api_key"],
  [402, "quota_exhausted"],
  [403, "auth_error"],
  [404, "invalid_model"],
  [408, "api_timeout"],
  [413, "request_too_large"],
  [429, "rate_limit"],
  [503, "server_overload"],
  [504, "api_timeout"],
  [529, "server_overload"],
]);

/** What vendors write into `error.code` or `error.type`; more exact than a status, which streams do not even have. */
const codeOfVendorWord: ReadonlyMap<unknown, FailureCode> = new Map([
  ["context_length_exceeded", "prompt_too_long"],
  ["insufficient_quota", "quota_exhausted"],
  ["rate_limit_exceeded", "rate_limit"],
  ["rate_limit_error", "rate_limit"],
  ["overloaded_error", "server_overload"],
  ["server_error", "server_error"],
  ["invalid_api_key", "invalid_api_key"],
  ["model_not_found", "invalid_model"],
  ["content_filter", "policy_refusal"],
  ["content_policy_violation", "policy_refusal"],
]);

/** A status other than success. `body` is the beginning of what came with it. */
export function failureOfStatus(
  answer: { readonly status: number; readonly headers: ResponseHeaders; readonly body: string },
  context: CallContext,
): Failure {
  const error = errorOfBody(answer.body);
  const code = codeOfVendorError(error) ?? codeOfNumber(answer.status);
  const waitSeconds = Number(answer.headers["retry-after"]);
  const failure = vendorFailure({ code, error, status: answer.status }, context);
  const vendorId = answer.headers["x-request-id"];
  return {
    ...failure,
    ...(code === "rate_limit" && waitSeconds > 0
      ? { recovery: `Wait ${Math.ceil(waitSeconds)} s, or choose another model.` }
      : {}),
    requestId: typeof vendorId === "string" ? vendorId : context.requestId,
  };
}

/** The content of a member `error` inside an answer that had begun well. */
export function failureOfVendorError(error: unknown, context: CallContext): Failure {
  const status = isJsonObject(error) && typeof error["code"] === "number" ? error["code"] : undefined;
  const code = codeOfVendorError(error) ?? (status === undefined ? "server_error" : codeOfNumber(status));
  return vendorFailure({ code, error, status }, context);
}

export function malformedResponse(what: string, context: CallContext): Failure {
  return {
    code: "malformed_response",
    message: `${context.host} sent ${what}.`,
    recovery: "Check that the base URL belongs to a service that speaks the api of this provider.",
    retryable: false,
    requestId: context.requestId,
  };
}

function codeOfNumber(status: number): FailureCode {
  if (status < 400) return "configuration";
  return codeOfStatus.get(status) ?? (status >= 500 ? "server_error" : "bad_request");
}

function codeOfVendorError(error: unknown): FailureCode | undefined {
  if (!isJsonObject(error)) return undefined;
  return codeOfVendorWord.get(error["code"]) ?? codeOfVendorWord.get(error["type"]);
}

function vendorFailure(
  found: { readonly code: FailureCode; readonly error: unknown; readonly status: number | undefined },
  context: CallContext,
): Failure {
  const wording = wordings[found.code] ?? { says: "failed", retryable: false };
  const status = found.status === undefined ? "" : ` (status ${found.status})`;
  const vendorMessage = context.redact(messageOf(found.error)).trim();
  const shortened =
    vendorMessage.length > vendorMessageCharactersMax
      ? `${vendorMessage.slice(0, vendorMessageCharactersMax)}…`
      : vendorMessage;
  return {
    code: found.code,
    message: `${context.host} ${wording.says}${status}${shortened === "" ? "." : `: ${shortened}`}`,
    ...(wording.recovery === undefined ? {} : { recovery: wording.recovery }),
    retryable: wording.retryable,
    ...(found.status === undefined ? {} : { status: found.status }),
    requestId: context.requestId,
  };
}

function errorOfBody(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) ? (value["error"] ?? value) : undefined;
  } catch (error) {
    // Proxies answer with pages of HTML; the status alone then says what happened.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function messageOf(error: unknown): string {
  if (typeof error === "string") return error;
  return isJsonObject(error) && typeof error["message"] === "string" ? error["message"] : "";
}
