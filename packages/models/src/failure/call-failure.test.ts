import { expect, test } from "vitest";
import { type CallContext, failureOfStatus, failureOfVendorError } from "./call-failure.ts";

const nowMs = Date.parse("2026-01-01T12:00:00Z");

const context: CallContext = {
  host: "models.test",
  requestId: "req-1",
  redact: (text) => text.replaceAll("sk-secret", "[secret]"),
  now: () => nowMs,
};

function answer(status: number, headers: { readonly [name: string]: string } = {}, error: object = {}) {
  return { status, headers, body: JSON.stringify({ error }) };
}

test("a failure says what happened, what to do, and nothing secret", () => {
  expect(failureOfStatus(answer(401, {}, { message: "The key sk-secret is wrong." }), context)).toEqual({
    code: "invalid_api_key",
    message: "models.test rejected the API key (status 401): The key [secret] is wrong.",
    recovery: 'Run "kedge auth login", or set a valid API key.',
    retryable: false,
    status: 401,
    requestId: "req-1",
  });
});

test("the recovery of key problems names the provider's variable", () => {
  const named = { ...context, keyName: "ACME_API_KEY" };
  expect([401, 403, 404].map((status) => failureOfStatus(answer(status), named).recovery)).toEqual([
    'Set ACME_API_KEY to a valid key, or run "kedge auth login".',
    'Check the permissions of the key in ACME_API_KEY, or run "kedge auth login".',
    "Check the model id and the base URL, or choose another model with /model or --model.",
  ]);
});

test.each([
  [{ "retry-after": "20" }, 20_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "Thu, 01 Jan 2026 12:00:30 GMT" }, 30_000],
  [{ "retry-after": "Thu, 01 Jan 2026 11:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "20", "retry-after-ms": "1500.2" }, 1_501],
  [{}, undefined],
])("the headers %o ask to wait %s ms", (headers, retryAfterMs) => {
  expect(failureOfStatus(answer(429, headers), context).retryAfterMs).toBe(retryAfterMs);
});

test("a date is compared with the answer's own when the time is not known", () => {
  const { now: _, ...timeless } = context;
  const headers = { date: "Thu, 01 Jan 2026 12:00:00 GMT", "retry-after": "Thu, 01 Jan 2026 12:00:30 GMT" };
  expect(failureOfStatus(answer(429, headers), timeless).retryAfterMs).toBe(30_000);
  expect(failureOfStatus(answer(429, { "retry-after": headers["retry-after"] }), timeless)).toEqual({
    code: "rate_limit",
    message: "models.test is rate limiting requests (status 429).",
    recovery: "Wait, or choose another model with /model or --model.",
    retryable: true,
    status: 429,
    requestId: "req-1",
  });
});

test.each([
  [{ "anthropic-ratelimit-unified-reset": String(nowMs / 1000 + 600) }, nowMs + 600_000],
  [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s" }, nowMs + 360_000],
  [
    {
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "1s",
      "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-tokens": "1m30s",
    },
    nowMs + 90_000,
  ],
  [{ "x-ratelimit-remaining-requests": "7", "x-ratelimit-reset-requests": "6m0s" }, undefined],
  [
    { "anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-reset": "2026-01-01T12:00:20Z" },
    nowMs + 20_000,
  ],
])("the limits %o are lifted at %s", (headers, resetAtMs) => {
  expect(failureOfStatus(answer(429, headers), context).resetAtMs).toBe(resetAtMs);
});

test("only a limit has a moment at which it is lifted", () => {
  const headers = { "anthropic-ratelimit-unified-reset": "1767268800" };
  expect(failureOfStatus(answer(500, headers), context)).not.toHaveProperty("resetAtMs");
});

test("the recovery of a limit says how long to wait", () => {
  const reset = { "anthropic-ratelimit-unified-reset": String(nowMs / 1000 + 3 * 3600 + 41 * 60) };
  expect(failureOfStatus(answer(429, { "retry-after": "20" }), context).recovery).toBe(
    "Wait 20 s, or choose another model with /model or --model.",
  );
  expect(failureOfStatus(answer(429, reset), context).recovery).toBe(
    "Wait 3 h 41 min, or choose another model with /model or --model.",
  );
});

test("a used-up window of a plan is no rate limit, and is not retried even when the vendor says so", () => {
  const headers = {
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-reset": String(nowMs / 1000 + 7200),
    "x-should-retry": "true",
  };
  expect(failureOfStatus(answer(429, headers, { type: "rate_limit_error", message: "No." }), context)).toEqual({
    code: "quota_exhausted",
    message: "models.test reports that the quota is exhausted (status 429): No.",
    recovery: "Wait 2 h, or choose another model with /model or --model.",
    retryable: false,
    status: 429,
    requestId: "req-1",
    resetAtMs: nowMs + 7_200_000,
  });
});

test.each([
  [500, "false", false],
  [529, "true", true],
  [400, "true", true],
  [400, undefined, false],
  [401, "true", false],
  [413, "true", false],
  [402, "true", false],
])("status %i with the advice %s: another try is %s", (status, advice, retryable) => {
  const headers = advice === undefined ? undefined : { "x-should-retry": advice };
  expect(failureOfStatus(answer(status, headers), context).retryable).toBe(retryable);
});

test.each(["x-request-id", "request-id", "x-amzn-requestid", "apim-request-id"])(
  "the request id is read from %s",
  (name) => {
    expect(failureOfStatus(answer(500, { [name]: "vendor-9" }), context).requestId).toBe("vendor-9");
  },
);

test("what a vendor says about length counts only with a status that can mean it", () => {
  const error = { message: "prompt is too long: 3 tokens > 2 maximum" };
  expect(failureOfStatus(answer(400, {}, error), context)).toEqual({
    code: "prompt_too_long",
    message:
      "models.test rejected the conversation: context limit exceeded, 3 of 2 tokens (status 400): prompt is too long: 3 tokens > 2 maximum",
    recovery: "Run /compact, go back with /undo, or start a new session.",
    retryable: false,
    status: 400,
    requestId: "req-1",
    overflow: { inputTokens: 3, limitTokens: 2 },
  });
  expect(failureOfStatus(answer(401, {}, error), context).code).toBe("invalid_api_key");
});

test("an error inside a stream is known by its words, or not at all", () => {
  const codes = [
    { type: "overloaded_error", message: "Overloaded" },
    { type: "invalid_request_error", message: "No." },
    { code: 503, message: "Busy." },
    { message: "Odd." },
    undefined,
  ].map((error) => failureOfVendorError(error, context).code);
  expect(codes).toEqual(["server_overload", "bad_request", "server_overload", "unknown", "unknown"]);
});

test("bodies of odd shapes fall back to the status", () => {
  const bodies = ["", "null", "[]", '"text"', "{", '{"error":null}', '{"error":[]}', "<html></html>", "[[[[[[[]]]]]]]"];
  for (const body of bodies)
    expect(failureOfStatus({ status: 500, headers: {}, body }, context), body).toMatchObject({ code: "server_error" });
});
