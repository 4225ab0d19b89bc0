/** Proves that Responses answers are read the same however they are written or cut, with and without the short cut. */
import type { ModelEvent } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { expectEveryCut } from "../../test/every-cut.ts";
import { createResponsesAnswer } from "./responses-answer.ts";

type Read = { readonly events: readonly ModelEvent[]; readonly problem: unknown; readonly conclusion: unknown };

function readChunks(chunks: readonly Buffer[]): Read {
  const answer = createResponsesAnswer();
  const events: ModelEvent[] = [];
  const take = () => {
    for (const event of answer.take()) {
      const last = events.at(-1);
      if (last !== undefined && last.type === event.type && "text" in last && "text" in event)
        events[events.length - 1] = { ...event, text: last.text + event.text };
      else events.push(event);
    }
  };
  for (const chunk of chunks) {
    answer.push(chunk);
    take();
  }
  answer.pushEnd();
  take();
  return { events, problem: answer.problem(), conclusion: answer.conclusion() };
}

const readText = (wire: string) => readChunks([Buffer.from(wire)]);

function readWhole(body: object): Read {
  const answer = createResponsesAnswer();
  answer.pushWhole(JSON.stringify(body));
  return { events: answer.take(), problem: answer.problem(), conclusion: answer.conclusion() };
}

