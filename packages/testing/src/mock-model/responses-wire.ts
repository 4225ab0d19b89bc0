/** Writes a turn as an answer of the Responses wire, streamed or whole. */
import type { AnswerName, MockWire } from "./mock-wire.ts";
import type { MockToolCall, MockTurn, MockUsage } from "./script.ts";
import { cut, deltaCharactersDefault, usageDefault } from "./wire-pieces.ts";

/** The same in every answer, so that whoever reads one knows what to expect. */
const signedReasoning = { id: "rs_mock", encrypted_content: "bW9jayByZWFzb25pbmc=" };

type WireEvent = { readonly type: string; readonly [member: string]: unknown };

/** One element of the answer's `output`: as it is in the end, and the events between its announcement and its end. */
type OutputItem = {
  readonly started: object;
  readonly finished: object;
  readonly events: readonly WireEvent[];
};

export const responsesMockWire: MockWire = {
  matches: (path) => path === "/v1/responses",
  isStreaming: ({ body }) => body.stream === true,
  streamed: streamedAnswer,
  whole: (turn, name) => JSON.stringify(finalResponse(turn, name)),
  streamedError: (error) => frames([{ type: "error", code: error.type, message: error.message, param: null }]),
  emptyStream: frames(openingEvents({ model: "mock-model", number: 1 })),
  reasoningSignature: JSON.stringify(signedReasoning),
  peculiarities: new Set(["interleaved-calls", "inputs-as-text"]),
};

/** What a conversation was shortened to is the text of the turn, sealed so that nobody counts its letters. */
export const responsesCompactionMockWire: MockWire = {
  ...responsesMockWire,
  matches: (path) => path === "/v1/responses/compact",
  isStreaming: () => false,
  whole: (turn, name, asked) => JSON.stringify(compactedResponse(turn, name, asked?.input ?? [])),
};

/** As the vendor does: what the user said stays, and one element stands for all the rest. */
function compactedResponse(
  turn: MockTurn,
  { number }: AnswerName,
  input: readonly { readonly role?: string }[],
): object {
  const said = input
    .filter(({ role }) => role === "user")
    .map((item) => ({ type: "message", status: "completed", ...item }));
  const encrypted_content = Buffer.from(turn.text ?? "").toString("base64");
  return {
    id: responseId(number),
    object: "response.compaction",
    created_at: 1_700_000_000,
    output: [...said, { id: `cmp_${number}`, type: "compaction", encrypted_content }],
    usage: wireUsage(turn.usage ?? usageDefault),
  };
}

function streamedAnswer(turn: MockTurn, name: AnswerName): string {
  const items = outputItems(turn, name).map(itemEvents);
  const callsFrom = items.length - (turn.toolCalls ?? []).length;
  const calls = items.slice(callsFrom);
  const events = [
    ...openingEvents(name),
    ...items.slice(0, callsFrom).flat(),
    ...(turn.interleave === true ? inTurn(calls) : calls.flat()),
    ...(turn.omitFinishReason === true ? [] : [closingEvent(turn, name)]),
  ];
  if (turn.malformedFrame !== true) return frames(events);
  return `${frames(events.slice(0, 1))}event: response.in_progress\ndata: {"type":\n\n${frames(events.slice(1))}`;
}

function openingEvents({ model, number }: AnswerName): readonly WireEvent[] {
  const response = { id: responseId(number), object: "response", status: "in_progress", model, output: [] };
  return [
    { type: "response.created", response },
    { type: "response.in_progress", response },
  ];
}

function closingEvent(turn: MockTurn, name: AnswerName): WireEvent {
  return { type: `response.${statusOf(turn)}`, response: finalResponse(turn, name) };
}

function finalResponse(turn: MockTurn, name: AnswerName): object {
  const reason = incompleteReasonOf(turn);
  return {
    id: responseId(name.number),
    object: "response",
    status: statusOf(turn),
    model: name.model,
    output: outputItems(turn, name).map(({ finished }) => finished),
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    usage: wireUsage(turn.usage ?? usageDefault),
  };
}

