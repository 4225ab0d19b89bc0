import { expect, test } from "vitest";
import { failureOfStop } from "./connection-failure.ts";

const context = { host: "models.test", requestId: "req-1", redact: (text: string) => text };

test.each([
  ["ECONNREFUSED", "connection_error", true],
  ["ENOTFOUND", "connection_error", true],
  ["EAI_AGAIN", "connection_error", true],
  ["ECONNRESET", "stale_connection", true],
  ["EPIPE", "stale_connection", true],
  ["ETIMEDOUT", "api_timeout", true],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "ssl_cert_error", false],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "ssl_cert_error", false],
  ["HPE_INVALID_CONSTANT", "malformed_response", false],
  ["ERR_INVALID_CHAR", "configuration", false],
  ["ESOMETHINGNEW", "connection_error", true],
])("%s becomes %s", (systemCode, code, retryable) => {
  const error = Object.assign(new Error("text that is never shown"), { code: systemCode });
  const failure = failureOfStop({ kind: "broken", error }, context);
  expect(failure).toMatchObject({ code, retryable, requestId: "req-1" });
  expect(failure.message).toContain("models.test");
  expect(failure.message).not.toContain("never shown");
});

test("a timeout names its limit and the request", () => {
  expect(failureOfStop({ kind: "timed-out", limit: "idle", limitMs: 90_000 }, context)).toEqual({
    code: "api_timeout",
    message: "models.test sent nothing for 90 s (request req-1).",
    recovery: "Try again.",
    retryable: true,
    requestId: "req-1",
  });
});
