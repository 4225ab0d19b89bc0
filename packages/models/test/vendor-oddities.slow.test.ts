// Streams as single vendors write them, each read the same wherever the network cuts it.
import type { ModelEvent } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createAnthropicAnswer } from "../src/anthropic/anthropic-answer.ts";
import { createChatAnswer } from "../src/chat/chat-answer.ts";
import { createGoogleAnswer } from "../src/google/google-answer.ts";
import { createResponsesAnswer } from "../src/responses/responses-answer.ts";
import type { WireAnswer } from "../src/wire/wire-answer.ts";
import { expectEveryCut } from "./every-cut.ts";

const wires = {
  chat: () =>
    createChatAnswer({
      requestId: "req",
      model: { ref: "m/a", provider: "m", id: "a", contextTokens: 1000, outputTokensMax: 100 },
    }),
  responses: createResponsesAnswer,
  anthropic: () => createAnthropicAnswer("req"),
  google: () => createGoogleAnswer("req"),
};

function readWith(create: () => WireAnswer) {
  return (chunks: readonly Buffer[]) => {
    const answer = create();
    const events: ModelEvent[] = [];
    for (const chunk of chunks) {
      answer.push(chunk);
      events.push(...answer.take());
    }
    answer.pushEnd();
    events.push(...answer.take());
    const joined = (type: "text-delta" | "reasoning-delta") =>
      events.flatMap((event) => (event.type === type ? [event.text] : [])).join("");
    const calls = events.flatMap((event) => (event.type === "tool-call" ? [event.call.inputText] : []));
    const { stopReason, usage } = answer.conclusion() ?? {};
    return {
      text: joined("text-delta"),
      reasoning: joined("reasoning-delta"),
      calls,
      stopReason,
      tokens: usage && [usage.input, usage.output],
      problem: answer.problem(),
    };
  };
}

const stream = (...frames: readonly object[]) => frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");
const choice = (delta: object, finish: string | null = null, index = 0) => ({
  id: "x",
  choices: [{ index, delta, finish_reason: finish }],
});
const named = (type: string, value: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;
const chatUsage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const plain = stream(choice({ content: "Hel" }), choice({ content: "lo" }), {
  ...choice({}, "stop"),
  usage: chatUsage,
});
const hello = { text: "Hello", reasoning: "", calls: [], stopReason: "end", tokens: [7, 3], problem: undefined };

const reasoningItem = { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "Think twice." }] };
const callItem = { id: "fc_1", type: "function_call", call_id: "c1", name: "read", arguments: '{"a":1}' };
const completed = { response: { status: "completed", usage: { input_tokens: 7, output_tokens: 3 } } };
const anthropicStart = named("message_start", { message: { id: "m", usage: { input_tokens: 7, output_tokens: 0 } } });
const anthropicText = [
  named("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  named("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Hello" } }),
  named("content_block_stop", { index: 0 }),
].join("");

const oddities: readonly (readonly [string, keyof typeof wires, string, object])[] = [
  [
    "content as a list of parts with thoughts among them",
    "chat",
    stream(
      choice({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Think twice." }] }] }),
      choice({ content: [{ type: "text", text: "Hel" }] }),
      choice({ content: "lo" }),
      { ...choice({}, "stop"), usage: chatUsage },
    ),
    { ...hello, reasoning: "Think twice." },
  ],
  [
    "usage in a member of the vendor",
    "chat",
    stream(choice({ content: "Hello" }), { ...choice({}, "stop"), x_groq: { id: "r", usage: chatUsage } }),
    hello,
  ],
  [
    "text at another choice index than the role",
    "chat",
    stream(choice({ role: "assistant" }), choice({ content: "Hel" }, null, 1), choice({ content: "lo" }, null, 1), {
      ...choice({}, "stop", 1),
      usage: chatUsage,
    }),
    hello,
  ],
  [
    "a second choice that nobody asked for",
    "chat",
    stream(
      choice({ content: "Hel" }),
      choice({ content: "Good" }, null, 1),
      choice({ content: "lo" }),
      choice({}, "stop", 1),
      { ...choice({}, "stop"), usage: chatUsage },
    ),
    hello,
  ],
  ["lines that end with carriage returns alone", "chat", plain.replaceAll("\n", "\r"), hello],
  ["line endings of all kinds", "chat", plain.replace("\n\n", "\r\r").replace("\n\n", "\r\n\r\n"), hello],
  ["fields without a colon", "chat", `retry\n\n${plain.replaceAll("data: ", "data\nid\ndata: ")}`, hello],
  [
    "usage in a frame behind the reason for stopping",
    "google",
    stream(
      { candidates: [{ content: { parts: [{ text: "Hello" }] } }], usageMetadata: { promptTokenCount: 7 } },
      { candidates: [{ content: { parts: [] }, finishReason: "STOP" }] },
      { usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3 } },
    ),
    hello,
  ],
  [
    "reasoning deltas that name their item by its id alone",
    "responses",
    [
      named("response.output_item.added", { output_index: 0, item: { ...reasoningItem, summary: [] } }),
      named("response.reasoning_summary_text.delta", { item_id: "rs_1", delta: "Think " }),
      named("response.reasoning_summary_text.delta", { item_id: "rs_1", delta: "twice." }),
      named("response.output_item.done", { output_index: 0, item: reasoningItem }),
      named("response.output_text.delta", { output_index: 1, item_id: "m", delta: "Hello" }),
      named("response.completed", completed),
    ].join(""),
    { ...hello, reasoning: "Think twice." },
  ],
  [
    "input of a call that is named by its id alone",
    "responses",
    [
      named("response.output_item.added", { output_index: 0, item: { ...callItem, arguments: "" } }),
      named("response.function_call_arguments.delta", { item_id: "fc_1", delta: '{"a"' }),
      named("response.function_call_arguments.delta", { item_id: "fc_1", delta: ":1}" }),
      named("response.output_item.done", { output_index: 0, item: callItem }),
      named("response.completed", completed),
    ].join(""),
    { ...hello, text: "", calls: ['{"a":1}'], stopReason: "tool-calls" },
  ],
  [
    "a stream without its last event",
    "anthropic",
    anthropicStart +
      anthropicText +
      named("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 3 } }),
    hello,
  ],
  [
    "carriage returns alone",
    "anthropic",
    (
      anthropicStart +
      anthropicText +
      named("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 3 } }) +
      named("message_stop", {})
    ).replaceAll("\n", "\r"),
    hello,
  ],
];

test.each(oddities)("%s (%s)", (_name, wire, text, expected) => {
  const read = readWith(wires[wire]);
  expect(read([Buffer.from(text)])).toEqual(expected);
  expectEveryCut(Buffer.from(text), read, expected);
});
