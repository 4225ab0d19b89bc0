/** Proves that the generateContent adapter keeps the Provider contract over real HTTP, and what only it promises. */
import type { Message, ModelEvent, ModelRequest } from "@kedge/protocol";
import { googleMockWire, type MockModel, type MockScript, providerMatrix, startMockModel } from "@kedge/testing";
import { afterEach, describe, expect, test } from "vitest";
import { createGoogleProvider } from "../src/google/google.ts";

describe("provider matrix: google", () => {
  for (const { name, run } of providerMatrix({ wire: googleMockWire, make: createGoogleProvider })) test(name, run);
});

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function startMock(script: MockScript): Promise<MockModel> {
  const mock = await startMockModel({ script, wires: [googleMockWire] });
  closers.push(mock.close);
  return mock;
}

function requestOf(messages: readonly Message[], modelId = "gemini-2.5-pro"): ModelRequest {
  return {
    model: { ref: `google/${modelId}`, provider: "google", id: modelId, contextTokens: 1000, outputTokensMax: 100 },
    source: "main",
    conversationId: "ses_1",
    system: "s",
    tools: [],
    messages,
    outputTokensMax: 100,
    requestId: "req-1",
  };
}

async function collect(
  provider: ReturnType<typeof createGoogleProvider>,
  request: ModelRequest & { readonly whole?: true },
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, new AbortController().signal)) events.push(event);
  return events;
}

test.each([
  ["gemini-2.5-pro", "/v1/models/gemini-2.5-pro:streamGenerateContent?alt=sse"],
  ["team/odd name?", "/v1/models/team/odd%20name%3F:streamGenerateContent?alt=sse"],
])("sends the key as a header to the path of the model %s", async (modelId, path) => {
  const mock = await startMock([]);
  const provider = createGoogleProvider({ baseUrl: `${mock.baseUrl}/`, apiKey: "key-1" });
  expect((await collect(provider, requestOf([{ role: "user", text: "hi" }], modelId))).at(-1)?.type).toBe("end");
  expect(mock.requests[0]?.path).toBe(path);
  expect(mock.requests[0]?.headers).toMatchObject({ "x-goog-api-key": "key-1", "x-client-request-id": "req-1" });
});

test("asks for the answer in one piece at another path, and reads it the same", async () => {
  const turn = { reasoning: "Hm.", text: "Hi.", thoughtSignature: "c2ln" };
  const mock = await startMock([turn, turn]);
  const provider = createGoogleProvider({ baseUrl: mock.baseUrl });
  const request = requestOf([{ role: "user", text: "hi" }]);
  const streamed = await collect(provider, request);
  const whole = await collect(provider, { ...request, whole: true });
  expect(whole).toEqual(streamed);
  expect(mock.requests.map(({ path }) => path)).toEqual([
    "/v1/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
    "/v1/models/gemini-2.5-pro:generateContent",
  ]);
});

test("what the vendor signed comes with the block it signed", async () => {
  const mock = await startMock([
    { reasoning: "Hm.", text: "Hi.", thoughtSignature: "c2ln" },
    {
      toolCalls: [
        { name: "read", id: "g1" },
        { name: "read", id: "g2" },
      ],
      thoughtSignature: "Y2FsbA==",
    },
  ]);
  const provider = createGoogleProvider({ baseUrl: mock.baseUrl });
  const request = requestOf([{ role: "user", text: "hi" }]);
  const kindsOf = (events: readonly ModelEvent[]) =>
    events.filter(({ type }) => type !== "tool-input-delta").slice(0, -1);
  expect(kindsOf(await collect(provider, request))).toEqual([
    { type: "reasoning-delta", text: "Hm." },
    { type: "text-delta", text: "Hi." },
    { type: "block-end", block: "text" },
    { type: "block-end", block: "text", signature: "c2ln" },
  ]);
  const call = { type: "tool-call", tool: "read", inputText: "{}" } as const;
  expect(kindsOf(await collect(provider, request))).toEqual([
    { type: "tool-call", call: { ...call, callId: "g1", signature: "Y2FsbA==" } },
    { type: "tool-call", call: { ...call, callId: "g2" } },
  ]);
});

test("a growing conversation with parallel calls is sent with the same beginning, byte for byte", async () => {
  const mock = await startMock([]);
  const provider = createGoogleProvider({ baseUrl: mock.baseUrl });
  const messages: Message[] = [{ role: "user", text: "Begin." }];
  for (let turn = 0; turn < 5; turn++) {
    await collect(provider, requestOf(messages));
    const calls = ["a", "b"].map((name) => ({ callId: `${name}${turn}`, tool: "read" }));
    messages.push({
      role: "assistant",
      content: calls.map((call) => ({ type: "tool-call", ...call, inputText: '{"path":"ä"}' })),
    });
    for (const call of calls) messages.push({ role: "tool", ...call, output: "ä".repeat(5000), isError: false });
  }
  const raw = mock.requests.map((request) => request.raw.toString());
  for (const [index, text] of raw.entries()) {
    const contents: readonly { readonly role: string; readonly parts: readonly unknown[] }[] =
      JSON.parse(text).contents;
    expect(contents.map(({ role, parts }) => [role, parts.length])).toEqual([
      ["user", 1],
      ...Array.from({ length: index }, () => [
        ["model", 2],
        ["user", 2],
      ]).flat(),
    ]);
    const before = raw[index - 1];
    if (before !== undefined) expect(text.startsWith(before.slice(0, before.lastIndexOf("]")))).toBe(true);
  }
});

test.each([
  [503, "UNAVAILABLE", "server_overload", true],
  [429, "RESOURCE_EXHAUSTED", "rate_limit", true],
  [400, "INVALID_ARGUMENT", "bad_request", false],
])("an error %i inside the stream keeps its meaning", async (code, status, failureCode, retryable) => {
  const body = `data: ${JSON.stringify({ error: { code, message: "No.", status } })}\n\n`;
  const mock = await startMock([{ body, contentType: "text/event-stream" }]);
  const events = await collect(createGoogleProvider({ baseUrl: mock.baseUrl }), requestOf([]));
  expect(events).toMatchObject([{ type: "failed", failure: { code: failureCode, retryable, status: code } }]);
});
