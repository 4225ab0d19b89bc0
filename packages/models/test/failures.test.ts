/** Replays recorded error answers of vendors over HTTP through the adapter of their wire, and compares the failure. */
import { readdirSync, readFileSync } from "node:fs";
import type { Failure, Provider } from "@kedge/protocol";
import {
  anthropicMockWire,
  chatMockWire,
  googleMockWire,
  type MockWire,
  responsesMockWire,
  startMockModel,
} from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { createAnthropicProvider } from "../src/anthropic/anthropic.ts";
import { createOpenAiChatProvider } from "../src/chat/openai-chat.ts";
import { matchMessage, patternNames } from "../src/failure/message-patterns.ts";
import { readErrorBody } from "../src/failure/vendor-error.ts";
import { createGoogleProvider } from "../src/google/google.ts";
import { createOpenAiResponsesProvider } from "../src/responses/openai-responses.ts";
import { sampleRequest } from "./sample-request.ts";

type Sample = {
  readonly name: string;
  /** Where the answer is published; left out only when nobody published it. */
  readonly origin?: string;
  readonly synthetic?: true;
  /** The part that is published, when the rest is only how this vendor usually answers. */
  readonly quotes?: "message" | "headers";
  readonly wire: keyof typeof wires;
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** Sent as it is when it is text. */
  readonly body: unknown;
  readonly expects: Omit<Failure, "message" | "recovery" | "status">;
};

const wires = {
  anthropic: [anthropicMockWire, createAnthropicProvider],
  chat: [chatMockWire, createOpenAiChatProvider],
  google: [googleMockWire, createGoogleProvider],
  responses: [responsesMockWire, createOpenAiResponsesProvider],
} as const satisfies { readonly [wire: string]: readonly [MockWire, (options: { baseUrl: string }) => Provider] };

const samplesMin = 60;
const syntheticShareMax = 0.1;
const overflowPatternsMin = 15;

const folder = new URL("../src/failure/fixtures/", import.meta.url);

const samples: readonly (Sample & { readonly file: string })[] = readdirSync(folder).flatMap((file) => {
  // Fixtures are part of the test: a wrong shape shows as a failed comparison.
  const list = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as readonly Sample[];
  return list.map((sample) => ({ ...sample, file: file.replace(".json", "") }));
});

const request = sampleRequest([{ role: "user", text: "hi" }]);

async function failureOf({ wire, status, headers, body }: Sample): Promise<Failure> {
  const [mockWire, createProvider] = wires[wire];
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const mock = await startMockModel({ script: [{ status, headers, body: text }], wires: [mockWire] });
  try {
    const provider = createProvider({ baseUrl: mock.baseUrl });
    for await (const event of provider.stream(request, new AbortController().signal)) {
      if (event.type === "failed") return event.failure;
    }
    throw new Error("the answer should have failed");
  } finally {
    await mock.close();
  }
}

describe("recorded failures", () => {
  for (const sample of samples) {
    test(`${sample.file}: ${sample.name}`, async () => {
      const { message, recovery, status, ...rest } = await failureOf(sample);
      expect(rest).toEqual({ requestId: request.requestId, ...sample.expects });
      if (sample.status >= 400) expect(status).toBe(sample.status);
      expect(message).toMatch(/^127\.0\.0\.1:\d+ [a-z]/);
      expect(recovery).toMatch(/^[A-Z].*\.$/);
    });
  }
});

test("the samples are many, published, and named once", () => {
  const synthetic = samples.filter((sample) => sample.synthetic === true);
  const unpublished = samples.filter((sample) => sample.synthetic === undefined && !URL.canParse(sample.origin ?? ""));
  expect(samples.length).toBeGreaterThanOrEqual(samplesMin);
  expect(synthetic.length / samples.length).toBeLessThanOrEqual(syntheticShareMax);
  expect(unpublished).toEqual([]);
  expect(new Set(samples.map(({ file, name }) => `${file}: ${name}`)).size).toBe(samples.length);
});

test("every message pattern is the one that recognises some sample", () => {
  const used = new Set(
    samples.map(({ status, body }) => {
      const text = typeof body === "string" ? body.replace(/^(?:event: \S+\n)?data: /, "") : JSON.stringify(body);
      return matchMessage(readErrorBody(text).message, status === 200 ? undefined : status)?.name;
    }),
  );
  expect(patternNames().filter((name) => !used.has(name))).toEqual([]);
  expect(new Set(patternNames()).size).toBe(patternNames().length);
});

test("the overflow patterns cover many vendors", () => {
  const overflow = samples.filter(({ expects }) => expects.code === "prompt_too_long");
  const names = overflow.map(
    ({ status, body }) => matchMessage(readErrorBody(JSON.stringify(body)).message, status)?.name,
  );
  expect(new Set(names.filter((name) => name !== undefined)).size).toBeGreaterThanOrEqual(overflowPatternsMin);
});

test("every class that a vendor's answer can have has a sample", () => {
  const classes = [...new Set(samples.map(({ expects }) => expects.code))].sort();
  expect(classes).toEqual([
    "api_timeout",
    "auth_error",
    "bad_request",
    "credit_too_low",
    "image_too_large",
    "invalid_api_key",
    "invalid_model",
    "model_access_denied",
    "pdf_protected",
    "pdf_too_large",
    "policy_refusal",
    "prompt_too_long",
    "quota_exhausted",
    "rate_limit",
    "request_too_large",
    "server_error",
    "server_overload",
    "token_expired",
    "token_revoked",
    "too_many_media",
    "tool_pairing",
    "unknown",
  ]);
});
