/** The one failure value: what went wrong outside kedge, in words for a person, and whether trying again may help. */

/** Classes of model-call failures, and the few that come from this machine. */
export const failureCodes = [
  "aborted",
  "api_timeout",
  "connection_error",
  "stale_connection",
  "ssl_cert_error",
  "rate_limit",
  "quota_exhausted",
  "server_overload",
  "repeated_overload",
  "server_error",
  "prompt_too_long",
  "max_output_tokens",
  "request_too_large",
  "image_too_large",
  "pdf_too_large",
  "pdf_protected",
  "too_many_media",
  "tool_pairing",
  "invalid_model",
  "model_access_denied",
  "credit_too_low",
  // A spending limit of the user.
  "budget_exceeded",
  "invalid_api_key",
  "token_expired",
  "token_revoked",
  "auth_error",
  "policy_refusal",
  "bad_request",
  "malformed_response",
  "storage",
  // The machine has no process, descriptor or memory left for it.
  "resources",
  "session_busy",
  // What would be undone was changed by somebody else since.
  "changed_since",
  "not_found",
  "invalid_command",
  "no_model",
  "configuration",
  "unknown",
] as const;

export type FailureCode = (typeof failureCodes)[number];

export type Failure = {
  readonly code: FailureCode;
  /** One sentence for a person: what happened, to what. Never a stack trace, never a secret. */
  readonly message: string;
  /** What to do next, as one short sentence. */
  readonly recovery?: string;
  /** Decided only at the boundary that caught the failure. */
  readonly retryable: boolean;
  readonly status?: number;
  readonly requestId?: string;
  /** How long the other side asks to be left alone. */
  readonly retryAfterMs?: number;
  /** When the limit that was hit is lifted, in milliseconds since the epoch. */
  readonly resetAtMs?: number;
  /** What the vendor counted when it found the conversation too long, and what it would have accepted. */
  readonly overflow?: { readonly inputTokens: number; readonly limitTokens: number };
};

/** Carries a failure through code that can only throw; caught where the failure becomes an outcome. */
export class FailureError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}
