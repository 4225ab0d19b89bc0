/** Proves on every wire that a call which did not arrive whole never looks whole, wherever it was cut and whatever is said of it. */
import type { ModelEvent, ToolCallBlock } from "@kedge/protocol";
import {
  anthropicMockWire,
  chatMockWire,
  createSeededRandom,
  googleMockWire,
  type MockTurn,
  type MockWire,
  randomJsonObject,
  responsesMockWire,
} from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { createSdkAnswer } from "../src/ai-sdk/sdk-answer.ts";
import { createAnthropicAnswer } from "../src/anthropic/anthropic-answer.ts";
import { createChatAnswer } from "../src/chat/chat-answer.ts";
import { createGoogleAnswer } from "../src/google/google-answer.ts";
import { createResponsesAnswer } from "../src/responses/responses-answer.ts";
import type { WireAnswer } from "../src/wire/wire-answer.ts";
import { sampleRequest } from "./sample-request.ts";

const name = { model: "mock-model", number: 1 };
const { model } = sampleRequest([]);
const thinking = { ...model, quirks: ["think-spans"] as const };

type TestedWire = { readonly wire: MockWire; readonly answer: () => WireAnswer };

const wires: { readonly [name: string]: TestedWire } = {
  chat: { wire: chatMockWire, answer: () => createChatAnswer({ requestId: "req", model }) },
  "chat with think spans": {
    wire: chatMockWire,
    answer: () => createChatAnswer({ requestId: "req", model: thinking }),
  },
  responses: { wire: responsesMockWire, answer: createResponsesAnswer },
  anthropic: { wire: anthropicMockWire, answer: () => createAnthropicAnswer("req") },
  google: { wire: googleMockWire, answer: () => createGoogleAnswer("req") },
};

/** Reasons under which a vendor says that it said everything. */
const finalReasons = ["tool_calls", "stop"];
const reasons = [...finalReasons, "length", "content_filter", "eos", undefined];

const sent = {
  command: 'echo "ü👍" \\ },]',
  list: [1, -2.5, [true, null], {}],
  nested: { empty: "", more: { 'a"b': ["x", "y\n"] } },
};
const text = JSON.stringify(sent);

function turnOf(inputText: string, reason: string | undefined, changes: Partial<MockTurn> = {}): MockTurn {
  const finish = reason === undefined ? { omitFinishReason: true as const } : { finishReason: reason };
  return { toolCalls: [{ name: "run", id: "c1", inputText }], ...finish, ...changes };
}

/** What of an answer would be tried to run, if it counts at all. */
function runnable(answer: WireAnswer): readonly ToolCallBlock[] {
  const calls = answer.take().flatMap((event) => (event.type === "tool-call" ? [event.call] : []));
  return calls.filter(({ incomplete }) => incomplete !== true);
}

function read({ answer: make }: TestedWire, bytes: string | Buffer): readonly ToolCallBlock[] {
  const answer = make();
  answer.push(Buffer.from(bytes));
  answer.pushEnd();
  return runnable(answer);
}

/** Text that is not whole is left to the engine, which refuses it; what must not be is another object than was sent. */
function expectNothingMadeUp(calls: readonly ToolCallBlock[], cut: string, reason: string | undefined): void {
  for (const { inputText } of calls) {
    const isEmptyCall = cut === "" && inputText === "{}" && finalReasons.includes(reason ?? "");
    const found = isEmptyCall || inputText === cut;
    expect(found, `${JSON.stringify(inputText)} for ${JSON.stringify(cut)}, reason ${reason}`).toBe(true);
  }
}

describe.each(Object.entries(wires).filter(([, { wire }]) => wire.peculiarities.has("inputs-as-text")))(
  "%s",
  (_, tested) => {
    test.each(reasons)("a call cut at any byte of its input, ended with %s", (reason) => {
      for (const deltaCharacters of [1, 16]) {
        for (let length = 0; length < text.length; length += 1) {
          const cut = text.slice(0, length);
          const turn = turnOf(cut, reason, { deltaCharacters });
          expectNothingMadeUp(read(tested, tested.wire.streamed(turn, name)), cut, reason);
        }
      }
      const whole = read(tested, tested.wire.streamed(turnOf(text, reason === undefined ? "stop" : reason), name));
      // The Responses wire says of a call itself that it was cut off.
      const isRefused = tested.wire === responsesMockWire && reason === "length";
      expect(whole.map(({ inputText }) => inputText)).toEqual(isRefused ? [] : [text]);
    });

    test("a call cut off before another one", () => {
      for (let length = 0; length < text.length; length += 1) {
        const cut = text.slice(0, length);
        const toolCalls = [
          { name: "run", id: "c1", inputText: cut },
          { name: "run", id: "c2", inputText: text },
        ];
        const calls = read(tested, tested.wire.streamed({ toolCalls, finishReason: "tool_calls" }, name));
        const [first, second] = ["c1", "c2"].map((callId) => calls.filter((call) => call.callId === callId));
        expectNothingMadeUp(first ?? [], cut, "tool_calls");
        expectNothingMadeUp(second ?? [], text, "tool_calls");
      }
    });
  },
);

