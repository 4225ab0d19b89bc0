/** Proves what a request becomes for a provider package. */
import type { Media, Message, Model, ModelCapabilities, ModelRequest } from "@kedge/protocol";
import { expect, test } from "vitest";
import type { Specification } from "../src/ai-sdk/language-model.ts";
import { createPromptWriter } from "../src/ai-sdk/sdk-prompt.ts";

const capabilities: ModelCapabilities = {
  tools: true,
  reasoning: "effort",
  images: true,
  documents: true,
  mediaInToolResults: true,
  temperature: true,
  cacheMarks: false,
  webSearch: false,
};
const model: Model = {
  ref: "v/one",
  provider: "v",
  id: "one",
  contextTokens: 1000,
  outputTokensMax: 100,
  capabilities,
  temperature: 0.5,
};
const picture: Media = { name: "a.png", mediaType: "image/png", base64: "iVBORw0K" };
const { signal } = new AbortController();

const messages: readonly Message[] = [
  { role: "user", text: "Look.", media: [picture] },
  {
    role: "assistant",
    model: "v/one",
    content: [
      { type: "reasoning", text: "hm", signature: '{"vendor":{"signature":"s1"}}' },
      { type: "text", text: "I read." },
      {
        type: "vendor",
        kind: "tool-call",
        json: '{"type":"tool-call","toolCallId":"w","toolName":"search","input":"{\\"q\\":1}","providerExecuted":true}',
      },
      {
        type: "vendor",
        kind: "tool-result",
        json: '{"type":"tool-result","toolCallId":"w","toolName":"search","result":[1]}',
      },
      {
        type: "tool-call",
        callId: "c1",
        tool: "read",
        inputText: '{ "filePath": "a" }',
        signature: '{"vendor":{"s":2}}',
      },
      { type: "tool-call", callId: "c2", tool: "read", inputText: '{"file', incomplete: true },
    ],
  },
  { role: "tool", callId: "c1", tool: "read", output: "one", isError: false, media: [picture] },
  { role: "tool", callId: "c2", tool: "read", output: "", isError: true },
  { role: "user", text: "And?" },
];

function requestOf(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model,
    source: "main",
    conversationId: "ses_1",
    system: "System.",
    systemTail: "Today.",
    tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }],
    messages,
    outputTokensMax: 1000,
    requestId: "req-1",
    ...changes,
  };
}

const write = (changes: Partial<ModelRequest> = {}, specification: Specification = "v4") =>
  createPromptWriter()(requestOf(changes), specification, signal);

test("a whole conversation", () => {
  const file = { type: "file", filename: "a.png", mediaType: "image/png", data: { type: "data", data: "iVBORw0K" } };
  expect(write()).toEqual({
    prompt: [
      { role: "system", content: "System.\n\nToday." },
      { role: "user", content: [{ type: "text", text: "Look." }, file] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm", providerOptions: { vendor: { signature: "s1" } } },
          { type: "text", text: "I read." },
          { type: "tool-call", toolCallId: "w", toolName: "search", input: { q: 1 }, providerExecuted: true },
          { type: "tool-result", toolCallId: "w", toolName: "search", output: { type: "json", value: [1] } },
          {
            type: "tool-call",
            toolCallId: "c1",
            toolName: "read",
            input: { filePath: "a" },
            providerOptions: { vendor: { s: 2 } },
          },
          { type: "tool-call", toolCallId: "c2", toolName: "read", input: {} },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "read",
            output: { type: "content", value: [{ type: "text", text: "one" }, file] },
          },
          {
            type: "tool-result",
            toolCallId: "c2",
            toolName: "read",
            output: { type: "error-text", value: "(no output)" },
          },
        ],
      },
      { role: "user", content: [{ type: "text", text: "And?" }] },
    ],
    maxOutputTokens: 1000,
    temperature: 0.5,
    tools: [{ type: "function", name: "read", description: "Reads.", inputSchema: { type: "object" } }],
    headers: { "x-client-request-id": "req-1" },
    abortSignal: signal,
  });
});

test("the older specification gets media in its own form", () => {
  const { prompt } = write({ reasoning: { effort: "high" } }, "v3");
  expect(prompt[1]).toEqual({
    role: "user",
    content: [
      { type: "text", text: "Look." },
      { type: "file", filename: "a.png", mediaType: "image/png", data: "iVBORw0K" },
    ],
  });
  expect(prompt[3]?.content[0]).toMatchObject({
    output: {
      value: [
        { type: "text", text: "one" },
        { type: "file-data", filename: "a.png", mediaType: "image/png", data: "iVBORw0K" },
      ],
    },
  });
});

test("another model's thoughts and signatures are not sent", () => {
  const { prompt } = write({ model: { ...model, ref: "v/two", id: "two" } });
  expect(prompt[2]?.content).toEqual([
    { type: "text", text: "I read." },
    { type: "tool-call", toolCallId: "c1", toolName: "read", input: { filePath: "a" } },
    { type: "tool-call", toolCallId: "c2", toolName: "read", input: {} },
  ]);
});

test("what was converted is converted once, however the conversation grows", () => {
  const log: Message[] = [...messages];
  const writer = createPromptWriter();
  const before = writer(requestOf({ messages: log }), "v4", signal).prompt;
  log.push(
    { role: "assistant", content: [{ type: "text", text: "Fine." }], model: "v/one" },
    { role: "user", text: "?" },
  );
  const after = writer(requestOf({ messages: log }), "v4", signal).prompt;
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after[1]).toBe(before[1]);
  expect(after[2]).toBe(before[2]);
});

test("marks for the cache stand at the end of the system prompt and of the conversation", () => {
  const { prompt } = write({ model: { ...model, capabilities: { ...capabilities, cacheMarks: true } } });
  const marked = prompt.flatMap(({ providerOptions }, index) => (providerOptions === undefined ? [] : [index]));
  expect(marked).toEqual([0, prompt.length - 1]);
  expect(prompt[0]?.providerOptions).toEqual({
    amazonBedrock: { cachePoint: { type: "default" } },
    anthropic: { cacheControl: { type: "ephemeral" } },
  });
});

test.each([
  [{ effort: "off" }, "none"],
  [{ effort: "max" }, "xhigh"],
  [{ effort: "low", tokensMax: 0 }, "none"],
  [{ tokensMax: 100 }, "low"],
  [{ tokensMax: 950 }, "xhigh"],
  [{}, undefined],
] as const)("the wish %j is the level %j", (reasoning, level) => {
  expect(write({ reasoning }).reasoning).toBe(level);
});

test("a model of which nothing is known is told nothing about thinking", () => {
  const { capabilities: _none, ...unknown } = model;
  expect(write({ model: unknown, reasoning: { effort: "high" } })).not.toHaveProperty("reasoning");
});

test("a model that is asked to think gets no temperature", () => {
  expect(write({ reasoning: { effort: "high" } })).not.toHaveProperty("temperature");
  expect(write({ reasoning: { effort: "off" } }).temperature).toBe(0.5);
});
