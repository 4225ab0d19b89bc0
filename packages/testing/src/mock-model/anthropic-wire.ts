/** Writes a turn as a Messages answer, streamed or whole. */
import type { AnswerName, MockWire } from "./mock-wire.ts";
import type { MockToolCall, MockTurn, MockUsage } from "./script.ts";
import { cut, deltaCharactersDefault, usageDefault } from "./wire-pieces.ts";

const reasoningSignature = "mock-signature";

export const anthropicMockWire: MockWire = {
  matches: (path) => path === "/v1/messages",
  isStreaming: ({ body }) => body.stream === true,
  streamed: streamedAnswer,
  whole: wholeAnswer,
  streamedError: (error) => messageStart(usageDefault, { model: "mock-model", number: 1 }) + event("error", { error }),
  emptyStream: messageStart(usageDefault, { model: "mock-model", number: 1 }) + event("message_stop", {}),
  reasoningSignature,
  peculiarities: new Set(["inputs-as-text"]),
};

function streamedAnswer(turn: MockTurn, name: AnswerName): string {
  const usage = turn.usage ?? usageDefault;
  const events = [messageStart(usage, name), event("ping", {})];
  if (turn.malformedFrame === true) events.push('event: content_block_delta\ndata: {"type":"content_block_delta",\n\n');
  for (const [index, block] of blocksOf(turn, name).entries()) {
    events.push(event("content_block_start", { index, content_block: block.start }));
    for (const delta of block.deltas) events.push(event("content_block_delta", { index, delta }));
    events.push(event("content_block_stop", { index }));
  }
  if (turn.omitFinishReason !== true) {
    const delta = { stop_reason: stopReasonOf(turn), stop_sequence: null };
    events.push(event("message_delta", { delta, usage: outputUsage(usage) }));
  }
  if (turn.omitDone !== true) events.push(event("message_stop", {}));
  return events.join("");
}

function wholeAnswer(turn: MockTurn, name: AnswerName): string {
  const usage = turn.usage ?? usageDefault;
  return JSON.stringify({
    ...emptyMessage(name),
    content: blocksOf(turn, name).map((block) => block.whole()),
    stop_reason: stopReasonOf(turn),
    usage: { ...inputUsage(usage), ...outputUsage(usage) },
  });
}

function messageStart(usage: MockUsage, name: AnswerName): string {
  return event("message_start", {
    message: { ...emptyMessage(name), usage: { ...inputUsage(usage), output_tokens: 1 } },
  });
}

function emptyMessage(name: AnswerName): object {
  return {
    id: `msg_${name.number}`,
    type: "message",
    role: "assistant",
    model: name.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

/** One content block: how it begins, what is added to it, and what it looks like in an answer that is not streamed. */
type Block = { readonly start: object; readonly deltas: readonly object[]; readonly whole: () => object };

function blocksOf(turn: MockTurn, name: AnswerName): readonly Block[] {
  const size = turn.deltaCharacters ?? deltaCharactersDefault;
  const { reasoning = "", text = "", toolCalls = [] } = turn;
  return [
    ...(reasoning === "" ? [] : [thinkingBlock(reasoning, size)]),
    ...(text === "" ? [] : [textBlock(text, size)]),
    ...toolCalls.map((call, index) => toolBlock(call, call.id ?? `call_${name.number}_${index}`, size)),
  ];
}

function thinkingBlock(reasoning: string, size: number): Block {
  const signature = reasoningSignature;
  return {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...cut(reasoning, size).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature },
    ],
    whole: () => ({ type: "thinking", thinking: reasoning, signature }),
  };
}

function textBlock(text: string, size: number): Block {
  return {
    start: { type: "text", text: "" },
    deltas: cut(text, size).map((piece) => ({ type: "text_delta", text: piece })),
    whole: () => ({ type: "text", text }),
  };
}

/** Like the vendor's, the first piece of the input is empty. */
function toolBlock(call: MockToolCall, id: string, size: number): Block {
  const inputText = call.inputText ?? JSON.stringify(call.input ?? {});
  const start = { type: "tool_use", id, name: call.name, input: {} };
  return {
    start,
    deltas: ["", ...cut(inputText, size)].map((piece) => ({ type: "input_json_delta", partial_json: piece })),
    whole: () => ({ ...start, input: JSON.parse(inputText) }),
  };
}

/** Scripts use the words of the Chat Completions wire. */
function stopReasonOf(turn: MockTurn): string {
  const finishReason = turn.finishReason ?? ((turn.toolCalls ?? []).length > 0 ? "tool_calls" : "stop");
  switch (finishReason) {
    case "stop":
      return "end_turn";
    case "tool_calls":
      return "tool_use";
    case "length":
      return "max_tokens";
    case "content_filter":
      return "refusal";
    default:
      return finishReason;
  }
}

/** Here cached tokens are counted beside the input, not within it. */
function inputUsage({ input, cached = 0 }: MockUsage): object {
  return { input_tokens: input - cached, cache_creation_input_tokens: 0, cache_read_input_tokens: cached };
}

function outputUsage({ output, reasoning }: MockUsage): object {
  return {
    output_tokens: output,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
  };
}

function event(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}
