/** The words by which vendors name their errors, in `code`, `type`, `status`, `reason` or an exception's name. */
import type { VendorFailureCode } from "./failure-wordings.ts";

/** Put first among the words of an error whose details name a limit per day, which no retry outlasts. */
export const dailyQuotaWord = "quota per day";

/** More exact than a status, which streams do not even have. */
const exact: { readonly [code in VendorFailureCode]?: readonly string[] } = {
  prompt_too_long: [
    "context_length_exceeded",
    "context_exceeded",
    "exceed_context_size_error",
    "model_max_prompt_tokens_exceeded",
    "tokens_limit_reached",
  ],
  quota_exhausted: [dailyQuotaWord, "insufficient_quota", "usage_limit_reached", "usage_not_included"],
  credit_too_low: ["billing_error", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"],
  rate_limit: [
    "rate_limit_exceeded",
    "rate_limit_error",
    "ratelimitexceeded",
    "resource_exhausted",
    "throttlingexception",
    "throttling_error",
    "too_many_requests",
    "toomanyrequestsexception",
  ],
  server_overload: [
    "overloaded_error",
    "engine_overloaded_error",
    "model_capacity_exhausted",
    "modelnotreadyexception",
    "server_is_overloaded",
    "service_unavailable",
    "serviceunavailableexception",
    "slow_down",
    "unavailable",
  ],
  server_error: ["server_error", "internal", "internal_error", "internal_server_error", "internalserverexception"],
  api_timeout: ["timeout_error", "deadline_exceeded", "modeltimeoutexception", "request_timeout"],
  request_too_large: ["request_too_large"],
  image_too_large: ["image_too_large"],
  invalid_api_key: [
    "invalid_api_key",
    "api_key_invalid",
    "invalid_authentication_error",
    "unrecognizedclientexception",
  ],
  token_expired: ["token_expired", "expiredtokenexception", "expiredtoken"],
  token_revoked: ["token_revoked", "token_invalidated"],
  auth_error: [
    "account_deactivated",
    "api_key_service_blocked",
    "consumer_suspended",
    "insufficient_permissions",
    "invalidsignatureexception",
    "service_disabled",
    "unauthenticated",
  ],
  invalid_model: ["model_not_found", "deploymentnotfound", "resourcenotfoundexception", "invalid_model"],
  policy_refusal: [
    "content_filter",
    "content_policy_violation",
    "data_inspection_failed",
    "invalid_prompt",
    "responsibleaipolicyviolation",
  ],
};

/** Words for whole families of errors: a telling status says more. */
const vague: { readonly [code in VendorFailureCode]?: readonly string[] } = {
  bad_request: [
    "badrequesterror",
    "failed_precondition",
    "invalid_argument",
    "invalid_image",
    "invalid_request_error",
    "string_above_max_length",
    "unsupported_parameter",
    "unsupported_value",
    "validationexception",
  ],
  invalid_api_key: ["authentication_error"],
  auth_error: ["accessdeniedexception", "permission_denied", "permission_error"],
  invalid_model: ["not_found", "not_found_error"],
  server_error: ["api_error"],
};

export type WordPrecision = "exact" | "vague";

/** `words` in lower case, the most telling first. */
export function codeOfWords(words: readonly string[], precision: WordPrecision): VendorFailureCode | undefined {
  const table = Object.entries(precision === "exact" ? exact : vague);
  for (const word of words) {
    const found = table.find(([, known]) => known.includes(word));
    // The keys of both tables are of this type; `Object.entries` only cannot say so.
    if (found !== undefined) return found[0] as VendorFailureCode;
  }
  return undefined;
}
