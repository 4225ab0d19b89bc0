/** Proves what provider packages promise beyond the matrix: loading, settings, errors, and further packages over HTTP. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { promisify } from "node:util";
import type { ModelEvent, ModelRequest } from "@kedge/protocol";
import { FailureError } from "@kedge/protocol";
import { startMockModel } from "@kedge/testing";
import { EventStreamCodec } from "@smithy/eventstream-codec";
import { afterEach, expect, test } from "vitest";
import { type AiSdkProviderOptions, createAiSdkProvider } from "../src/ai-sdk/ai-sdk-provider.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const request: ModelRequest = {
  model: { ref: "v/one", provider: "v", id: "one", contextTokens: 1000, outputTokensMax: 100 },
  source: "main",
  conversationId: "ses_1",
  system: "s",
  tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object", properties: {} } }],
  messages: [{ role: "user", text: "hi" }],
  outputTokensMax: 100,
  requestId: "req-1",
};

type Server = { readonly baseUrl: string; readonly host: string; readonly paths: string[] };

async function startServer(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<Server> {
  const paths: string[] = [];
  const server = createServer((incoming, response) => {
    paths.push(incoming.url ?? "");
    incoming.resume().on("end", () => answer(response, incoming));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const host = `127.0.0.1:${address.port}`;
  return { baseUrl: `http://${host}`, host, paths };
}

function make(
  packageName: string,
  settings: AiSdkProviderOptions["settings"],
  more: Partial<AiSdkProviderOptions> = {},
) {
  return createAiSdkProvider({ packageName, providerName: "v", settings, load: (name) => import(name), ...more });
}

async function collect(
  provider: ReturnType<typeof createAiSdkProvider>,
  asked: Parameters<typeof provider.stream>[0] = request,
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(asked, new AbortController().signal)) events.push(event);
  return events;
}

const usage = { input: 30, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

test("the package is loaded with the first request, once", async () => {
  const mock = await startMockModel({ script: [] });
  closers.push(mock.close);
  const loaded: string[] = [];
  const load = (name: string) => {
    loaded.push(name);
    return import(name);
  };
  const provider = make("@ai-sdk/openai-compatible", { baseURL: mock.baseUrl }, { load });
  expect(loaded).toEqual([]);
  await collect(provider);
  await collect(provider);
  expect(loaded).toEqual(["@ai-sdk/openai-compatible"]);
});

test("sends key, headers and request id, and asks for usage", async () => {
  const mock = await startMockModel({ script: [] });
  closers.push(mock.close);
  await collect(
    make("@ai-sdk/openai-compatible", { baseURL: mock.baseUrl, apiKey: "sk-1", headers: { "x-team": "blue" } }),
  );
  expect(mock.requests[0]?.path).toBe("/v1/chat/completions");
  expect(mock.requests[0]?.headers).toMatchObject({
    authorization: "Bearer sk-1",
    "x-team": "blue",
    "x-client-request-id": "req-1",
  });
  expect(mock.requests[0]?.body).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 100,
  });
});

test("what the loader says about a missing package is the failure, and the next request tries again", async () => {
  const failure = { code: "configuration", message: "The package x is not installed.", retryable: false } as const;
  let attempts = 0;
  const load = async () => {
    attempts++;
    throw new FailureError(failure);
  };
  const provider = make("x", {}, { load });
  expect(await collect(provider)).toEqual([{ type: "failed", failure }]);
  expect(await collect(provider)).toEqual([{ type: "failed", failure }]);
  expect(attempts).toBe(2);
});

test.each<[object, string | undefined, RegExp]>([
  [
    { createA: () => 1, createB: () => 1 },
    undefined,
    /Cannot tell which function of @vendor\/sdk creates the provider; found: createA, createB/,
  ],
  [{ other: 1 }, undefined, /found: none/],
  [{ createA: () => 1 }, "createMissing", /has no function "createMissing"/],
  [{ createA: () => ({}) }, undefined, /has no language model "one"/],
  [{ createA: () => () => model("v1") }, undefined, /implements AI SDK specification "v1"/],
])("a package of another shape is a configuration failure (%#)", async (exports, factory, sentence) => {
  const provider = make("@vendor/sdk", {}, { load: async () => exports, ...(factory !== undefined && { factory }) });
  const [event, ...rest] = await collect(provider);
  expect(rest).toEqual([]);
  expect(event).toMatchObject({ type: "failed", failure: { code: "configuration", retryable: false } });
  expect(event?.type === "failed" ? event.failure.message : "").toMatch(sentence);
});

function model(specificationVersion: string, doStream: () => Promise<unknown> = async () => ({})) {
  return { specificationVersion, doStream, doGenerate: doStream };
}

function partsOf(...parts: readonly unknown[]): () => Promise<unknown> {
  return async () => ({ stream: ReadableStream.from(parts) });
}

test("among several create functions the one called after the package is taken", async () => {
  const finish = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: {} };
  const exports = {
    createVertex: () => () => model("v1"),
    createGoogleVertex: () => () => model("v3", partsOf({ type: "text-delta", id: "0", delta: "Hi" }, finish)),
  };
  expect(await collect(make("@vendor/google-vertex", {}, { load: async () => exports }))).toEqual([
    { type: "text-delta", text: "Hi" },
    { type: "end", stopReason: "end", usage: { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 } },
  ]);
});

type Thrown = {
  readonly name?: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly responseBody?: string;
};

function thrown(members: Thrown, cause?: unknown): Error {
  return Object.assign(new Error("Something with key-0123456789 went wrong\nat line 1", { cause }), members);
}

test.each<[string, unknown, object]>([
  ["a status", thrown({ statusCode: 429, responseBody: "{}" }), { code: "rate_limit", retryable: true, status: 429 }],
  ["a system error below", thrown({}, thrown({ code: "ECONNREFUSED" })), { code: "connection_error", retryable: true }],
  ["Node's own client", thrown({}, thrown({ code: "UND_ERR_SOCKET" })), { code: "stale_connection", retryable: true }],
  [
    "a missing setting",
    thrown({ name: "AI_LoadSettingError" }),
    { code: "configuration", message: "Something with [secret] went wrong" },
  ],
  ["a missing feature", thrown({ name: "AI_UnsupportedFunctionalityError" }), { code: "bad_request" }],
  ["an unknown model", thrown({ name: "AI_NoSuchModelError" }), { code: "invalid_model" }],
  ["an answer of another shape", thrown({ name: "AI_TypeValidationError" }), { code: "malformed_response" }],
  [
    "anything else",
    thrown({}),
    { code: "unknown", message: "The package @vendor/sdk failed: Something with [secret] went wrong" },
  ],
  ["a vendor's own error", { type: "overloaded_error" }, { code: "server_overload", retryable: true }],
  ["nothing", undefined, { code: "unknown" }],
])("%s that is thrown or reported is a failure", async (_name, error, failure) => {
  const settings = { apiKey: "key-0123456789" };
  const throws = { createSdk: () => () => model("v4", () => Promise.reject(error)) };
  const reports = { createSdk: () => () => model("v4", partsOf({ type: "error", error })) };
  for (const exports of [throws, reports]) {
    const events = await collect(make("@vendor/sdk", settings, { load: async () => exports }));
    expect(events).toMatchObject([{ type: "failed", failure }]);
  }
});

test("a package that never answers is given up when the time is over, and when the user stops", async () => {
  const exports = { createSdk: () => () => model("v4", () => new Promise(() => {})) };
  const provider = make("@vendor/sdk", {}, { load: async () => exports, overallTimeoutMs: 20 });
  expect(await collect(provider)).toMatchObject([{ failure: { code: "api_timeout", retryable: true } }]);
  const controller = new AbortController();
  const patient = make("@vendor/sdk", {}, { load: async () => exports });
  const next = patient.stream(request, controller.signal)[Symbol.asyncIterator]().next();
  controller.abort();
  expect((await next).value).toMatchObject({ failure: { code: "aborted" } });
});

test("a silence is told while the request goes on", async () => {
  const mock = await startMockModel({ script: [{ text: "A text long enough to be cut.", stallAfterBytes: 400 }] });
  closers.push(mock.close);
  const provider = make(
    "@ai-sdk/openai-compatible",
    { baseURL: mock.baseUrl },
    { idleTimeoutMs: 400, idleWarningMs: 100 },
  );
  const events = await collect(provider);
  expect(events.filter(({ type }) => type !== "text-delta")).toMatchObject([
    { type: "stalled", idleMs: 100 },
    { type: "failed", failure: { code: "api_timeout" } },
  ]);
});

test("an answer can be asked for in one piece", async () => {
  const mock = await startMockModel({ script: [{ text: "All at once." }] });
  closers.push(mock.close);
  const provider = make("@ai-sdk/openai-compatible", { baseURL: mock.baseUrl });
  expect(await collect(provider, { ...request, whole: true })).toEqual([
    { type: "text-delta", text: "All at once." },
    { type: "end", stopReason: "end", usage: { ...usage, input: 100 } },
  ]);
  expect(mock.requests[0]?.body.stream).toBeUndefined();
});

test("limits that the head of an answer tells of are reported before its end", async () => {
  const mock = await startMockModel({ script: [{ text: "Hi.", headers: { "x-left": "3" } }] });
  closers.push(mock.close);
  const watchLimits = (headers: { readonly [name: string]: string | undefined }) => `${headers["x-left"]} left`;
  const events = await collect(make("@ai-sdk/openai-compatible", { baseURL: mock.baseUrl }, { watchLimits }));
  expect(events.map(({ type }) => type)).toEqual(["text-delta", "notice", "end"]);
});

test("a key that cannot be sent is a configuration failure, and is not shown", async () => {
  const events = await collect(
    make("@ai-sdk/openai-compatible", { baseURL: "http://127.0.0.1:9/v1", apiKey: "sk-bad\nkey-0" }),
  );
  expect(events).toMatchObject([{ type: "failed", failure: { code: "configuration", retryable: false } }]);
  expect(JSON.stringify(events)).not.toContain("sk-bad");
});

test("the cohere package answers", async () => {
  const frames = [
    { type: "message-start", id: "m1" },
    { type: "content-start", index: 0, delta: { message: { content: { type: "text", text: "" } } } },
    { type: "content-delta", index: 0, delta: { message: { content: { text: "I look." } } } },
    { type: "content-end", index: 0 },
    {
      type: "tool-call-start",
      delta: { message: { tool_calls: { id: "c1", type: "function", function: { name: "read", arguments: "" } } } },
    },
    { type: "tool-call-delta", delta: { message: { tool_calls: { function: { arguments: '{"a":1}' } } } } },
    { type: "tool-call-end" },
    {
      type: "message-end",
      delta: { finish_reason: "TOOL_CALL", usage: { tokens: { input_tokens: 30, output_tokens: 20 } } },
    },
  ];
  const server = await startServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""));
  });
  expect(await collect(make("@ai-sdk/cohere", { baseURL: server.baseUrl, apiKey: "key-1" }))).toEqual([
    { type: "text-delta", text: "I look." },
    { type: "tool-input-delta", callId: "c1", tool: "read", text: '{"a":1}' },
    { type: "tool-call", call: { type: "tool-call", callId: "c1", tool: "read", inputText: '{"a":1}' } },
    { type: "end", stopReason: "tool-calls", usage },
  ]);
});

test("an answer of the cohere package that breaks off is no end", async () => {
  const server = await startServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify({ type: "message-start", id: "m1" })}\n\n`);
  });
  const events = await collect(make("@ai-sdk/cohere", { baseURL: server.baseUrl, apiKey: "key-1" }));
  expect(events).toMatchObject([{ type: "failed", failure: { code: "connection_error", retryable: true } }]);
});

test("the amazon-bedrock package answers in its binary stream, with signed thoughts", async () => {
  const codec = new EventStreamCodec(
    (bytes) => Buffer.from(bytes).toString("utf8"),
    (text) => Buffer.from(text),
  );
  const frame = (name: string, body: object) =>
    codec.encode({
      headers: {
        ":event-type": { type: "string", value: name },
        ":content-type": { type: "string", value: "application/json" },
        ":message-type": { type: "string", value: "event" },
      },
      body: Buffer.from(JSON.stringify(body)),
    });
  const server = await startServer((response) => {
    response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
    response.write(frame("messageStart", { role: "assistant" }));
    response.write(frame("contentBlockDelta", { contentBlockIndex: 0, delta: { reasoningContent: { text: "hm" } } }));
    response.write(
      frame("contentBlockDelta", { contentBlockIndex: 0, delta: { reasoningContent: { signature: "s1" } } }),
    );
    response.write(frame("contentBlockStop", { contentBlockIndex: 0 }));
    response.write(frame("contentBlockDelta", { contentBlockIndex: 1, delta: { text: "Hi." } }));
    response.write(frame("contentBlockStop", { contentBlockIndex: 1 }));
    response.write(frame("messageStop", { stopReason: "end_turn" }));
    response.end(
      frame("metadata", { usage: { inputTokens: 30, outputTokens: 20, cacheReadInputTokens: 7 }, metrics: {} }),
    );
  });
  const provider = make("@ai-sdk/amazon-bedrock", { baseURL: server.baseUrl, apiKey: "key-1", region: "eu-west-1" });
  const events = await collect(provider);
  expect(server.paths).toEqual(["/model/one/converse-stream"]);
  expect(events).toMatchObject([
    { type: "reasoning-delta", text: "hm" },
    { type: "block-end", block: "reasoning" },
    { type: "text-delta", text: "Hi." },
    { type: "end", stopReason: "end", usage: { input: 30, output: 20, cacheRead: 7 } },
  ]);
  const signed = events[1]?.type === "block-end" ? events[1].signature : "";
  expect(signed).toContain('"signature":"s1"');
});

test("the google-vertex package answers", async () => {
  const frame = {
    candidates: [{ content: { role: "model", parts: [{ text: "Hi." }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 20, totalTokenCount: 50 },
  };
  const server = await startServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify(frame)}\n\n`);
  });
  const events = await collect(make("@ai-sdk/google-vertex", { baseURL: server.baseUrl, apiKey: "key-1" }));
  expect(server.paths).toEqual(["/models/one:streamGenerateContent?alt=sse"]);
  expect(events).toEqual([
    { type: "text-delta", text: "Hi." },
    { type: "end", stopReason: "end", usage },
  ]);
});

test("nothing reaches the terminal, also when a package warns", async () => {
  const mock = await startMockModel({ script: [] });
  closers.push(mock.close);
  const entry = new URL("../src/ai-sdk/ai-sdk-provider.ts", import.meta.url).href;
  const program = `
    const { createAiSdkProvider } = await import(${JSON.stringify(entry)});
    const provider = createAiSdkProvider({
      packageName: "@ai-sdk/openai-compatible", providerName: "my-vendor",
      settings: { baseURL: ${JSON.stringify(mock.baseUrl)} }, load: (name) => import(name),
    });
    const before = globalThis.AI_SDK_LOG_WARNINGS;
    for await (const event of provider.stream(${JSON.stringify(request)}, new AbortController().signal)) {
      if (event.type === "failed") throw new Error(event.failure.message);
    }
    if (before !== undefined || globalThis.AI_SDK_LOG_WARNINGS !== false) throw new Error("Warnings are on.");
  `;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  expect(await run).toEqual({ stdout: "", stderr: "" });
});