function outputItems(turn: MockTurn, name: AnswerName): readonly OutputItem[] {
  const size = turn.deltaCharacters ?? deltaCharactersDefault;
  const items: OutputItem[] = [];
  if ((turn.reasoning ?? "") !== "") items.push(reasoningItem(turn.reasoning ?? "", size));
  if ((turn.text ?? "") !== "") items.push(messageItem(`msg_${name.number}`, turn.text ?? "", size));
  const status = turn.finishReason === "length" ? "incomplete" : "completed";
  const calls = (turn.toolCalls ?? []).map((call, index) =>
    callItem(call, { number: name.number, index, status, size }),
  );
  return [...items, ...calls];
}

function reasoningItem(text: string, size: number): OutputItem {
  const { id, ...encrypted } = signedReasoning;
  const place = { item_id: id, summary_index: 0 };
  const part = { type: "summary_text", text };
  return {
    started: { id, type: "reasoning", ...encrypted, summary: [] },
    finished: { id, type: "reasoning", ...encrypted, summary: [part] },
    events: [
      { type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } },
      ...cut(text, size).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...place, delta })),
      { type: "response.reasoning_summary_text.done", ...place, text },
      { type: "response.reasoning_summary_part.done", ...place, part },
    ],
  };
}

function messageItem(id: string, text: string, size: number): OutputItem {
  const place = { item_id: id, content_index: 0 };
  const part = { type: "output_text", annotations: [], text };
  const item = { id, type: "message", role: "assistant" };
  return {
    started: { ...item, status: "in_progress", content: [] },
    finished: { ...item, status: "completed", content: [part] },
    events: [
      { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
      ...cut(text, size).map((delta) => ({ type: "response.output_text.delta", ...place, delta, logprobs: [] })),
      { type: "response.output_text.done", ...place, text },
      { type: "response.content_part.done", ...place, part },
    ],
  };
}

function callItem(
  call: MockToolCall,
  place: { readonly number: number; readonly index: number; readonly status: string; readonly size: number },
): OutputItem {
  const suffix = `${place.number}_${place.index}`;
  const id = `fc_${suffix}`;
  const item = { id, type: "function_call", call_id: call.id ?? `call_${suffix}`, name: call.name };
  const inputText = call.inputText ?? JSON.stringify(call.input ?? {});
  return {
    started: { ...item, arguments: "", status: "in_progress" },
    finished: { ...item, arguments: inputText, status: place.status },
    events: [
      ...cut(inputText, place.size).map((delta) => ({
        type: "response.function_call_arguments.delta",
        item_id: id,
        delta,
      })),
      { type: "response.function_call_arguments.done", item_id: id, arguments: inputText },
    ],
  };
}

function itemEvents(item: OutputItem, index: number): readonly WireEvent[] {
  const events: readonly WireEvent[] = [
    { type: "response.output_item.added", item: item.started },
    ...item.events,
    { type: "response.output_item.done", item: item.finished },
  ];
  return events.map(({ type, ...members }) => ({ type, output_index: index, ...members }));
}

function inTurn(lists: readonly (readonly WireEvent[])[]): readonly WireEvent[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, round) => lists.flatMap((list) => list[round] ?? [])).flat();
}

function statusOf(turn: MockTurn): "completed" | "incomplete" {
  return incompleteReasonOf(turn) === undefined ? "completed" : "incomplete";
}

/** Scripts use the words of Chat Completions. */
function incompleteReasonOf({ finishReason }: MockTurn): string | undefined {
  switch (finishReason) {
    case undefined:
    case "stop":
    case "tool_calls":
      return undefined;
    case "length":
      return "max_output_tokens";
    default:
      return finishReason;
  }
}

function wireUsage(usage: MockUsage): object {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached ?? 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: usage.input + usage.output,
  };
}

function responseId(number: number): string {
  return `resp_${number}`;
}

/** Events are numbered within the list they are written with. */
function frames(events: readonly WireEvent[]): string {
  return events
    .map(({ type, ...members }, index) => {
      const data = JSON.stringify({ type, sequence_number: index, ...members });
      return `event: ${type}\ndata: ${data}\n\n`;
    })
    .join("");
}
