/** How failures and refusals look over HTTP: the one table from a failure's code to a status, and the body of both. */
import { type Failure, type FailureCode, reasonOf } from "@kedge/protocol";

type FailureStatus = 400 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504 | 507;

/** 4xx: the request or the state it met; 422: the configuration; 502 to 504: the vendor, 503 also this machine; 507: the disk of this machine. */
const statusOfFailure: { readonly [Code in FailureCode]: FailureStatus } = {
  invalid_command: 400,
  bad_request: 400,
  tool_pairing: 400,
  not_found: 404,
  session_busy: 409,
  changed_since: 409,
  aborted: 409,
  prompt_too_long: 413,
  request_too_large: 413,
  image_too_large: 413,
  pdf_too_large: 413,
  too_many_media: 413,
  pdf_protected: 422,
  no_model: 422,
  configuration: 422,
  invalid_model: 422,
  model_access_denied: 422,
  credit_too_low: 422,
  budget_exceeded: 422,
  invalid_api_key: 422,
  token_expired: 422,
  token_revoked: 422,
  auth_error: 422,
  policy_refusal: 422,
  rate_limit: 429,
  quota_exhausted: 429,
  unknown: 500,
  connection_error: 502,
  stale_connection: 502,
  ssl_cert_error: 502,
  server_error: 502,
  malformed_response: 502,
  max_output_tokens: 502,
  server_overload: 503,
  repeated_overload: 503,
  resources: 503,
  api_timeout: 504,
  storage: 507,
};

/** Beside failure codes: what the server itself says no with. */
export type RefusalCode =
  | "scope"
  | "already_answered"
  | "idempotency_key"
  | "directory"
  | "other_project"
  | "method_not_allowed"
  | "media_type"
  | "too_large"
  | "bug";

export type Problem = {
  readonly status: number;
  readonly code: FailureCode | RefusalCode | (string & {});
  readonly message: string;
  readonly recovery?: string;
  readonly retryable?: boolean;
  readonly headers?: { readonly [name: string]: string };
};

export function problemOfFailure({ code, message, recovery, retryable, retryAfterMs }: Failure): Problem {
  return {
    status: statusOfFailure[code],
    code,
    message,
    ...(recovery !== undefined && { recovery }),
    retryable,
    ...(retryAfterMs !== undefined && { headers: { "retry-after": String(Math.ceil(retryAfterMs / 1000)) } }),
  };
}

const shortages: ReadonlyMap<string, "resources" | "storage"> = new Map([
  ["EMFILE", "resources"],
  ["ENFILE", "resources"],
  ["EAGAIN", "resources"],
  ["ENOMEM", "resources"],
  ["ENOSPC", "storage"],
  ["EDQUOT", "storage"],
  ["EROFS", "storage"],
]);

/** For what the machine refused somewhere below: the request was sound, and so is the server. Undefined for a bug. */
export function problemOfShortage(error: unknown): Problem | undefined {
  const code = error instanceof Error && "code" in error ? shortages.get(String(error.code)) : undefined;
  if (code === undefined) return undefined;
  const message = `Not possible right now: ${reasonOf(error)}.`;
  return code === "storage"
    ? problemOfFailure({ code, message, recovery: "Free some space and try again.", retryable: false })
    : problemOfFailure({ code, message, recovery: "Try again in a moment.", retryable: true, retryAfterMs: 1000 });
}

export type ProblemBody = {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly recovery?: string;
    readonly retryable?: boolean;
  };
};

export function problemBody({ code, message, recovery, retryable }: Problem): ProblemBody {
  return {
    error: {
      code,
      message,
      ...(recovery !== undefined && { recovery }),
      ...(retryable !== undefined && { retryable }),
    },
  };
}

/** Carries a refusal out of code that only gives back answers; caught once, by the app. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}
