/** What a refusal, a strange answer or a silence of the server is as a failure: the same one as in process, where there is one. */
import {
  type Failure,
  type FailureCode,
  headerNames,
  isJsonObject,
  isSpokenProtocol,
  protocolVersion,
} from "@kedge/protocol";
import { givenUp } from "../given-up.ts";

/** The server's own words. For one that is no kedge, what its status says. */
export function failureOf(response: Response, body: unknown): Failure {
  const { status } = response;
  const error = isJsonObject(body) ? body["error"] : undefined;
  const told = isJsonObject(error) ? error : {};
  const { code, message, recovery, retryable } = told;
  const own = typeof code === "string" ? ownCode(code) : undefined;
  const retryAfterMs = secondsOf(response.headers.get("retry-after"));
  return {
    code: own ?? codesByStatus[status] ?? (status >= 500 ? "server_error" : "bad_request"),
    message: typeof message === "string" ? message : `The server answered with status ${status}.`,
    ...(typeof recovery === "string" && { recovery }),
    retryable: typeof retryable === "boolean" ? retryable : status === 429 || status >= 500,
    ...(own === undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function ownCode(code: string): FailureCode | undefined {
  return isFailureCode(code) ? code : codesOfRefusals[code];
}

function secondsOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined;
}

/** What only a server says, as what comes nearest to it in process. */
const codesOfRefusals: { readonly [code: string]: FailureCode } = {
  already_answered: "not_found",
  idempotency_key: "invalid_command",
  other_project: "configuration",
  method_not_allowed: "invalid_command",
  media_type: "bad_request",
  too_large: "request_too_large",
  bug: "unknown",
};

const codesByStatus: { readonly [status: number]: FailureCode } = {
  401: "auth_error",
  403: "auth_error",
  404: "not_found",
  409: "session_busy",
  413: "request_too_large",
  421: "auth_error",
  429: "rate_limit",
};

/** A difference in the second number is harmless; in the first one the two do not understand each other. */
export function protocolMismatch(response: Response): Failure | undefined {
  const theirs = response.headers.get(headerNames.protocol);
  if (theirs === null || isSpokenProtocol(theirs)) return undefined;
  return {
    code: "configuration",
    message: `The server speaks protocol ${theirs}, and this client ${protocolVersion}.`,
    recovery: "Use the same version of kedge on both sides, and restart the server.",
    retryable: false,
  };
}

export function strangeAnswer(url: string): Failure {
  return {
    code: "malformed_response",
    message: `The server at ${url} is not kedge.`,
    recovery: "Check the address; kedge serve prints it.",
    retryable: false,
  };
}

/** A server that speaks our protocol, and sends what no kedge sends. */
export function oddAnswer(url: string, what: string): Failure {
  return {
    code: "malformed_response",
    message: `What the server at ${url} sent for ${what} is invalid.`,
    recovery: "Use the same version of kedge on both sides, and restart the server.",
    retryable: false,
  };
}

export function connectionFailure(url: string, error: unknown, signal: AbortSignal | undefined): Failure {
  if (signal?.aborted) return givenUp;
  return {
    code: "connection_error",
    message: `The server at ${url} cannot be reached (${reasonOf(error)}).`,
    recovery: "Start it with kedge serve, or check its address.",
    retryable: true,
  };
}

/** `fetch` hides what happened behind its own words. The codes of a browser are numbers, which tell nobody anything. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return cause instanceof Error ? cause.message : String(cause);
}

function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(failureCodes, code);
}

const failureCodes: { readonly [Code in FailureCode]: true } = {
  aborted: true,
  api_timeout: true,
  connection_error: true,
  stale_connection: true,
  ssl_cert_error: true,
  rate_limit: true,
  quota_exhausted: true,
  server_overload: true,
  repeated_overload: true,
  server_error: true,
  prompt_too_long: true,
  max_output_tokens: true,
  request_too_large: true,
  image_too_large: true,
  pdf_too_large: true,
  pdf_protected: true,
  too_many_media: true,
  tool_pairing: true,
  invalid_model: true,
  model_access_denied: true,
  credit_too_low: true,
  budget_exceeded: true,
  invalid_api_key: true,
  token_expired: true,
  token_revoked: true,
  auth_error: true,
  policy_refusal: true,
  bad_request: true,
  malformed_response: true,
  storage: true,
  resources: true,
  session_busy: true,
  changed_since: true,
  not_found: true,
  invalid_command: true,
  no_model: true,
  configuration: true,
  unknown: true,
};
