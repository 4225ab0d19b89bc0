/** Writes a turn as an answer of Google's generateContent, streamed or whole. */
import type { AnswerName, MockWire } from "./mock-wire.ts";
import type { MockToolCall, MockTurn, MockUsage } from "./script.ts";
import { cut, deltaCharactersDefault, frame, usageDefault } from "./wire-pieces.ts";

export const googleMockWire: MockWire = {
  matches: (path) => /\/models\/[^?]+:(streamGenerateContent|generateContent)(\?|$)/.test(path),
  isStreaming: ({ path }) => path.includes(":streamGenerateContent"),
  streamed: streamedAnswer,
  whole: wholeAnswer,
  streamedError: (error) => frame({ error }),
  emptyStream: frame({ usageMetadata: wireUsage(usageDefault) }),
  peculiarities: new Set(["calls-without-id"]),
};

function streamedAnswer(turn: MockTurn, name: AnswerName): string {
  const size = turn.deltaCharacters ?? deltaCharactersDefault;
  const chunk = (parts: readonly object[], finishReason?: string) => frame(answerOf(turn, name, parts, finishReason));
  const frames = [chunk([{ text: "" }])];
  if (turn.malformedFrame === true) frames.push('data: {"candidates":[{"content":\n\n');
  for (const piece of cut(turn.reasoning ?? "", size)) frames.push(chunk([{ text: piece, thought: true }]));
  for (const piece of cut(turn.text ?? "", size)) frames.push(chunk([{ text: piece }]));
  const calls = callParts(turn, name);
  if (calls.length > 0) frames.push(chunk(calls));
  if (turn.omitFinishReason !== true) frames.push(chunk([closingPart(turn)], finishReasonOf(turn)));
  return frames.join("");
}

function wholeAnswer(turn: MockTurn, name: AnswerName): string {
  const parts = [
    ...(turn.reasoning === undefined ? [] : [{ text: turn.reasoning, thought: true }]),
    ...(turn.text === undefined ? [] : [{ text: turn.text }]),
    ...callParts(turn, name),
    ...("thoughtSignature" in closingPart(turn) ? [closingPart(turn)] : []),
  ];
  return JSON.stringify(answerOf(turn, name, parts, finishReasonOf(turn)));
}

function answerOf(turn: MockTurn, name: AnswerName, parts: readonly object[], finishReason?: string): object {
  return {
    candidates: [
      { content: { parts, role: "model" }, ...(finishReason === undefined ? {} : { finishReason }), index: 0 },
    ],
    usageMetadata: wireUsage(turn.usage ?? usageDefault),
    modelVersion: name.model,
    // The provider matrix expects this form in the ids that are made up for calls without one.
    responseId: `chatcmpl-${name.number}`,
  };
}

/** A call is never cut: its input is an object, and all calls come in one event. Only the first is signed. */
function callParts(turn: MockTurn, name: AnswerName): readonly object[] {
  return (turn.toolCalls ?? []).map((call, index) => ({
    functionCall: { ...idOf(call, name, index), name: call.name, args: call.input ?? {} },
    ...(index === 0 ? signatureOf(turn) : {}),
  }));
}

function closingPart(turn: MockTurn): object {
  return { text: "", ...((turn.toolCalls ?? []).length === 0 ? signatureOf(turn) : {}) };
}

function signatureOf({ thoughtSignature }: MockTurn): object {
  return thoughtSignature === undefined ? {} : { thoughtSignature };
}

function idOf(call: MockToolCall, name: AnswerName, index: number): { readonly id?: string } {
  if (call.id === "") return {};
  return { id: call.id ?? `call_${name.number}_${index}` };
}

function finishReasonOf({ finishReason }: MockTurn): string {
  switch (finishReason) {
    case undefined:
    case "stop":
    case "tool_calls":
      return "STOP";
    case "length":
      return "MAX_TOKENS";
    case "content_filter":
      return "SAFETY";
    default:
      return finishReason.toUpperCase();
  }
}

/** This wire counts thoughts beside the output, not within it. */
function wireUsage({ input, output, cached, reasoning }: MockUsage): object {
  return {
    promptTokenCount: input,
    ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
    candidatesTokenCount: output - (reasoning ?? 0),
    ...(reasoning === undefined ? {} : { thoughtsTokenCount: reasoning }),
    totalTokenCount: input + output,
  };
}
