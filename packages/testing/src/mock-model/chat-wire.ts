/** Writes a turn as a Chat Completions answer, streamed or whole. */
import type { AnswerName, MockWire } from "./mock-wire.ts";
import type { MockToolCall, MockTurn, MockUsage } from "./script.ts";
import { cut, deltaCharactersDefault, frame, usageDefault } from "./wire-pieces.ts";

export const chatMockWire: MockWire = {
  matches: (path) => path === "/v1/chat/completions",
  isStreaming: ({ body }) => body.stream === true,
  streamed: streamedAnswer,
  whole: wholeAnswer,
  streamedError: (error) => frame({ error }),
  emptyStream: "data: [DONE]\n\n",
  peculiarities: new Set(["interleaved-calls", "calls-without-id", "no-closing-mark", "inputs-as-text"]),
};

function streamedAnswer(turn: MockTurn, name: AnswerName): string {
  const size = turn.deltaCharacters ?? deltaCharactersDefault;
  const base = { id: responseId(name), object: "chat.completion.chunk", created: 1_700_000_000, model: name.model };
  const chunk = (delta: object, finishReason: string | null = null) =>
    frame({ ...base, choices: [{ index: 0, delta, finish_reason: finishReason }] });
  const frames = [chunk({ role: "assistant", content: "" })];
  if (turn.malformedFrame === true) frames.push('data: {"choices":[{"delta":\n\n');
  for (const piece of cut(turn.reasoning ?? "", size)) frames.push(chunk({ reasoning_content: piece }));
  for (const piece of cut(turn.text ?? "", size)) frames.push(chunk({ content: piece }));
  for (const delta of toolDeltas(turn, name, size)) frames.push(chunk({ tool_calls: [delta] }));
  if (turn.omitFinishReason !== true) frames.push(chunk({}, finishReasonOf(turn)));
  frames.push(frame({ ...base, choices: [], usage: wireUsage(turn.usage ?? usageDefault) }));
  if (turn.omitDone !== true) frames.push("data: [DONE]\n\n");
  return frames.join("");
}

function wholeAnswer(turn: MockTurn, name: AnswerName): string {
  const calls = (turn.toolCalls ?? []).map((call, index) => ({
    ...idOf(call, name, index),
    type: "function",
    function: { name: call.name, arguments: inputTextOf(call) },
  }));
  const message = {
    role: "assistant",
    content: turn.text ?? null,
    ...(turn.reasoning === undefined ? {} : { reasoning_content: turn.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return JSON.stringify({
    id: responseId(name),
    object: "chat.completion",
    created: 1_700_000_000,
    model: name.model,
    choices: [{ index: 0, message, finish_reason: finishReasonOf(turn) }],
    usage: wireUsage(turn.usage ?? usageDefault),
  });
}

function toolDeltas(turn: MockTurn, name: AnswerName, size: number): readonly object[] {
  const perCall = (turn.toolCalls ?? []).map((call, index) => {
    const start = { index, ...idOf(call, name, index), type: "function", function: { name: call.name, arguments: "" } };
    const pieces = cut(inputTextOf(call), size).map((piece) => ({ index, function: { arguments: piece } }));
    return [start, ...pieces];
  });
  if (turn.interleave !== true) return perCall.flat();
  const longest = Math.max(0, ...perCall.map((deltas) => deltas.length));
  const rounds = Array.from({ length: longest }, (_, round) => perCall.flatMap((deltas) => deltas[round] ?? []));
  return rounds.flat();
}

function idOf(call: MockToolCall, name: AnswerName, index: number): { readonly id?: string } {
  if (call.id === "") return {};
  return { id: call.id ?? `call_${name.number}_${index}` };
}

function inputTextOf(call: MockToolCall): string {
  return call.inputText ?? JSON.stringify(call.input ?? {});
}

function finishReasonOf(turn: MockTurn): string {
  return turn.finishReason ?? ((turn.toolCalls ?? []).length > 0 ? "tool_calls" : "stop");
}

function wireUsage(usage: MockUsage): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    ...(usage.cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: usage.cached } }),
    ...(usage.reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: usage.reasoning } }),
  };
}

function responseId(name: AnswerName): string {
  return `chatcmpl-${name.number}`;
}
