/** Proves that Google's answers are read the same however they are written or cut, with and without the short cut. */
import type { ModelEvent } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { expectEveryCut } from "../../test/every-cut.ts";
import { createGoogleAnswer } from "./google-answer.ts";

type Read = { readonly events: readonly ModelEvent[]; readonly problem: unknown; readonly conclusion: unknown };

function readChunks(chunks: readonly Buffer[]): Read {
  const answer = createGoogleAnswer("req");
  for (const chunk of chunks) answer.push(chunk);
  answer.pushEnd();
  return { events: merged(answer.take()), problem: answer.problem(), conclusion: answer.conclusion() };
}

/** How many deltas there are is free, what they say is not. */
function merged(events: readonly ModelEvent[]): readonly ModelEvent[] {
  const result: ModelEvent[] = [];
  for (const next of events) {
    const last = result.at(-1);
    const isDelta = next.type === "text-delta" || next.type === "reasoning-delta";
    if (isDelta && last?.type === next.type) result[result.length - 1] = { ...next, text: last.text + next.text };
    else result.push(next);
  }
  return result;
}

const readText = (text: string) => readChunks([Buffer.from(text)]);

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;

const usageMetadata = { promptTokenCount: 7, candidatesTokenCount: 2, totalTokenCount: 9 };

const frame = (parts: readonly object[], finishReason?: string) =>
  event({
    candidates: [
      { content: { parts, role: "model" }, ...(finishReason === undefined ? {} : { finishReason }), index: 0 },
    ],
    usageMetadata,
    modelVersion: "gemini",
    responseId: "x",
  });

