/** Proves that answers are read the same however they are written, cut or numbered, with and without the short cut. */
import type { ModelEvent } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { expectEveryCut } from "../../test/every-cut.ts";
import { type ChatAnswerRequest, createChatAnswer } from "./chat-answer.ts";

const request: ChatAnswerRequest = {
  requestId: "req",
  model: { ref: "m/a", provider: "m", id: "a", contextTokens: 1000, outputTokensMax: 100 },
};

type Read = {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly unknown[];
  readonly problem: unknown;
  readonly conclusion: unknown;
};

function readChunks(chunks: readonly Buffer[]): Read {
  const answer = createChatAnswer(request);
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
  };
}

const readText = (text: string) => readChunks([Buffer.from(text)]);

const frame = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const toolFrame = (call: object, finish: string | null = null) => frame({ tool_calls: [call] }, finish);

const stop = frame({}, "stop");
const noUsage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const ended = (stopReason: string) => ({ stopReason, usage: noUsage });

describe("chat answer", () => {
  test.each([
    ["line feeds", (wire: string) => wire],
    ["carriage returns too", (wire: string) => wire.replaceAll("\n", "\r\n")],
    ["no space after data:", (wire: string) => wire.replaceAll("data: ", "data:")],
    ["event names", (wire: string) => wire.replaceAll("data: ", "event: chunk\nid: 1\ndata: ")],
    ["comments between", (wire: string) => wire.replaceAll("data: ", ": still here\n\ndata: ")],
    ["a byte order mark", (wire: string) => `\uFEFF${wire}`],
    ["spaces in its JSON", (wire: string) => wire.replaceAll('":', '" : ')],
    ["no blank line at the end", (wire: string) => wire.trimEnd()],
  ])("may be written with %s, and cut anywhere", (_how, rewrite) => {
    const wire = `${frame({ role: "assistant", content: "" })}${["Eins, ", "zwölf, ", "漢\n", '👍 "ok"']
      .map((content) => frame({ content }))
      .join("")}${stop}data: [DONE]\n\n`;
    const bytes = Buffer.from(rewrite(wire));
    const expected: Read = {
      text: 'Eins, zwölf, 漢\n👍 "ok"',
      reasoning: "",
      calls: [],
      problem: undefined,
      conclusion: ended("end"),
    };
    expectEveryCut(bytes, readChunks, expected);
  });

  test("merges the deltas of one chunk into one event", () => {
    const answer = createChatAnswer(request);
    answer.push(Buffer.from(["a", "b", "\n", "\u00e9", "\\u"].map((content) => frame({ content })).join("")));
    expect(answer.take()).toEqual([{ type: "text-delta", text: "ab\n\u00e9\\u" }]);
    expect(answer.take()).toEqual([]);
  });

  test("reads random streams as a parser of every event would", () => {
    for (let seed = 1; seed <= 60; seed++) {
      let state = seed;
      const random = (below: number) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
      const alphabet = ["a", " ", "\n", '"', "\\", "/", "é", "漢", "👍", "\u0007", "content", "}", "data: "];
      let text = "";
      let reasoning = "";
      let wire = "";
      for (let count = 0; count < 60; count++) {
        const piece = Array.from({ length: random(6) }, () => alphabet[random(alphabet.length)] ?? "").join("");
        const asReasoning = random(8) === 0;
        if (asReasoning) reasoning += piece;
        else text += piece;
        let line = frame(asReasoning ? { reasoning: piece } : { content: piece });
        if (random(5) === 0) line = line.replaceAll("é", "\\u00e9").replaceAll("/", "\\/");
        if (random(9) === 0) line = line.replace('"id":"x"', `"id":"x","pad":${JSON.stringify(piece)}`);
        wire += line;
      }
      const bytes = Buffer.from(wire + stop);
      const chunks: Buffer[] = [];
      for (let start = 0; start < bytes.length; ) {
        const size = 1 + random(700);
        chunks.push(bytes.subarray(start, start + size));
        start += size;
      }
      const expected = { text, reasoning, calls: [], problem: undefined, conclusion: ended("end") };
      expect(readChunks(chunks), `seed ${seed}`).toEqual(expected);
    }
  });

  test("is not misled by another string that looks like the delta", () => {
    const decoy = (real: string, other: string) =>
      `data: {"choices":[{"index":0,"note":{"content":"${other}"},"delta":{"content":"${real}"}}]}\n\n`;
    const wire = decoy("\\u0061", "a") + decoy("\\u0061", "b") + decoy("\\u0061", "c") + stop;
    expect(readText(wire).text).toBe("aaa");
  });

  test("reads an event that begins like the ones before but ends otherwise", () => {
    const wire = frame({ content: "a" }) + frame({ content: "b" }) + frame({ content: "c" }, "length");
    expect(readText(wire)).toEqual({
      text: "abc",
      reasoning: "",
      calls: [],
      problem: undefined,
      conclusion: ended("output-limit"),
    });
  });

  test("finds a raw control character malformed, also where the event otherwise fits", () => {
    const wire = frame({ content: "a" }) + frame({ content: "b" }) + frame({ content: "c" }).replace('"c"', '"c\t"');
    expect(readText(wire)).toMatchObject({ text: "ab", problem: { kind: "malformed" } });
  });

  test("notices usage in an event that is otherwise like the ones before", () => {
    const usage = (content: string) =>
      `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}],"usage":{"prompt_tokens":${content.length},"completion_tokens":2}}\n\n`;
    const read = readText(usage("a") + usage("bb") + usage("ccc") + stop);
    expect(read.text).toBe("abbccc");
    expect(read.conclusion).toEqual({ stopReason: "end", usage: { ...noUsage, input: 3, output: 2 } });
  });

  test("keeps the two halves of a character together when they come in two events", () => {
    const answer = createChatAnswer(request);
    answer.push(Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"a\\ud83d"}}]}\n\n'));
    expect(answer.take()).toEqual([{ type: "text-delta", text: "a" }]);
    answer.push(Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"\\udc4d"}}]}\n\n'));
    expect(answer.take()).toEqual([{ type: "text-delta", text: "👍" }]);
  });

  test("tells parallel calls apart by id when the vendor numbers them all alike, or not at all", () => {
    for (const index of [{ index: 0 }, {}]) {
      const read = readText(
        toolFrame({ ...index, id: "a", function: { name: "read", arguments: '{"x":' } }) +
          toolFrame({ ...index, function: { arguments: "1}" } }) +
          toolFrame({ ...index, id: "b", function: { name: "write", arguments: "" } }) +
          toolFrame({ ...index, function: { arguments: '{"y":' } }) +
          toolFrame({ ...index, function: { arguments: "2}" } }) +
          frame({}, "tool_calls"),
      );
      expect(read.calls).toEqual([
        { type: "tool-call", callId: "a", tool: "read", inputText: '{"x":1}' },
        { type: "tool-call", callId: "b", tool: "write", inputText: '{"y":2}' },
      ]);
    }
  });

  test("takes a call without input as one with an empty object, and calls with `stop` as calls", () => {
    const read = readText(toolFrame({ index: 0, id: "a", function: { name: "list" } }) + stop);
    expect(read.calls).toEqual([{ type: "tool-call", callId: "a", tool: "list", inputText: "{}" }]);
    expect(read.conclusion).toEqual(ended("tool-calls"));
  });

  test("reports a call as soon as the next one starts", () => {
    const answer = createChatAnswer(request);
    answer.push(Buffer.from(toolFrame({ index: 0, id: "a", function: { name: "read", arguments: '{"x":1}' } })));
    answer.push(Buffer.from(toolFrame({ index: 1, id: "b", function: { name: "read", arguments: "" } })));
    expect(answer.take()).toEqual([
      { type: "tool-input-delta", callId: "a", tool: "read", text: '{"x":1}' },
      { type: "tool-call", call: { type: "tool-call", callId: "a", tool: "read", inputText: '{"x":1}' } },
    ]);
  });

  test("keeps a call without a name, which no tool answers to", () => {
    const nameless = toolFrame({ index: 0, id: "a", function: { name: "", arguments: "{}" } });
    const read = readText(
      nameless + toolFrame({ index: 1, id: "b", function: { name: "read", arguments: "{}" } }, "tool_calls"),
    );
    expect([read.problem, read.calls]).toEqual([
      undefined,
      [
        { type: "tool-call", callId: "a", tool: "call_without_a_name", inputText: "{}" },
        { type: "tool-call", callId: "b", tool: "read", inputText: "{}" },
      ],
    ]);
  });

  test.each([
    ["an event that is no JSON", "data: nonsense\n\n", "an event that is not a JSON object"],
    ["an event that is no object", "data: [1]\n\n", "an event that is not a JSON object"],
    [
      "a call that was cut off before its name",
      toolFrame({ index: 0, id: "a", function: { arguments: "{}" } }, "length"),
      "a tool call without a name",
    ],
    [
      "more input for a finished call",
      toolFrame({ index: 0, id: "a", function: { name: "read", arguments: "{}" } }) +
        toolFrame({ index: 1, id: "b", function: { name: "read", arguments: "" } }) +
        toolFrame({ index: 0, function: { arguments: '{"x":1}' } }),
      "more input for the finished tool call a",
    ],
  ])("finds %s malformed", (_name, wire, what) => {
    expect(readText(wire).problem).toEqual({ kind: "malformed", what });
  });

  test("finds an event that never ends malformed instead of keeping it", () => {
    const answer = createChatAnswer(request);
    const chunk = Buffer.alloc(1024 * 1024, "a");
    for (let count = 0; count < 10; count++) answer.push(chunk);
    expect(answer.problem()).toEqual({ kind: "malformed", what: "an event that does not end" });
  });

  test("takes text without a finish reason as an answer once the vendor closes the stream", () => {
    expect(readText(`${frame({ content: "Hm" })}data: [DONE]\n\n`).conclusion).toEqual(ended("other"));
    expect(readText(frame({ content: "Hm" })).conclusion).toBeUndefined();
  });

  test("shows a refusal as text and ends refused", () => {
    const read = readText(frame({ refusal: "I cannot." }) + stop);
    expect([read.text, read.conclusion]).toEqual(["I cannot.", ended("refused")]);
  });
});
