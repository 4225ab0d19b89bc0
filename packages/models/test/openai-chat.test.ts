/** Proves what only this adapter promises, over real HTTP. */

import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { Message, ModelEvent, ModelRequest, Provider } from "@kedge/protocol";
import { type MockModel, type MockScript, startMockModel } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { createOpenAiChatProvider } from "../src/chat/openai-chat.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function startMock(script: MockScript): Promise<MockModel> {
  const mock = await startMockModel({ script });
  closers.push(mock.close);
  return mock;
}

/** A server that is no HTTP server at all. */
async function startRaw(answer: string): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => socket.end(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

function requestOf(messages: readonly Message[] = [{ role: "user", text: "hi" }]): ModelRequest {
  return {
    model: { ref: "m/a", provider: "m", id: "a", contextTokens: 1000, outputTokensMax: 100 },
    source: "main",
    conversationId: "ses_1",
    system: "s",
    tools: [],
    messages,
    outputTokensMax: 100,
    requestId: "req-1",
  };
}

async function collect(provider: Provider, request = requestOf()): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, new AbortController().signal)) events.push(event);
  return events;
}

test("sends key, headers and request id to the completions path below the base URL", async () => {
  const mock = await startMock([]);
  const provider = createOpenAiChatProvider({
    baseUrl: `${mock.baseUrl}/`,
    apiKey: "sk-1",
    headers: { "x-team": "blue" },
  });
  await collect(provider);
  expect(mock.requests[0]?.path).toBe("/v1/chat/completions");
  expect(mock.requests[0]?.headers).toMatchObject({
    authorization: "Bearer sk-1",
    "x-team": "blue",
    "x-client-request-id": "req-1",
    "content-type": "application/json",
  });
});

test("a growing conversation is sent with the same beginning, byte for byte", async () => {
  const mock = await startMock([]);
  const provider = createOpenAiChatProvider({ baseUrl: mock.baseUrl });
  const messages: Message[] = [];
  for (let turn = 0; turn < 5; turn++) {
    messages.push({ role: "user", text: `turn ${turn} ${"ä".repeat(5000)}` });
    await collect(provider, requestOf(messages));
  }
  const raw = mock.requests.map((request) => request.raw.toString());
  for (const [index, text] of raw.entries()) {
    expect(JSON.parse(text).messages).toHaveLength(index + 2);
    const before = raw[index - 1];
    if (before !== undefined) expect(text.startsWith(before.slice(0, before.lastIndexOf("]")))).toBe(true);
  }
});

test("an answer that is not complete in time is given up", async () => {
  const mock = await startMock([{ text: "Slow.", stallAfterBytes: 100 }]);
  const provider = createOpenAiChatProvider({ baseUrl: mock.baseUrl, overallTimeoutMs: 100 });
  expect((await collect(provider)).at(-1)).toMatchObject({ type: "failed", failure: { code: "api_timeout" } });
  await mock.waitForSocketsAtMost(0);
});

test("a slow consumer gets everything, and the sender waits", async () => {
  const text = "0123456789abcdef".repeat(256 * 1024);
  const mock = await startMock([{ text, deltaCharacters: 4096 }]);
  const provider = createOpenAiChatProvider({ baseUrl: mock.baseUrl });
  let received = "";
  let largest = 0;
  for await (const event of provider.stream(requestOf(), new AbortController().signal)) {
    if (event.type !== "text-delta") continue;
    received += event.text;
    largest = Math.max(largest, event.text.length);
    // Lets the socket be read several times before the next event is asked for.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(received === text).toBe(true);
  expect(largest).toBeLessThan(1.5 * 1024 * 1024);
});

test("an error body is read only so far", async () => {
  const mock = await startMock([{ status: 500, body: "x".repeat(1024 * 1024) }]);
  const provider = createOpenAiChatProvider({ baseUrl: mock.baseUrl });
  expect(await collect(provider)).toMatchObject([{ type: "failed", failure: { code: "server_error", status: 500 } }]);
});

test("a rate limit says how long to wait", async () => {
  const mock = await startMock([{ status: 429, headers: { "retry-after": "20", "x-request-id": "vendor-9" } }]);
  const provider = createOpenAiChatProvider({ baseUrl: mock.baseUrl });
  expect(await collect(provider)).toEqual([
    {
      type: "failed",
      failure: {
        code: "rate_limit",
        message: `127.0.0.1:${mock.port} is rate limiting requests (status 429).`,
        recovery: "Wait 20 s, or choose another model with /model or --model.",
        retryable: true,
        retryAfterMs: 20_000,
        status: 429,
        requestId: "vendor-9",
      },
    },
  ]);
});

test("a server that speaks something else is malformed", async () => {
  const port = await startRaw("SSH-2.0-OpenSSH_9.6\r\n");
  const provider = createOpenAiChatProvider({ baseUrl: `http://127.0.0.1:${port}/v1` });
  expect((await collect(provider)).at(-1)).toMatchObject({ failure: { code: "malformed_response" } });
});

test("https to a server without TLS cannot be reached", async () => {
  const mock = await startMock([]);
  const provider = createOpenAiChatProvider({ baseUrl: mock.baseUrl.replace("http:", "https:") });
  expect((await collect(provider)).at(-1)).toMatchObject({ failure: { code: "connection_error" } });
});

test("a key that cannot be sent is a configuration failure, and is not shown", async () => {
  const mock = await startMock([]);
  const provider = createOpenAiChatProvider({ baseUrl: mock.baseUrl, apiKey: "sk-bad\nkey-000" });
  const events = await collect(provider);
  expect(events).toMatchObject([{ type: "failed", failure: { code: "configuration", retryable: false } }]);
  expect(JSON.stringify(events)).not.toContain("sk-bad");
});

test("loads neither fetch nor TLS for a plain connection", async () => {
  const { execFile } = await import("node:child_process");
  const { promisify } = await import("node:util");
  const mock = await startMock([]);
  const entry = new URL("../src/index.ts", import.meta.url).href;
  const program = `
    const { createOpenAiChatProvider } = await import(${JSON.stringify(entry)});
    const provider = createOpenAiChatProvider({ baseUrl: ${JSON.stringify(mock.baseUrl)} });
    for await (const event of provider.stream(${JSON.stringify(requestOf())}, new AbortController().signal)) {
      if (event.type === "failed") throw new Error(event.failure.message);
    }
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => /undici|NativeModule (https|tls)$/.test(name))));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  expect(JSON.parse(stdout)).toEqual([]);
});