const stop = frame([{ text: "" }], "STOP");
const usage = { input: 7, output: 2, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const noUsage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

function text(value: string): ModelEvent {
  return { type: "text-delta", text: value };
}

function toolCall(callId: string, tool: string, inputText: string, signature?: string): readonly ModelEvent[] {
  const call = { type: "tool-call", callId, tool, inputText } as const;
  return [
    { type: "tool-input-delta", callId, tool, text: inputText },
    { type: "tool-call", call: signature === undefined ? call : { ...call, signature } },
  ];
}

describe("the parts of a google answer", () => {
  test.each([
    ["line feeds", (wire: string) => wire],
    ["carriage returns too", (wire: string) => wire.replaceAll("\n", "\r\n")],
    ["no space after data:", (wire: string) => wire.replaceAll("data: ", "data:")],
    ["spaces in its JSON", (wire: string) => wire.replaceAll('":', '" : ')],
    ["no blank line at the end", (wire: string) => wire.trimEnd()],
  ])("may be written with %s, and cut anywhere", (_how, rewrite) => {
    const pieces = ["Eins, ", "zwölf, ", "漢\n", '👍 "ok"', "/ mehr", "\u0007"];
    const bytes = Buffer.from(rewrite(pieces.map((piece) => frame([{ text: piece }])).join("") + stop));
    const expected: Read = {
      events: [text(pieces.join(""))],
      problem: undefined,
      conclusion: { stopReason: "end", usage },
    };
    expectEveryCut(bytes, readChunks, expected);
  });

  test("keeps thoughts, text and calls in their order, also within one event", () => {
    const read = readText(
      frame([{ text: "Hm, ", thought: true }]) +
        frame([
          { text: "yes.", thought: true },
          { text: "I look." },
          { functionCall: { name: "read", args: { path: "a" } }, thoughtSignature: "c2ln" },
          { functionCall: { id: "own", name: "read", args: { path: "b" } } },
          { functionCall: { name: "list" } },
        ]) +
        frame([{ text: "Done." }, { inlineData: { mimeType: "image/png", data: "" } }], "STOP"),
    );
    expect(read).toEqual({
      events: [
        { type: "reasoning-delta", text: "Hm, yes." },
        text("I look."),
        ...toolCall("call_x_0", "read", '{"path":"a"}', "c2ln"),
        ...toolCall("own", "read", '{"path":"b"}'),
        ...toolCall("call_x_2", "list", "{}"),
        text("Done."),
      ],
      problem: undefined,
      conclusion: { stopReason: "tool-calls", usage },
    });
  });

  test("a signature closes the part it stands on, and that part alone", () => {
    const wire =
      frame([{ text: "I ", thought: true }]) +
      frame([{ text: "think.", thought: true, thoughtSignature: "s1" }]) +
      frame([{ text: "A" }]).repeat(5) +
      frame([{ text: "", thoughtSignature: "s2" }], "STOP");
    const expected = [
      { type: "reasoning-delta", text: "I " },
      { type: "block-end", block: "reasoning" },
      { type: "reasoning-delta", text: "think." },
      { type: "block-end", block: "reasoning", signature: "s1" },
      text("AAAAA"),
      { type: "block-end", block: "text" },
      { type: "block-end", block: "text", signature: "s2" },
    ];
    expect(readText(wire).events).toEqual(expected);
    const bytes = Buffer.from(wire);
    expectEveryCut(bytes, (chunks) => readChunks(chunks).events, expected);
  });

  test("a whole part with a signature is one block", () => {
    expect(readText(frame([{ text: "All.", thoughtSignature: "s1" }], "STOP")).events).toEqual([
      text("All."),
      { type: "block-end", block: "text", signature: "s1" },
    ]);
  });

  test("what a model writes into a property that stands in for none is no input", () => {
    const args = { filter: { _placeholder: true }, path: "a" };
    expect(readText(frame([{ functionCall: { id: "g", name: "list", args } }], "STOP")).events).toEqual(
      toolCall("g", "list", '{"filter":{},"path":"a"}'),
    );
  });

  test("makes ids from the request where the vendor names no response", () => {
    const parts = [{ functionCall: { name: "list" } }];
    const read = readText(event({ candidates: [{ content: { parts }, finishReason: "STOP" }] }));
    expect(read.events).toEqual(toolCall("call_req_0", "list", "{}"));
  });
});

describe("the stream of a google answer", () => {
  test("reads random streams as a parser of every event would", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = createSeededRandom(String(seed)).below;
      const alphabet = ["a", " ", "\n", '"', "\\", "/", "é", "漢", "👍", "\u0007", "text", "}", "data: "];
      const expected: { type: "text-delta" | "reasoning-delta"; text: string }[] = [];
      let wire = "";
      for (let count = 0; count < 60; count++) {
        const piece = Array.from({ length: random(6) }, () => alphabet[random(alphabet.length)] ?? "").join("");
        const thought = random(8) === 0;
        const type = thought ? "reasoning-delta" : "text-delta";
        const last = expected.at(-1);
        if (piece !== "" && last?.type === type) last.text += piece;
        else if (piece !== "") expected.push({ type, text: piece });
        let line = frame([thought ? { text: piece, thought } : { text: piece }]);
        if (random(5) === 0) line = line.replaceAll("é", "\\u00e9").replaceAll("/", "\\/");
        if (random(9) === 0) line = line.replace('"modelVersion"', `"pad":${JSON.stringify(piece)},"modelVersion"`);
        wire += line;
      }
      const bytes = Buffer.from(wire + stop);
      const chunks: Buffer[] = [];
      for (let start = 0; start < bytes.length; ) {
        const size = 1 + random(700);
        chunks.push(bytes.subarray(start, start + size));
        start += size;
      }
      const conclusion = { stopReason: "end", usage };
      expect(readChunks(chunks), `seed ${seed}`).toEqual({ events: expected, problem: undefined, conclusion });
    }
  });

  test("takes the last usage, however it grows from event to event", () => {
    const growing = (content: string, count: number, finish: object = {}) =>
      event({
        candidates: [{ content: { parts: [{ text: content }] }, ...finish }],
        usageMetadata: {
          promptTokenCount: 100,
          cachedContentTokenCount: 60,
          candidatesTokenCount: count,
          thoughtsTokenCount: 12,
        },
      });
    const deltas = Array.from({ length: 40 }, (_, index) => growing("a", index + 1)).join("");
    expect(readText(deltas + growing("b", 41, { finishReason: "STOP" }))).toEqual({
      events: [text(`${"a".repeat(40)}b`)],
      problem: undefined,
      conclusion: {
        stopReason: "end",
        usage: { input: 40, output: 53, reasoning: 12, cacheRead: 60, cacheWrite: 0 },
      },
    });
  });
});

