/** Proves over real HTTP that what a model thought before a call comes back to it in the vendor's own form. */
import type { AssistantBlock, Message, ModelRequest, Provider } from "@kedge/protocol";
import { type MockModel, startMockModel } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createOpenAiChatProvider } from "../src/chat/openai-chat.ts";
import { createOpenAiResponsesProvider } from "../src/responses/openai-responses.ts";

let mock: MockModel;

beforeEach(async () => {
  const toolCalls = [{ name: "read", input: { filePath: "a.txt" } }];
  mock = await startMockModel({ script: [{ reasoning: "I need the file.", toolCalls }, { text: "Done." }] });
});

afterEach(() => mock.close());

function requestOf(messages: readonly Message[]): ModelRequest {
  const model = { ref: "m/a", provider: "m", id: "a", contextTokens: 1000, outputTokensMax: 100 };
  return {
    model: { ...model, quirks: ["reasoning-returned"] },
    source: "main",
    conversationId: "ses_1",
    system: "",
    tools: [],
    messages,
    outputTokensMax: 100,
    requestId: "req-1",
  };
}

/** The blocks of the answer, each thought closed by its signature. */
async function answer(provider: Provider, messages: readonly Message[]): Promise<readonly AssistantBlock[]> {
  const blocks: AssistantBlock[] = [];
  let thought = "";
  for await (const event of provider.stream(requestOf(messages), new AbortController().signal)) {
    if (event.type === "reasoning-delta") thought += event.text;
    if (event.type === "block-end" && event.signature !== undefined)
      blocks.push({ type: "reasoning", text: thought, signature: event.signature });
    if (event.type === "tool-call") blocks.push(event.call);
    if (event.type === "failed") throw new Error(event.failure.message);
  }
  return blocks;
}

async function secondRequest(provider: Provider): Promise<{ readonly [member: string]: unknown }> {
  const messages: Message[] = [{ role: "user", text: "Go." }];
  messages.push({ role: "assistant", content: await answer(provider, messages), model: "m/a" });
  messages.push({ role: "tool", callId: "call_1_0", tool: "read", output: "A", isError: false });
  await answer(provider, messages);
  return JSON.parse(mock.requests[1]?.raw.toString() ?? "{}");
}

test("on the Responses wire, as an item with its encrypted content", async () => {
  const { input } = await secondRequest(createOpenAiResponsesProvider({ baseUrl: mock.baseUrl }));
  expect(input).toEqual([
    { role: "user", content: [{ type: "input_text", text: "Go." }] },
    {
      type: "reasoning",
      id: "rs_mock",
      summary: [{ type: "summary_text", text: "I need the file." }],
      encrypted_content: "bW9jayByZWFzb25pbmc=",
    },
    { type: "function_call", call_id: "call_1_0", name: "read", arguments: '{"filePath":"a.txt"}' },
    { type: "function_call_output", call_id: "call_1_0", output: "A" },
  ]);
});

test("on the Chat Completions wire, in the side field it came in", async () => {
  const { messages } = await secondRequest(createOpenAiChatProvider({ baseUrl: mock.baseUrl }));
  const call = { name: "read", arguments: '{"filePath":"a.txt"}' };
  expect(messages).toEqual([
    { role: "user", content: "Go." },
    {
      role: "assistant",
      content: null,
      reasoning_content: "I need the file.",
      tool_calls: [{ id: "call_1_0", type: "function", function: call }],
    },
    { role: "tool", tool_call_id: "call_1_0", content: "A" },
  ]);
});
