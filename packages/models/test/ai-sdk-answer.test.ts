/** Proves what the parts of an AI SDK stream become. */
import type { ModelEvent } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createSdkAnswer } from "../src/ai-sdk/sdk-answer.ts";

const usage = {
  inputTokens: { total: 100, noCache: 30, cacheRead: 60, cacheWrite: 10 },
  outputTokens: { total: 20, text: 8, reasoning: 12 },
};
const finish = (unified: string) => ({ type: "finish", finishReason: { unified, raw: "x" }, usage });

function read(parts: readonly unknown[]): {
  readonly events: readonly ModelEvent[];
  readonly answer: ReturnType<typeof createSdkAnswer>;
} {
  const answer = createSdkAnswer();
  return { events: parts.flatMap((part) => answer.push(part)), answer };
}

test("signed thoughts, texts and calls keep what the package attached", () => {
  const { events, answer } = read([
    { type: "stream-start", warnings: [{ type: "other", message: "w" }] },
    { type: "response-metadata", id: "r" },
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "hm" },
    { type: "reasoning-delta", id: "0", delta: "", providerMetadata: { bedrock: { signature: "s1" } } },
    { type: "reasoning-end", id: "0" },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Hi" },
    { type: "text-end", id: "1", providerMetadata: { google: { thoughtSignature: "s2" } } },
    { type: "tool-input-start", id: "c", toolName: "read" },
    { type: "tool-input-delta", id: "c", delta: "{}" },
    { type: "tool-input-end", id: "c" },
    { type: "tool-call", toolCallId: "c", toolName: "read", input: "{}", providerMetadata: { google: { s: 3 } } },
    finish("tool-calls"),
  ]);
  expect(events).toEqual([
    { type: "reasoning-delta", text: "hm" },
    { type: "block-end", block: "reasoning", signature: '{"bedrock":{"signature":"s1"}}' },
    { type: "text-delta", text: "Hi" },
    { type: "block-end", block: "text", signature: '{"google":{"thoughtSignature":"s2"}}' },
    { type: "tool-input-delta", callId: "c", tool: "read", text: "{}" },
    {
      type: "tool-call",
      call: { type: "tool-call", callId: "c", tool: "read", inputText: "{}", signature: '{"google":{"s":3}}' },
    },
  ]);
  expect(answer.conclusion()).toEqual({
    stopReason: "tool-calls",
    usage: { input: 30, output: 20, reasoning: 12, cacheRead: 60, cacheWrite: 10 },
  });
});

test("a hidden thought is an empty block with its signature", () => {
  const { events } = read([
    { type: "reasoning-start", id: "0", providerMetadata: { anthropic: { redactedData: "x" } } },
    { type: "reasoning-end", id: "0" },
  ]);
  expect(events).toEqual([{ type: "block-end", block: "reasoning", signature: '{"anthropic":{"redactedData":"x"}}' }]);
});

test("two blocks of one kind stay two, and metadata without content signs nothing", () => {
  const { events } = read([
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "a" },
    { type: "text-end", id: "0", providerMetadata: { vendor: {} } },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "b" },
    { type: "text-end", id: "1" },
  ]);
  expect(events).toEqual([
    { type: "text-delta", text: "a" },
    { type: "block-end", block: "text" },
    { type: "text-delta", text: "b" },
  ]);
});

test("what runs at the vendor is kept as it came and never handed to kedge's tools", () => {
  const call = { type: "tool-call", toolCallId: "w", toolName: "search", input: "{}", providerExecuted: true };
  const result = { type: "tool-result", toolCallId: "w", toolName: "search", result: [1] };
  const { events, answer } = read([
    { type: "tool-input-start", id: "w", toolName: "search", providerExecuted: true },
    { type: "tool-input-delta", id: "w", delta: "{}" },
    call,
    { ...result, preliminary: true },
    result,
    finish("stop"),
  ]);
  expect(events).toEqual([
    { type: "vendor-block", block: { type: "vendor", kind: "tool-call", json: JSON.stringify(call) } },
    { type: "vendor-block", block: { type: "vendor", kind: "tool-result", json: JSON.stringify(result) } },
  ]);
  expect(answer.conclusion()?.stopReason).toBe("end");
});

test("parts that nobody knows mean nothing", () => {
  const { events, answer } = read([
    { type: "brand-new", value: 1 },
    { type: "raw", rawValue: {} },
    { type: "source", sourceType: "url", id: "1", url: "https://example.test" },
    { type: "file", mediaType: "image/png", data: { type: "data", data: "" } },
    null,
    "text",
    7,
    { type: "tool-input-delta", id: "never-begun", delta: "{}" },
  ]);
  expect(events).toEqual([]);
  expect(answer.error()).toBeUndefined();
});

test.each([
  ["stop", "end"],
  ["length", "output-limit"],
  ["content-filter", "refused"],
  ["tool-calls", "tool-calls"],
  ["other", "other"],
  ["brand-new", "other"],
])("the reason %j is %j", (reason, stopReason) => {
  expect(read([finish(reason)]).answer.conclusion()?.stopReason).toBe(stopReason);
});

test("a reason of error without an error is still one", () => {
  expect(read([finish("error")]).answer.error()).toEqual({ error: undefined });
});

test("no reason at all is no end", () => {
  const { answer } = read([{ type: "finish", finishReason: { unified: "other", raw: undefined }, usage }]);
  expect(answer.conclusion()).toBeUndefined();
});

test("only an answer that was cut off marks a call incomplete, and calls keep their order", () => {
  const call = (toolCallId: string, input: string) => ({ type: "tool-call", toolCallId, toolName: "read", input });
  const cut = [call("a", '{"x":'), call("b", "")];
  const block = (callId: string, inputText: string) => ({ type: "tool-call", callId, tool: "read", inputText });
  expect(read([...cut, finish("length")]).events).toEqual([
    { type: "tool-call", call: { ...block("a", '{"x":'), incomplete: true } },
    { type: "tool-call", call: { ...block("b", ""), incomplete: true } },
  ]);
  expect(read([...cut, finish("tool-calls")]).events).toEqual([
    { type: "tool-call", call: block("a", '{"x":') },
    { type: "tool-call", call: block("b", "{}") },
  ]);
});

test("usage without details counts every token once", () => {
  const answer = createSdkAnswer();
  answer.push({
    type: "finish",
    finishReason: { unified: "stop" },
    usage: { inputTokens: { total: 90, cacheRead: 60 }, outputTokens: { text: 5, reasoning: 2 } },
  });
  expect(answer.conclusion()?.usage).toEqual({ input: 30, output: 7, reasoning: 2, cacheRead: 60, cacheWrite: 0 });
});

test("a whole answer gives the same events", () => {
  const answer = createSdkAnswer();
  const events = answer.pushWhole({
    content: [
      { type: "reasoning", text: "hm", providerMetadata: { a: { s: 1 } } },
      { type: "text", text: "Hi" },
      { type: "tool-call", toolCallId: "c", toolName: "read", input: "{}" },
    ],
    finishReason: { unified: "tool-calls" },
    usage,
  });
  expect(events).toEqual([
    { type: "reasoning-delta", text: "hm" },
    { type: "block-end", block: "reasoning", signature: '{"a":{"s":1}}' },
    { type: "text-delta", text: "Hi" },
    { type: "tool-call", call: { type: "tool-call", callId: "c", tool: "read", inputText: "{}" } },
  ]);
  expect(answer.conclusion()?.stopReason).toBe("tool-calls");
});