describe("the end of a google answer", () => {
  test.each([
    ["STOP", "end"],
    ["MAX_TOKENS", "output-limit"],
    ["SAFETY", "refused"],
    ["RECITATION", "refused"],
    ["PROHIBITED_CONTENT", "refused"],
    ["BLOCKLIST", "refused"],
    ["SPII", "refused"],
    ["MALFORMED_FUNCTION_CALL", "other"],
    ["OTHER", "other"],
  ])("takes %s as %s", (finishReason, stopReason) => {
    expect(readText(frame([], finishReason)).conclusion).toEqual({ stopReason, usage });
  });

  test("takes a blocked prompt as a refusal", () => {
    const read = readText(event({ promptFeedback: { blockReason: "SAFETY" }, usageMetadata }));
    expect(read).toEqual({ events: [], problem: undefined, conclusion: { stopReason: "refused", usage } });
  });

  test("is done with the event that has a reason, and reads nothing after it", () => {
    const answer = createGoogleAnswer("req");
    answer.push(Buffer.from(frame([{ text: "a" }])));
    expect(answer.isDone()).toBe(false);
    answer.push(Buffer.from(frame([{ text: "b" }], "STOP") + frame([{ text: "c" }])));
    expect(answer.isDone()).toBe(true);
    expect(answer.take()).toEqual([text("ab")]);
  });

  test("has no conclusion without a reason", () => {
    expect(readText(frame([{ text: "Half" }])).conclusion).toBeUndefined();
  });

  test("reads the first candidate only", () => {
    const other = { index: 1, content: { parts: [{ text: "no" }] }, finishReason: "STOP" };
    const first = { index: 0, content: { parts: [{ text: "yes" }] }, finishReason: "STOP" };
    expect(readText(event({ candidates: [other, first] }))).toEqual({
      events: [text("yes")],
      problem: undefined,
      conclusion: { stopReason: "end", usage: noUsage },
    });
  });

  test("hands on an error of the vendor", () => {
    const error = { code: 503, message: "Busy.", status: "UNAVAILABLE" };
    expect(readText(frame([{ text: "a" }]) + event({ error })).problem).toEqual({ kind: "vendor-error", error });
  });
});

describe("a broken google answer", () => {
  test("keeps a call without a name, which no tool answers to", () => {
    const read = readText(frame([{ functionCall: { id: "g", args: {} } }], "STOP"));
    expect([read.problem, read.events]).toEqual([undefined, toolCall("g", "call_without_a_name", "{}")]);
  });

  test.each([
    ["an event that is no JSON", "data: nonsense\n\n", "an event that is not a JSON object"],
    ["an event that is no object", "data: [1]\n\n", "an event that is not a JSON object"],
    [
      "a raw control character in an event like those before",
      `${frame([{ text: "a" }]).repeat(4)}${frame([{ text: "b" }]).replace('"b"', '"b\t"')}`,
      "an event that is not a JSON object",
    ],
  ])("finds %s malformed", (_name, wire, what) => {
    expect(readText(wire).problem).toEqual({ kind: "malformed", what });
  });

  test("finds an event that never ends malformed instead of keeping it", () => {
    const answer = createGoogleAnswer("req");
    const chunk = Buffer.alloc(1024 * 1024, "a");
    for (let count = 0; count < 10; count++) answer.push(chunk);
    expect(answer.problem()).toEqual({ kind: "malformed", what: "an event that does not end" });
  });
});
