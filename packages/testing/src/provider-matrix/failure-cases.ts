/** The part of the provider matrix about answers that are errors, or not what was promised. */
import assert from "node:assert/strict";
import type { FailureCode } from "@kedge/protocol";
import type { MockTurn } from "../mock-model/script.ts";
import { collect, lastFailure, type MatrixCase, type MatrixSubject, matrixApiKey, withMock } from "./matrix-case.ts";

type FailureCase = {
  readonly name: string;
  readonly turn: MockTurn;
  readonly code: FailureCode;
  readonly retryable: boolean;
};

const cases: readonly FailureCase[] = [
  { name: "a redirect", turn: status(308), code: "configuration", retryable: false },
  { name: "400", turn: status(400), code: "bad_request", retryable: false },
  {
    name: "400 for a conversation that is too long",
    turn: status(400, { code: "context_length_exceeded" }),
    code: "prompt_too_long",
    retryable: false,
  },
  { name: "401", turn: status(401), code: "invalid_api_key", retryable: false },
  { name: "402", turn: status(402), code: "credit_too_low", retryable: false },
  { name: "403", turn: status(403), code: "auth_error", retryable: false },
  { name: "404", turn: status(404), code: "invalid_model", retryable: false },
  { name: "408", turn: status(408), code: "api_timeout", retryable: true },
  { name: "409", turn: status(409), code: "server_error", retryable: true },
  { name: "413", turn: status(413), code: "request_too_large", retryable: false },
  { name: "418", turn: status(418), code: "unknown", retryable: false },
  { name: "422", turn: status(422), code: "bad_request", retryable: false },
  { name: "429", turn: status(429), code: "rate_limit", retryable: true },
  {
    name: "429 because the quota is used up",
    turn: status(429, { type: "insufficient_quota" }),
    code: "quota_exhausted",
    retryable: false,
  },
  { name: "500", turn: status(500), code: "server_error", retryable: true },
  { name: "503", turn: status(503), code: "server_overload", retryable: true },
  { name: "504", turn: status(504), code: "api_timeout", retryable: true },
  { name: "529", turn: status(529), code: "server_overload", retryable: true },
  {
    name: "a page of HTML with status 502",
    turn: { status: 502, body: "<html>Bad gateway</html>", contentType: "text/html" },
    code: "server_error",
    retryable: true,
  },
  {
    name: "an answer of the wrong content type",
    turn: { body: "<html>Log in</html>", contentType: "text/html" },
    code: "malformed_response",
    retryable: false,
  },
  {
    name: "a malformed event",
    turn: { text: "Never seen.", malformedFrame: true },
    code: "malformed_response",
    retryable: false,
  },
  {
    name: "a stream that ends before the answer does",
    turn: { text: "Half", omitFinishReason: true, omitDone: true },
    code: "connection_error",
    retryable: true,
  },
];

/** Cases whose bytes only the wire itself can tell. */
function casesOf({ streamedError, emptyStream }: MatrixSubject["wire"]): readonly FailureCase[] {
  const contentType = "text/event-stream";
  return [
    {
      name: "an error inside the stream",
      turn: { body: streamedError({ type: "overloaded_error", message: "Too busy." }), contentType },
      code: "server_overload",
      retryable: true,
    },
    {
      name: "an error inside the stream that nobody knows",
      turn: { body: streamedError({ type: "strange_error", message: "Odd." }), contentType },
      code: "unknown",
      retryable: false,
    },
    {
      name: "a stream that is closed properly but says nothing",
      turn: { body: emptyStream, contentType },
      code: "connection_error",
      retryable: true,
    },
  ];
}

export function failureCases(subject: MatrixSubject): readonly MatrixCase[] {
  return [
    ...[...cases, ...casesOf(subject.wire)].map(({ name, turn, code, retryable }) => ({
      name,
      run: () =>
        withMock([turn], subject, async (_mock, provider) => {
          const failure = lastFailure(await collect(provider), code);
          assert.equal(failure.retryable, retryable);
          assert.equal(failure.status, turn.status);
        }),
    })),
    vendorMessage(subject),
    vendorAdvice(subject),
  ];
}

function vendorMessage(subject: MatrixSubject): MatrixCase {
  return {
    name: "the vendor's message is shown, shortened and without the key",
    run: () =>
      withMock(
        [status(401, { message: `The key ${matrixApiKey} is wrong. ${"x".repeat(1000)}` })],
        subject,
        async (_mock, provider) => {
          const { message } = lastFailure(await collect(provider), "invalid_api_key");
          assert.ok(message.includes("is wrong."));
          assert.ok(!message.includes(matrixApiKey));
          assert.ok(message.length < 500);
        },
      ),
  };
}

function vendorAdvice(subject: MatrixSubject): MatrixCase {
  const advice = { "retry-after": "20", "x-should-retry": "false", "request-id": "vendor-9" };
  return {
    name: "the vendor's delay, its advice against another try and its request id are kept",
    run: () =>
      withMock([{ ...status(529), headers: advice }], subject, async (_mock, provider) => {
        const { message: _, recovery: __, ...failure } = lastFailure(await collect(provider), "server_overload");
        assert.deepEqual(failure, {
          code: "server_overload",
          retryable: false,
          status: 529,
          requestId: "vendor-9",
          retryAfterMs: 20_000,
        });
      }),
  };
}

function status(code: number, error: object = {}): MockTurn {
  return { status: code, body: JSON.stringify({ error: { message: "It failed.", ...error } }) };
}
