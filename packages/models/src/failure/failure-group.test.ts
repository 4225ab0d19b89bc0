import { expect, test } from "vitest";
import { failureGroup } from "./failure-group.ts";

test.each([
  ["server_overload", "retryable"],
  ["stale_connection", "retryable"],
  ["rate_limit", "retryable"],
  ["quota_exhausted", "fatal"],
  ["repeated_overload", "fatal"],
  ["prompt_too_long", "overflow"],
  ["request_too_large", "overflow"],
  ["token_expired", "auth"],
  ["invalid_api_key", "auth"],
  ["bad_request", "fatal"],
  ["unknown", "fatal"],
] as const)("%s is %s", (code, group) => {
  expect(failureGroup(code)).toBe(group);
});
