/** Proves that the Messages adapter keeps the Provider contract over real HTTP, and what only this adapter promises. */
import type { Message, ModelEvent, ModelRequest, Provider } from "@kedge/protocol";
import { anthropicMockWire, type MockModel, type MockScript, providerMatrix, startMockModel } from "@kedge/testing";
import { afterEach, describe, expect, test } from "vitest";
import { createAnthropicProvider } from "../src/anthropic/anthropic.ts";

describe("provider matrix: anthropic", () => {
  for (const { name, run } of providerMatrix({ wire: anthropicMockWire, make: createAnthropicProvider }))
    test(name, run);
});

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function startMock(script: MockScript): Promise<MockModel> {
  const mock = await startMockModel({ script, wires: [anthropicMockWire] });
  closers.push(mock.close);
  return mock;
}

function requestOf(messages: readonly Message[], changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: { ref: "m/a", provider: "m", id: "a", contextTokens: 1000, outputTokensMax: 100 },
    source: "main",
    conversationId: "ses_1",
    system: "s",
    tools: [],
    messages,
    outputTokensMax: 100,
    requestId: "req-1",
    ...changes,
  };
}

async function collect(
  provider: Provider,
  messages: readonly Message[] = [{ role: "user", text: "hi" }],
  changes: Partial<ModelRequest> = {},
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  const request = requestOf(messages, changes);
  for await (const event of provider.stream(request, new AbortController().signal)) events.push(event);
  return events;
}

test("sends key, version, headers and request id to the messages path below the base URL", async () => {
  const mock = await startMock([]);
  const provider = createAnthropicProvider({
    baseUrl: `${mock.baseUrl}/`,
    apiKey: "sk-1",
    headers: { "X-Team": "blue" },
  });
  await collect(provider);
  expect(mock.requests[0]?.path).toBe("/v1/messages");
  expect(mock.requests[0]?.headers).toMatchObject({
    "x-api-key": "sk-1",
    "anthropic-version": "2023-06-01",
    "x-team": "blue",
    "x-client-request-id": "req-1",
    "content-type": "application/json",
  });
  expect(mock.requests[0]?.headers).not.toHaveProperty("authorization");
});

test("the version is sent without a key too, and the user may set another", async () => {
  const mock = await startMock([]);
  await collect(createAnthropicProvider({ baseUrl: mock.baseUrl }));
  await collect(createAnthropicProvider({ baseUrl: mock.baseUrl, headers: { "Anthropic-Version": "2024-01-01" } }));
  expect(mock.requests.map(({ headers }) => headers["anthropic-version"])).toEqual(["2023-06-01", "2024-01-01"]);
  expect(mock.requests[0]?.headers).not.toHaveProperty("x-api-key");
});

test("a growing conversation with parallel calls is sent with the same beginning, byte for byte", async () => {
  const mock = await startMock([]);
  const provider = createAnthropicProvider({ baseUrl: mock.baseUrl });
  const messages: Message[] = [{ role: "user", text: "Begin." }];
  const turnsMax = 5;
  for (let turn = 0; turn < turnsMax; turn++) {
    await collect(provider, messages);
    const ids = [`a${turn}`, `b${turn}`];
    messages.push({
      role: "assistant",
      content: ids.map((callId) => ({ type: "tool-call", callId, tool: "read", inputText: '{"path":"ä"}' })),
    });
    for (const callId of ids)
      messages.push({ role: "tool", callId, tool: "read", output: "ä".repeat(9000), isError: false });
  }
  const raw = mock.requests.map((request) => request.raw.toString());
  expect(raw).toHaveLength(turnsMax);
  for (const [index, text] of raw.entries()) {
    const { messages: sent } = JSON.parse(text);
    expect(sent.map(({ role }: { role: string }) => role)).toEqual([
      "user",
      ...Array.from({ length: index }, () => ["assistant", "user"]).flat(),
    ]);
    const before = raw[index - 1];
    if (before !== undefined) expect(text.startsWith(before.slice(0, before.lastIndexOf("]")))).toBe(true);
  }
});

test("thinking between calls is asked for where a model that thinks within a budget has tools", async () => {
  const mock = await startMock([]);
  const provider = createAnthropicProvider({ baseUrl: mock.baseUrl });
  const capabilities = {
    tools: true,
    reasoning: "budget",
    images: false,
    documents: false,
    mediaInToolResults: false,
    temperature: true,
    cacheMarks: true,
    webSearch: false,
  } as const;
  const thinking: Partial<ModelRequest> = {
    model: { ...requestOf([]).model, capabilities },
    reasoning: { effort: "high" },
    tools: [{ name: "read", description: "Reads.", inputSchema: {} }],
    outputTokensMax: 8_000,
  };
  await collect(provider, undefined, thinking);
  await collect(provider, undefined, { ...thinking, tools: [] });
  await collect(provider, undefined, { ...thinking, reasoning: { effort: "off" } });
  expect(mock.requests.map(({ headers }) => headers["anthropic-beta"])).toEqual([
    "interleaved-thinking-2025-05-14",
    undefined,
    undefined,
  ]);
});

test("what the model thought goes back to it as it came, and the marks of the cache last as long as was set", async () => {
  const mock = await startMock([{ reasoning: "Hm, ä.", text: "Yes." }]);
  const provider = createAnthropicProvider({ baseUrl: mock.baseUrl, cacheTtl: "1h" });
  const events = await collect(provider);
  const end = events.find((event) => event.type === "block-end");
  expect(end).toEqual({ type: "block-end", block: "reasoning", signature: anthropicMockWire.reasoningSignature });
  const signature = end?.signature ?? "";
  const content = [{ type: "reasoning", text: "Hm, ä.", signature } as const, { type: "text", text: "Yes." } as const];
  await collect(provider, [
    { role: "user", text: "Well?" },
    { role: "assistant", content, model: "m/a" },
    { role: "user", text: "And?" },
  ]);
  const cache_control = { type: "ephemeral", ttl: "1h" };
  expect(JSON.parse(mock.requests[1]?.raw.toString() ?? "")).toEqual({
    model: "a",
    system: [{ type: "text", text: "s", cache_control }],
    messages: [
      { role: "user", content: [{ type: "text", text: "Well?" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm, ä.", signature },
          { type: "text", text: "Yes." },
        ],
      },
      { role: "user", content: [{ type: "text", text: "And?" }] },
    ],
    max_tokens: 100,
    stream: true,
    cache_control,
  });
});