describe.each(Object.entries(wires))("%s", (wireName, tested) => {
  test("a connection cut at any byte", () => {
    const turn: MockTurn = { text: "ok", toolCalls: [{ name: "run", id: "c1", input: sent }] };
    const bytes = Buffer.from(tested.wire.streamed(turn, name));
    for (let at = 0; at < bytes.length; at += 1) {
      for (const { inputText } of read(tested, bytes.subarray(0, at))) {
        expect(inputText === text || JSON.stringify(JSON.parse(inputText)), `cut at ${at}`).toBe(true);
      }
    }
  });

  test("an answer in one piece that was cut off", () => {
    if (wireName === "anthropic") return;
    const turn: MockTurn = { toolCalls: [{ name: "run", id: "c1", input: sent }] };
    const whole = tested.wire.whole(turn, name);
    for (let at = 0; at <= whole.length; at += 1) {
      const answer = tested.answer();
      answer.pushWhole(whole.slice(0, at));
      expect(runnable(answer).map(({ inputText }) => inputText)).toEqual(at === whole.length ? [text] : []);
    }
  });

  test("random inputs, cut at random", () => {
    const random = createSeededRandom();
    for (let round = 0; round < 300; round += 1) {
      const input = { first: randomJsonObject(random), last: [] };
      const whole = JSON.stringify(input);
      const turn: MockTurn = { toolCalls: [{ name: "run", id: "c1", input }], deltaCharacters: 1 + random.below(9) };
      const bytes = Buffer.from(tested.wire.streamed(turn, name));
      for (const { inputText } of read(tested, bytes.subarray(0, random.below(bytes.length)))) {
        expect(inputText, `seed ${random.seed}`).toBe(whole);
      }
    }
  });
});

test("google: arguments that were not sent count as none only in an answer that was finished", () => {
  const frame = (call: object, finishReason?: string) => {
    const content = { parts: [{ functionCall: { name: "run", ...call } }] };
    return `data: ${JSON.stringify({ candidates: [{ content, ...(finishReason !== undefined && { finishReason }) }] })}\n\n`;
  };
  const texts = (bytes: string) => read(wires["google"] as TestedWire, bytes).map(({ inputText }) => inputText);
  expect(texts(frame({}, "STOP"))).toEqual(["{}"]);
  expect(texts(frame({}) + frame({ args: sent }, "STOP"))).toEqual(["{}", text]);
  for (const reason of ["MAX_TOKENS", "MALFORMED_FUNCTION_CALL", "OTHER"]) expect(texts(frame({}, reason))).toEqual([]);
  expect(texts(frame({}))).toEqual([]);
  expect(texts(frame({ args: '{"a":1' }, "STOP"))).toEqual([]);
  expect(texts(frame({ args: sent, willContinue: true }, "STOP"))).toEqual([]);
});

test.each(["tool-calls", "stop", "length", "content-filter", "unknown", "other", "error"])(
  "a package: a call cut anywhere, ended with %s",
  (unified) => {
    for (let length = 0; length <= text.length; length += 1) {
      const input = text.slice(0, length);
      const answer = createSdkAnswer();
      const call = { type: "tool-call", toolCallId: "c1", toolName: "run", input };
      const finish = { type: "finish", finishReason: { unified, raw: "x" }, usage: {} };
      const events: readonly ModelEvent[] = [...answer.push(call), ...answer.push(finish)];
      const calls = events.flatMap((event) => (event.type === "tool-call" ? [event.call] : []));
      const reason = unified.replace("-", "_");
      expectNothingMadeUp(
        calls.filter(({ incomplete }) => incomplete !== true),
        input,
        reason,
      );
    }
  },
);
