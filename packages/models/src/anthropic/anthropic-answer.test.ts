/** Proves that Messages answers are read the same however they are written or cut, with and without the short cut. */
import type { ModelEvent } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { expectEveryCut } from "../../test/every-cut.ts";
import { createAnthropicAnswer } from "./anthropic-answer.ts";

type Read = {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly unknown[];
  readonly problem: unknown;
  readonly conclusion: unknown;
  readonly done: boolean;
};

function readChunks(chunks: readonly Buffer[]): Read {
  const answer = createAnthropicAnswer("req");
  const events: ModelEvent[] = [];
  for (const chunk of chunks) {
    answer.push(chunk);
    events.push(...answer.take());
  }
  answer.pushEnd();
  events.push(...answer.take());
  const joined = (type: "text-delta" | "reasoning-delta") =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join("");
  return {
    text: joined("text-delta"),
    reasoning: joined("reasoning-delta"),
    calls: events.flatMap((event) => (event.type === "tool-call" ? [event.call] : [])),
    problem: answer.problem(),
    conclusion: answer.conclusion(),
    done: answer.isDone(),
  };
}

const readText = (text: string) => readChunks([Buffer.from(text)]);

const event = (type: string, members: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
const start = event("message_start", {
  message: {
    id: "msg_1",
    usage: { input_tokens: 7, cache_read_input_tokens: 30, cache_creation_input_tokens: 5, output_tokens: 1 },
  },
});
const blockStart = (index: number, block: object) => event("content_block_start", { index, content_block: block });
const blockDelta = (index: number, delta: object) => event("content_block_delta", { index, delta });
const blockStop = (index: number) => event("content_block_stop", { index });
const textDelta = (text: string, index = 0) => blockDelta(index, { type: "text_delta", text });
const inputDelta = (index: number, text: string) => blockDelta(index, { type: "input_json_delta", partial_json: text });
const callStart = (index: number, id: string, name = "read") =>
  blockStart(index, { type: "tool_use", id, name, input: {} });
const stopping = (stopReason: string | null, usage: object = { output_tokens: 9 }) =>
  event("message_delta", { delta: { stop_reason: stopReason, stop_sequence: null }, usage });
const stop = event("message_stop");

const usage = { input: 7, output: 9, reasoning: 0, cacheRead: 30, cacheWrite: 5 };
const nothing: Read = {
  text: "",
  reasoning: "",
  calls: [],
  problem: undefined,
  conclusion: { stopReason: "end", usage },
  done: true,
};

describe("the stream of an anthropic answer", () => {
  test.each([
    ["line feeds", (wire: string) => wire],
    ["carriage returns too", (wire: string) => wire.replaceAll("\n", "\r\n")],
    ["no names of events", (wire: string) => wire.replaceAll(/event: .*\n/g, "")],
    [
      "pings and comments between",
      (wire: string) => wire.replaceAll("event: content", `${event("ping")}: x\n\nevent: content`),
    ],
    ["spaces in its JSON", (wire: string) => wire.replaceAll('":', '" : ')],
    ["padding of changing length", (wire: string) => padEvents(wire)],
    ["no blank line at the end", (wire: string) => wire.trimEnd()],
  ])("may be written with %s, and cut anywhere", (_how, rewrite) => {
    const wire = [
      start,
      blockStart(0, { type: "thinking", thinking: "", signature: "" }),
      blockDelta(0, { type: "thinking_delta", thinking: "Größe?" }),
      blockDelta(0, { type: "signature_delta", signature: "c2ln" }),
      blockStop(0),
      blockStart(1, { type: "text", text: "" }),
      ...["Eins, ", "zwölf, ", "漢\\n", "👍 'ok'", "."].map((text) => textDelta(text, 1)),
      blockStop(1),
      stopping("end_turn"),
      stop,
    ].join("");
    const bytes = Buffer.from(rewrite(wire));
    const expected = { ...nothing, text: "Eins, zwölf, 漢\\n👍 'ok'.", reasoning: "Größe?" };
    expectEveryCut(bytes, readChunks, expected);
  });

  test("merges the deltas of one chunk into one event", () => {
    const answer = createAnthropicAnswer("req");
    answer.push(Buffer.from(start + ["a", "b", "\n", "é", "\\u", "c"].map((text) => textDelta(text)).join("")));
    expect(answer.take()).toEqual([{ type: "text-delta", text: "ab\né\\uc" }]);
    expect(answer.take()).toEqual([]);
  });

  test("reads random streams as a parser of every event would", () => {
    const random = createSeededRandom();
    const alphabet = ["a", " ", "\n", '"', "\\", "/", "é", "漢", "👍", "\u0007", "text", "text_delta", "}", "data: "];
    for (let round = 0; round < 60; round++) {
      let text = "";
      let reasoning = "";
      let input = "";
      let wire = start + callStart(2, "c");
      for (let count = 0; count < 60; count++) {
        const piece = Array.from({ length: random.below(6) }, () => alphabet[random.below(alphabet.length)] ?? "").join(
          "",
        );
        const kind = random.below(10);
        if (kind === 0) {
          reasoning += piece;
          wire += blockDelta(0, { type: "thinking_delta", thinking: piece });
        } else if (kind === 1) {
          input += piece;
          wire += inputDelta(2, piece);
        } else {
          text += piece;
          const written = textDelta(piece, 1);
          wire += random.below(5) === 0 ? written.replaceAll("é", "\\u00e9").replace("}}\n", "}  }\n") : written;
        }
      }
      const bytes = Buffer.from(wire + stopping("tool_use") + stop);
      const chunks: Buffer[] = [];
      for (let from = 0; from < bytes.length; ) {
        const size = 1 + random.below(700);
        chunks.push(bytes.subarray(from, from + size));
        from += size;
      }
      const inputText = input.trim() === "" ? "{}" : input;
      expect(readChunks(chunks), `seed ${random.seed}, round ${round}`).toEqual({
        ...nothing,
        text,
        reasoning,
        calls: [{ type: "tool-call", callId: "c", tool: "read", inputText }],
        conclusion: { stopReason: "tool-calls", usage },
      });
    }
  });

  test("is not misled by another string that looks like the delta", () => {
    const decoy = (real: string, other: string) =>
      `data: {"type":"content_block_delta","index":0,"note":{"text":"${other}"},"delta":{"type":"text_delta","text":"${real}"}}\n\n`;
    const wire = decoy("\\u0061", "a") + decoy("\\u0061", "b") + decoy("\\u0061", "c") + decoy("\\u0061", "d");
    expect(readText(start + wire + stopping("end_turn") + stop).text).toBe("aaaa");
  });
});

describe("calls of an anthropic answer", () => {
  test("reports a call as soon as the next one starts, and takes one without input as an empty object", () => {
    const answer = createAnthropicAnswer("req");
    answer.push(Buffer.from(start + callStart(0, "a") + inputDelta(0, '{"x":') + inputDelta(0, "1}") + blockStop(0)));
    answer.push(Buffer.from(callStart(1, "b", "list") + inputDelta(1, "") + blockStop(1)));
    expect(answer.take()).toEqual([
      { type: "tool-input-delta", callId: "a", tool: "read", text: '{"x":1}' },
      { type: "tool-call", call: { type: "tool-call", callId: "a", tool: "read", inputText: '{"x":1}' } },
    ]);
    answer.push(Buffer.from(stopping("tool_use") + stop));
    expect(answer.take()).toEqual([
      { type: "tool-call", call: { type: "tool-call", callId: "b", tool: "list", inputText: "{}" } },
    ]);
  });

  test("keeps apart the inputs of calls with many pieces", () => {
    const pieces = Array.from({ length: 20 }, (_, number) => `${number},`);
    const call = (index: number, id: string) =>
      callStart(index, id) +
      ["[", ...pieces, "0]"].map((piece) => inputDelta(index, piece)).join("") +
      blockStop(index);
    const inputText = `[${pieces.join("")}0]`;
    expect(readText(start + call(0, "a") + call(1, "b") + stopping("tool_use") + stop).calls).toEqual([
      { type: "tool-call", callId: "a", tool: "read", inputText },
      { type: "tool-call", callId: "b", tool: "read", inputText },
    ]);
  });
});

describe("the end of an anthropic answer", () => {
  test.each([
    ["end_turn", "end"],
    ["stop_sequence", "end"],
    ["max_tokens", "output-limit"],
    ["refusal", "refused"],
    ["pause_turn", "paused"],
    ["model_context_window_exceeded", "output-limit"],
    ["strange", "other"],
  ])("takes the reason %s as %s", (reason, stopReason) => {
    const read = readText(start + textDelta("Hm") + stopping(reason) + stop);
    expect(read).toEqual({ ...nothing, text: "Hm", conclusion: { stopReason, usage } });
  });

  test("takes calls with the reason end_turn as calls", () => {
    const read = readText(start + callStart(0, "a") + stopping("end_turn") + stop);
    expect(read.conclusion).toEqual({ stopReason: "tool-calls", usage });
  });

  test("counts what the last event says, and keeps what it leaves out", () => {
    const later = {
      input_tokens: 8,
      cache_read_input_tokens: null,
      output_tokens: 40,
      output_tokens_details: { thinking_tokens: 25 },
    };
    expect(readText(start + textDelta("a") + stopping("end_turn", later) + stop).conclusion).toEqual({
      stopReason: "end",
      usage: { input: 8, output: 40, reasoning: 25, cacheRead: 30, cacheWrite: 5 },
    });
  });

  test("counts the searches of the vendor, if there were any", () => {
    const usageWith = (web_search_requests: number) => ({ output_tokens: 9, server_tool_use: { web_search_requests } });
    const read = (searches: number) =>
      readText(start + textDelta("a") + stopping("end_turn", usageWith(searches)) + stop);
    expect(read(2).conclusion).toEqual({ stopReason: "end", usage: { ...usage, webSearches: 2 } });
    expect(read(0).conclusion).toEqual({ stopReason: "end", usage });
  });

  test("knows how the answer ended before the closing event", () => {
    expect(readText(start + textDelta("Hm") + stopping("end_turn"))).toEqual({ ...nothing, text: "Hm", done: false });
  });

  test("takes text without a reason as an answer only once the vendor closes it", () => {
    const early = { ...usage, output: 1 };
    expect(readText(start + textDelta("Hm") + stop).conclusion).toEqual({ stopReason: "other", usage: early });
    expect(readText(start + textDelta("Hm")).conclusion).toBeUndefined();
    expect(readText(start + stop).conclusion).toBeUndefined();
  });

  test("reads a whole answer with every kind of block", () => {
    const answer = createAnthropicAnswer("req");
    answer.pushWhole(
      JSON.stringify({
        id: "msg_1",
        type: "message",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "c2ln" },
          { type: "redacted_thinking", data: "x" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "a", name: "read", input: { path: "x" } },
          { type: "tool_use", id: "b", name: "list", input: {} },
        ],
        stop_reason: "tool_use",
        usage: { input_tokens: 7, output_tokens: 9 },
      }),
    );
    expect(answer.take()).toEqual([
      { type: "reasoning-delta", text: "Hm." },
      { type: "block-end", block: "reasoning", signature: "c2ln" },
      {
        type: "vendor-block",
        block: { type: "vendor", kind: "redacted_thinking", json: '{"type":"redacted_thinking","data":"x"}' },
      },
      { type: "text-delta", text: "I look." },
      { type: "tool-input-delta", callId: "a", tool: "read", text: '{"path":"x"}' },
      { type: "tool-call", call: { type: "tool-call", callId: "a", tool: "read", inputText: '{"path":"x"}' } },
      { type: "tool-call", call: { type: "tool-call", callId: "b", tool: "list", inputText: "{}" } },
    ]);
    expect(answer.conclusion()).toEqual({ stopReason: "tool-calls", usage: { ...usage, cacheRead: 0, cacheWrite: 0 } });
  });
});

