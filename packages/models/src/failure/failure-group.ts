/** What may help after a failure, told by its class alone. */
import type { FailureCode } from "@kedge/protocol";

/** Trying again, sending less, other credentials, or nothing without the user. */
export type FailureGroup = "retryable" | "overflow" | "auth" | "fatal";

export function failureGroup(code: FailureCode): FailureGroup {
  switch (code) {
    case "api_timeout":
    case "connection_error":
    case "stale_connection":
    case "rate_limit":
    case "server_overload":
    case "server_error":
      return "retryable";
    case "prompt_too_long":
    case "request_too_large":
    case "too_many_media":
      return "overflow";
    case "invalid_api_key":
    case "token_expired":
    case "token_revoked":
    case "auth_error":
      return "auth";
    case "aborted":
    case "ssl_cert_error":
    case "quota_exhausted":
    case "repeated_overload":
    case "max_output_tokens":
    case "image_too_large":
    case "pdf_too_large":
    case "pdf_protected":
    case "tool_pairing":
    case "invalid_model":
    case "model_access_denied":
    case "credit_too_low":
    case "budget_exceeded":
    case "policy_refusal":
    case "bad_request":
    case "malformed_response":
    case "storage":
    case "resources":
    case "session_busy":
    case "changed_since":
    case "not_found":
    case "invalid_command":
    case "no_model":
    case "configuration":
    case "unknown":
      return "fatal";
  }
}
