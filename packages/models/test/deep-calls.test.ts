/** Proves on every wire that no nesting overflows the stack: what is too deep stays so, and the next request can be sent. */
import { flawOf, type ModelEvent } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createSdkAnswer } from "../src/ai-sdk/sdk-answer.ts";
import { createPromptWriter } from "../src/ai-sdk/sdk-prompt.ts";
import { createAnthropicAnswer } from "../src/anthropic/anthropic-answer.ts";
import { createAnthropicEncoding } from "../src/anthropic/anthropic-request.ts";
import { createChatAnswer } from "../src/chat/chat-answer.ts";
import { createGoogleAnswer } from "../src/google/google-answer.ts";
import { createGoogleEncoding } from "../src/google/google-request.ts";
import { createResponsesAnswer } from "../src/responses/responses-answer.ts";
import { createRequestBodies } from "../src/wire/request-body.ts";
import type { WireAnswer } from "../src/wire/wire-answer.ts";
import { sampleRequest } from "./sample-request.ts";

const levels = 100_000;
const value = `${"[".repeat(levels)}1${"]".repeat(levels)}`;
const deep = `{"a":${value}}`;
const asText = JSON.stringify(deep);
const { model } = sampleRequest([]);

const chat = () => createChatAnswer({ requestId: "req", model });
const anthropic = () => createAnthropicAnswer("req");
const google = () => createGoogleAnswer("req");

const chatFrame = (delta: string, reason = "null") => `{"choices":[{"delta":${delta},"finish_reason":${reason}}]}`;
const begin = (block: string) => `{"type":"content_block_start","index":0,"content_block":${block}}`;
const toolUse = (input: string) => `{"type":"tool_use","id":"c","name":"run","input":${input}}`;
const stopped = '{"type":"message_delta","delta":{"stop_reason":"tool_use"}}';
const itemDone = (item: string) => `{"type":"response.output_item.done","output_index":0,"item":${item}}`;
const completed = '{"type":"response.completed","response":{}}';
const functionCall = (args: string) => `{"functionCall":{"name":"run","args":${args}}}`;
const candidate = (part: string) => `{"candidates":[{"content":{"parts":[${part}]},"finishReason":"STOP"}]}`;

type Case = readonly [name: string, answer: () => WireAnswer, frames: readonly string[]];

const withCall: readonly Case[] = [
  [
    "chat",
    chat,
    [chatFrame(`{"tool_calls":[{"id":"c","function":{"name":"run","arguments":${asText}}}]}`, '"tool_calls"')],
  ],
  [
    "responses",
    createResponsesAnswer,
    [itemDone(`{"type":"function_call","call_id":"c","name":"run","arguments":${asText}}`), completed],
  ],
  ["anthropic, at once", anthropic, [begin(toolUse(deep)), stopped]],
  [
    "anthropic, in a piece",
    anthropic,
    [
      begin(toolUse("{}")),
      `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${asText}}}`,
      stopped,
    ],
  ],
  ["google", google, [candidate(functionCall(deep))]],
];

const withoutCall: readonly Case[] = [
  [
    "chat, details of reasoning",
    chat,
    [chatFrame(`{"reasoning_details":[${deep}]}`), chatFrame('{"content":"x"}', '"stop"')],
  ],
  ["responses, a search", createResponsesAnswer, [itemDone(`{"type":"web_search_call","action":${deep}}`), completed]],
  ["anthropic, a vendor block", anthropic, [begin(`{"type":"odd","x":${value}}`), stopped]],
  ["anthropic, citations", anthropic, [begin(`{"type":"text","text":"x","citations":[${deep}]}`), stopped]],
  [
    "google, half a character beside it",
    google,
    [candidate(`{"text":"\\ud800","odd":${value}},{"text":"x","thoughtSignature":"s"}`)],
  ],
  ["google, something unknown", google, [candidate(`{"odd":${value}}`)]],
];

function read(make: () => WireAnswer, frames: readonly string[]): readonly ModelEvent[] {
  const answer = make();
  for (const frame of frames) answer.push(Buffer.from(`data: ${frame}\n\n`));
  answer.pushEnd();
  expect([answer.problem(), answer.conclusion() !== undefined]).toEqual([undefined, true]);
  return answer.take();
}

test.each(withCall)("%s: a call", (_, make, frames) => {
  const calls = read(make, frames).flatMap((event) => (event.type === "tool-call" ? [event.call] : []));
  expect(calls.map(({ inputText }) => flawOf(JSON.parse(inputText)))).toEqual(["depth"]);
  const request = sampleRequest([
    { role: "user", text: "go" },
    { role: "assistant", content: calls },
  ]);
  for (const encoding of [
    createAnthropicEncoding((first) => [first], "5m"),
    createGoogleEncoding((first) => [first]),
  ]) {
    const body = createRequestBodies(encoding).lend(request).bytes.toString();
    expect(flawOf(JSON.parse(body))).toBeUndefined();
  }
  const written = createPromptWriter()(request, "v3", new AbortController().signal);
  expect(flawOf(JSON.parse(JSON.stringify(written.prompt)))).toBeUndefined();
});

test("a package: what it attached, and what only it understands", () => {
  const answer = createSdkAnswer();
  const odd: unknown = JSON.parse(`{"type":"custom","x":${value}}`);
  const signed: unknown = JSON.parse(`{"type":"text-end","id":"1","providerMetadata":{"vendor":${deep}}}`);
  const events = [odd, { type: "text-start", id: "1" }, signed].flatMap((part) => answer.push(part));
  expect(events.map(({ type }) => type)).toEqual(["vendor-block", "block-end"]);
});

test.each(withoutCall)("%s", (_, make, frames) => {
  expect(read(make, frames).some(({ type }) => type === "tool-call")).toBe(false);
});

test.each([
  ["google", google, [candidate(functionCall('{"a":[1e400],"b":{"c":-1e400,"d":"x"}}'))]],
  ["anthropic", anthropic, [begin(toolUse('{"a":[1e400],"b":{"c":-1e400,"d":"x"}}')), stopped]],
] satisfies readonly Case[])("%s: a number that is too large stays one", (_, make, frames) => {
  const calls = read(make, frames).flatMap((event) => (event.type === "tool-call" ? [event.call.inputText] : []));
  expect(calls).toEqual(['{"a":[1e999],"b":{"c":-1e999,"d":"x"}}']);
});