/** Numbered like the vendor's, with padding of changing length in each delta. */
function write(events: readonly { readonly type: string; readonly [member: string]: unknown }[]): string {
  return events
    .map(({ type, ...members }, index) => {
      const padding = "delta" in members ? { obfuscation: "p".repeat(index % 7) } : {};
      return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: index + 8, ...members, ...padding })}\n\n`;
    })
    .join("");
}

const place = { output_index: 0, item_id: "i0" };
const textDelta = (delta: string) => ({ type: "response.output_text.delta", ...place, content_index: 0, delta });
const reasoningDelta = (delta: string) => ({ type: "response.reasoning_text.delta", ...place, output_index: 7, delta });
const inputDelta = (delta: string, index = 0) => ({
  type: "response.function_call_arguments.delta",
  output_index: index,
  delta,
});
const item = (what: "added" | "done", members: object, index = 0) => ({
  type: `response.output_item.${what}`,
  output_index: index,
  item: members,
});
const call = (id: string, inputText: string, status = "completed") => ({
  type: "function_call",
  id: `f${id}`,
  call_id: id,
  name: "read",
  arguments: inputText,
  status,
});
const completed = { type: "response.completed", response: { status: "completed" } };
const incomplete = (reason: string) => ({
  type: "response.incomplete",
  response: { status: "incomplete", incomplete_details: { reason } },
});

const noUsage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const ended = (stopReason: string) => ({ stopReason, usage: noUsage });
const text = (value: string): ModelEvent => ({ type: "text-delta", text: value });
const input = (callId: string, value: string): ModelEvent => ({
  type: "tool-input-delta",
  callId,
  tool: "read",
  text: value,
});
const whole = (callId: string, inputText: string, incompletely?: true): ModelEvent => ({
  type: "tool-call",
  call: { type: "tool-call", callId, tool: "read", inputText, ...(incompletely ? { incomplete: true } : {}) },
});

describe("the stream of a responses answer", () => {
  test.each([
    ["line feeds", (wire: string) => wire],
    ["carriage returns too", (wire: string) => wire.replaceAll("\n", "\r\n")],
    ["no event names", (wire: string) => wire.replaceAll(/event: .*\n/g, "")],
    ["comments between", (wire: string) => wire.replaceAll("event: ", ": still here\n\nevent: ")],
    [
      "numbers at the end",
      (wire: string) => wire.replaceAll(/"sequence_number":(\d+),(.*)}/g, '$2,"sequence_number":$1}'),
    ],
    ["spaces in its JSON", (wire: string) => wire.replaceAll('":', '" : ')],
    ["a closing mark", (wire: string) => `${wire}data: [DONE]\n\n`],
    ["no blank line at the end", (wire: string) => wire.trimEnd()],
  ])("may be written with %s, and cut anywhere", (_how, rewrite) => {
    const pieces = ["Eins, ", "zwölf, ", "漢", "drei, ", "é", '👍 "ok"'];
    const bytes = Buffer.from(rewrite(write([...pieces.map(textDelta), completed])));
    const expected = { events: [text(pieces.join(""))], problem: undefined, conclusion: ended("end") };
    expectEveryCut(bytes, readChunks, expected);
  });

  test("merges the deltas of one chunk into one event", () => {
    const answer = createResponsesAnswer();
    answer.push(Buffer.from(write(["a", "b", "\n", "\u00e9", "\\u", "c"].map(textDelta))));
    expect(answer.take()).toEqual([text("ab\n\u00e9\\uc")]);
    expect(answer.take()).toEqual([]);
  });

  test("reads random streams as a parser of every event would", () => {
    for (let seed = 1; seed <= 60; seed++) {
      let state = seed;
      const random = (below: number) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
      const alphabet = ["a", " ", "\n", '"', "\\", "/", "é", "漢", "👍", "\u0007", '"delta":"', "}", "data: "];
      const said: Record<"text" | "reasoning", string> = { text: "", reasoning: "" };
      let wire = "";
      for (let count = 0; count < 60; count++) {
        const piece = Array.from({ length: random(6) }, () => alphabet[random(alphabet.length)] ?? "").join("");
        const asReasoning = random(8) === 0;
        said[asReasoning ? "reasoning" : "text"] += piece;
        let line = write([asReasoning ? reasoningDelta(piece) : textDelta(piece)]);
        line = line.replace('"sequence_number":8', `"sequence_number":${count}`);
        if (random(5) === 0) line = line.replaceAll("é", "\\u00e9").replaceAll("/", "\\/");
        if (random(9) === 0) line = line.replace("{", `{"pad":${JSON.stringify(piece)},`);
        wire += line;
      }
      const bytes = Buffer.from(wire + write([completed]));
      const chunks: Buffer[] = [];
      for (let start = 0; start < bytes.length; ) {
        const size = 1 + random(900);
        chunks.push(bytes.subarray(start, start + size));
        start += size;
      }
      const { events, ...rest } = readChunks(chunks);
      const joined = (type: "text-delta" | "reasoning-delta") =>
        events.flatMap((event) => (event.type === type ? [event.text] : [])).join("");
      expect({ text: joined("text-delta"), reasoning: joined("reasoning-delta"), ...rest }, `seed ${seed}`).toEqual({
        ...said,
        problem: undefined,
        conclusion: ended("end"),
      });
    }
  });

  test("finds a raw control character malformed, also where the event otherwise fits", () => {
    const wire = write(["a", "b", "c", "d"].map(textDelta)).replace('"d"', '"d\t"');
    expect(readText(wire)).toMatchObject({ events: [text("abc")], problem: { kind: "malformed" } });
  });
});

describe("calls of a responses answer", () => {
  test("keeps the inputs of parallel calls apart, also when they come by turns", () => {
    const pieces = ['{"', "a", "a", "a", "a", "a", '":1}'];
    const read = readText(
      write([
        item("added", call("a", "")),
        item("added", call("b", ""), 1),
        ...pieces.flatMap((piece) => [inputDelta(piece, 0), inputDelta(piece.replace("a", "b"), 1)]),
        item("done", call("a", '{"aaaaa":1}')),
        item("done", call("b", '{"bbbbb":1}'), 1),
        completed,
      ]),
    );
    expect(read.events.filter((event) => event.type === "tool-call")).toEqual([
      whole("a", '{"aaaaa":1}'),
      whole("b", '{"bbbbb":1}'),
    ]);
    expect(read.conclusion).toEqual(ended("tool-calls"));
  });

  test("reports a call as soon as its item is done, under its call id", () => {
    const answer = createResponsesAnswer();
    answer.push(
      Buffer.from(write([item("added", call("a", "")), inputDelta('{"x":1}'), item("done", call("a", '{"x":1}'))])),
    );
    expect(answer.take()).toEqual([input("a", '{"x":1}'), whole("a", '{"x":1}')]);
  });

  test.each([
    [
      "without deltas, as its item has it",
      [item("done", call("a", '{"x":1}'))],
      [input("a", '{"x":1}'), whole("a", '{"x":1}')],
    ],
    [
      "without input as one with an empty object",
      [item("added", call("a", "")), item("done", call("a", ""))],
      [whole("a", "{}")],
    ],
    [
      "whose item is never done",
      [item("added", call("a", "")), inputDelta("{}")],
      [input("a", "{}"), whole("a", "{}")],
    ],
  ])("takes a call %s", (_name, events, expected) => {
    expect(readText(write([...events, completed]))).toEqual({
      events: expected,
      problem: undefined,
      conclusion: ended("tool-calls"),
    });
  });

  test.each([
    ["whose item says so", [item("done", call("a", '{"x', "incomplete"))]],
    ["whose item is never done", []],
  ])("marks a call that was cut off, %s", (_name, done) => {
    const events = [item("added", call("a", "")), inputDelta('{"x'), ...done, incomplete("max_output_tokens")];
    expect(readText(write(events))).toEqual({
      events: [input("a", '{"x'), whole("a", '{"x', true)],
      problem: undefined,
      conclusion: ended("output-limit"),
    });
  });
});

describe("thoughts and searches of a responses answer", () => {
  test("keeps the parts of a reasoning summary apart", () => {
    const part = (index: number) => ({ type: "response.reasoning_summary_part.added", ...place, summary_index: index });
    const delta = (value: string) => ({ type: "response.reasoning_summary_text.delta", ...place, delta: value });
    const summary = [
      { type: "summary_text", text: "One." },
      { type: "summary_text", text: "Two." },
    ];
    const done = item("done", { type: "reasoning", summary });
    const expected = [{ type: "reasoning-delta", text: "One.\n\nTwo." }];
    expect(readText(write([part(0), delta("One."), part(1), delta("Two."), done])).events).toEqual(expected);
    expect(readText(write([done])).events).toEqual(expected);
  });

  test.each([
    ["with a digest", [{ type: "summary_text", text: "Hm." }], [{ type: "reasoning-delta", text: "Hm." }]],
    ["without one", [], []],
  ])("signs reasoning %s, cut anywhere and whole", (_name, summary, deltas) => {
    const reasoning = { type: "reasoning", id: "rs_1", summary, encrypted_content: "gAAA==" };
    const message = { type: "message", content: [{ type: "output_text", text: "So." }] };
    const signature = '{"id":"rs_1","encrypted_content":"gAAA=="}';
    const expected = {
      events: [...deltas, { type: "block-end", block: "reasoning", signature }, text("So.")],
      problem: undefined,
      conclusion: ended("end"),
    };
    const part = (what: string, members: object) => ({
      type: `response.reasoning_summary_${what}`,
      ...place,
      ...members,
    });
    const streamedSummary =
      summary.length === 0 ? [] : [part("text.delta", { delta: "H" }), part("text.delta", { delta: "m." })];
    const started = item("added", { ...reasoning, summary: [] });
    const wire = write([
      started,
      ...streamedSummary,
      item("done", reasoning),
      { ...textDelta("So."), output_index: 1 },
      item("done", message, 1),
      completed,
    ]);
    const bytes = Buffer.from(wire);
    expectEveryCut(bytes, readChunks, expected);
    expect(readWhole({ status: "completed", output: [reasoning, message] })).toEqual(expected);
  });

  test("keeps two thoughts in a row apart", () => {
    const reasoning = (id: string) => ({ type: "reasoning", id, summary: [], encrypted_content: id });
    const read = readText(write([item("done", reasoning("a")), item("done", reasoning("b"), 1), completed]));
    expect(read.events).toEqual(
      ["a", "b"].map((id) => ({
        type: "block-end",
        block: "reasoning",
        signature: `{"id":"${id}","encrypted_content":"${id}"}`,
      })),
    );
  });

  test("hands on the vendor's searches as they came and counts them, cut anywhere and whole", () => {
    const search = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "ä" } };
    const look = { type: "web_search_call", id: "ws_2", status: "completed", action: { type: "open_page", url: "u" } };
    const old = { type: "web_search_call", id: "ws_3", status: "completed" };
    const message = (said: string) => ({ type: "message", content: [{ type: "output_text", text: said }] });
    const output = [message("Hm."), search, look, old, message("So.")];
    const block = (made: object) => ({
      type: "vendor-block",
      block: { type: "vendor", kind: "web_search_call", json: JSON.stringify(made) },
    });
    const expected = {
      events: [text("Hm."), block(search), block(look), block(old), text("So.")],
      problem: undefined,
      conclusion: { stopReason: "end", usage: { ...noUsage, webSearches: 2 } },
    };
    const events = output.flatMap((made, index) => [
      item("added", { ...made, content: [] }, index),
      item("done", made, index),
    ]);
    const bytes = Buffer.from(write([...events, completed]));
    expectEveryCut(bytes, readChunks, expected);
    expect(readWhole({ status: "completed", output })).toEqual(expected);
  });
});

describe("the end of a responses answer", () => {
  test("shows a refusal as text and ends refused", () => {
    const refusal = { type: "response.refusal.delta", ...place, content_index: 0, delta: "I cannot." };
    const message = { type: "message", content: [{ type: "refusal", refusal: "I cannot." }] };
    const expected = { events: [text("I cannot.")], problem: undefined, conclusion: ended("refused") };
    expect(readText(write([refusal, item("done", message), completed]))).toEqual(expected);
    expect(readWhole({ status: "completed", output: [message] })).toEqual(expected);
  });

  test.each([
    ["response.failed", { type: "response.failed", response: { error: { code: "server_error", message: "Ow." } } }],
    ["an error event with a member", { type: "error", error: { code: "server_error", message: "Ow." } }],
  ])("reports the vendor's error: %s", (_name, event) => {
    expect(readText(write([textDelta("Half"), event]))).toEqual({
      events: [text("Half")],
      problem: { kind: "vendor-error", error: { code: "server_error", message: "Ow." } },
      conclusion: undefined,
    });
  });

  test("reports an error of a gateway, which has no event type", () => {
    expect(readText('data: {"error":{"message":"Ow."}}\n\n').problem).toEqual({
      kind: "vendor-error",
      error: { message: "Ow." },
    });
  });

  test("reads a whole answer with all kinds of items", () => {
    const output = [
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] },
      { type: "message", content: [{ type: "output_text", text: "I look." }] },
      { type: "image_generation_call" },
      call("a", "{}"),
    ];
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 2 },
    };
    expect(readWhole({ object: "response", status: "completed", error: null, output, usage })).toEqual({
      events: [{ type: "reasoning-delta", text: "Hm." }, text("I look."), input("a", "{}"), whole("a", "{}")],
      problem: undefined,
      conclusion: {
        stopReason: "tool-calls",
        usage: { input: 6, output: 5, reasoning: 2, cacheRead: 4, cacheWrite: 0 },
      },
    });
    expect(readWhole({ status: "in_progress", output: [] }).conclusion).toBeUndefined();
  });
});

describe("a broken responses answer", () => {
  test("keeps a call without a name, which no tool answers to", () => {
    const read = readText(write([item("done", { ...call("a", "{}"), name: "" })]));
    const kept = { type: "tool-call", callId: "a", tool: "call_without_a_name", inputText: "{}" };
    expect([read.problem, read.events.at(-1)]).toEqual([undefined, { type: "tool-call", call: kept }]);
  });

  test.each([
    ["an event that is no JSON", "data: nonsense\n\n", "an event that is not a JSON object"],
    ["an event that is no object", "data: [1]\n\n", "an event that is not a JSON object"],
    [
      "a call without an id",
      write([item("added", { ...call("a", ""), call_id: "", id: "" })]),
      "a tool call without an id",
    ],
    [
      "more input for a finished call",
      write([item("added", call("a", "")), item("done", call("a", "{}")), inputDelta("x")]),
      "more input for the finished tool call a",
    ],
  ])("finds %s malformed", (_name, wire, what) => {
    expect(readText(wire).problem).toEqual({ kind: "malformed", what });
  });

  test("finds an event that never ends malformed instead of keeping it", () => {
    const answer = createResponsesAnswer();
    const chunk = Buffer.alloc(1024 * 1024, "a");
    for (let count = 0; count < 12; count++) answer.push(chunk);
    expect(answer.problem()).toEqual({ kind: "malformed", what: "an event that does not end" });
  });

  test("has no conclusion before the vendor's last event", () => {
    expect(readText(write([textDelta("Hm")])).conclusion).toBeUndefined();
  });
});