describe("a broken anthropic answer", () => {
  test("keeps a call without a name, which no tool answers to", () => {
    const read = readText(start + callStart(0, "a", "") + inputDelta(0, "{}") + stopping("tool_use") + stop);
    const call = { type: "tool-call", callId: "a", tool: "call_without_a_name", inputText: "{}" };
    expect([read.problem, read.calls]).toEqual([undefined, [call]]);
  });

  test.each([
    ["an event that is no JSON", "data: nonsense\n\n", "an event that is not a JSON object"],
    ["an event that is no object", "data: [1]\n\n", "an event that is not a JSON object"],
    ["input for no call", inputDelta(3, "{}"), "input for a tool call that never began"],
    [
      "more input for a finished call",
      callStart(0, "a") + inputDelta(0, "{}") + callStart(1, "b") + inputDelta(0, '{"x":1}'),
      "more input for the finished tool call a",
    ],
  ])("finds %s malformed", (_name, wire, what) => {
    expect(readText(start + wire).problem).toEqual({ kind: "malformed", what });
  });

  test("reports an error of the vendor after what had arrived", () => {
    const error = { type: "overloaded_error", message: "Overloaded" };
    const read = readText(start + textDelta("Ha") + event("error", { error }) + textDelta("lf"));
    expect([read.text, read.problem, read.conclusion]).toEqual(["Ha", { kind: "vendor-error", error }, undefined]);
  });
});

/** The vendor pads events so that their length tells nothing about the text in them. */
function padEvents(wire: string): string {
  let padding = 0;
  return wire.replaceAll("}\n", () => `${" ".repeat(padding++ % 7)}}\n`);
}
