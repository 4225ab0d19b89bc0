/** Proves that the blocks of an answer stay apart and keep what the vendor wants back, however their bytes are cut. */
import type { ModelEvent } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { expectEveryCut } from "../../test/every-cut.ts";
import { createAnthropicAnswer } from "./anthropic-answer.ts";

const event = (type: string, members: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

type StreamedBlock = { readonly start: object; readonly deltas?: readonly object[] };

function streamOf(blocks: readonly StreamedBlock[], stopReason = "end_turn"): string {
  return [
    event("message_start", { message: { id: "msg_1", usage: {} } }),
    ...blocks.flatMap(({ start, deltas = [] }, index) => [
      event("content_block_start", { index, content_block: start }),
      ...deltas.map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ]),
    event("message_delta", { delta: { stop_reason: stopReason }, usage: {} }),
    event("message_stop"),
  ].join("");
}

/** Neighbouring deltas joined, since their number depends on where the bytes were cut. */
function read(chunks: readonly Buffer[]): readonly ModelEvent[] {
  const answer = createAnthropicAnswer("req");
  const events: ModelEvent[] = [];
  const takeAll = () => {
    for (const taken of answer.take()) {
      const last = events.at(-1);
      if (taken.type === "text-delta" && last?.type === "text-delta")
        events[events.length - 1] = { ...last, text: last.text + taken.text };
      else if (taken.type === "reasoning-delta" && last?.type === "reasoning-delta")
        events[events.length - 1] = { ...last, text: last.text + taken.text };
      else events.push(taken);
    }
  };
  for (const chunk of chunks) {
    answer.push(chunk);
    takeAll();
  }
  answer.pushEnd();
  takeAll();
  expect(answer.problem()).toBeUndefined();
  return events;
}

const text = (...pieces: string[]): StreamedBlock => ({
  start: { type: "text", text: "" },
  deltas: pieces.map((piece) => ({ type: "text_delta", text: piece })),
});
const citedText = (piece: string, ...citations: object[]): StreamedBlock => ({
  start: { type: "text", text: "", citations: [] },
  deltas: [
    ...citations.map((citation) => ({ type: "citations_delta", citation })),
    { type: "text_delta", text: piece },
  ],
});
const thinking = (pieces: readonly string[], signature?: string): StreamedBlock => ({
  start: { type: "thinking", thinking: "", signature: "" },
  deltas: [
    ...pieces.map((piece) => ({ type: "thinking_delta", thinking: piece })),
    ...(signature === undefined ? [] : [{ type: "signature_delta", signature }]),
  ],
});
const call = (id: string, inputText: string): StreamedBlock => ({
  start: { type: "tool_use", id, name: "read", input: {} },
  deltas: [{ type: "input_json_delta", partial_json: inputText }],
});
const serverCall = (...pieces: string[]): StreamedBlock => ({
  start: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
  deltas: pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece })),
});
const searchResult = {
  type: "web_search_tool_result",
  tool_use_id: "srvtoolu_1",
  content: [{ type: "web_search_result", title: "Ä", url: "https://a.test", encrypted_content: "x/+=" }],
};
const citation = { type: "web_search_result_location", url: "https://a.test", encrypted_index: "y", cited_text: "ß" };

const textEvent = (value: string): ModelEvent => ({ type: "text-delta", text: value });
const reasoningEvent = (value: string): ModelEvent => ({ type: "reasoning-delta", text: value });
const signed = (signature: string): ModelEvent => ({ type: "block-end", block: "reasoning", signature });
const vendorEvent = (block: { readonly [key: string]: unknown; readonly type: string }): ModelEvent => ({
  type: "vendor-block",
  block: { type: "vendor", kind: block.type, json: JSON.stringify(block) },
});
const callEvents = (callId: string, inputText: string): readonly ModelEvent[] => [
  { type: "tool-input-delta", callId, tool: "read", text: inputText },
  { type: "tool-call", call: { type: "tool-call", callId, tool: "read", inputText } },
];

describe("blocks of an anthropic answer", () => {
  test.each<[string, readonly StreamedBlock[], readonly ModelEvent[]]>([
    [
      "a signed thought before text",
      [thinking(["Hm", "."], "c2ln"), text("A", "B")],
      [reasoningEvent("Hm."), signed("c2ln"), textEvent("AB")],
    ],
    [
      "signed thoughts in a row",
      [thinking(["1"], "a"), thinking(["2"], "b"), text("A")],
      [reasoningEvent("1"), signed("a"), reasoningEvent("2"), signed("b"), textEvent("A")],
    ],
    [
      "thoughts in a row without signatures",
      [thinking(["1"]), thinking(["2"]), text("A")],
      [reasoningEvent("1"), { type: "block-end", block: "reasoning" }, reasoningEvent("2"), textEvent("A")],
    ],
    [
      "a thought of which only the signature is told",
      [thinking([], "c2ln"), text("A")],
      [signed("c2ln"), textEvent("A")],
    ],
    [
      "thoughts between calls",
      [thinking(["1"], "a"), call("c1", "{}"), thinking(["2"], "b"), call("c2", '{"x":1}')],
      [
        reasoningEvent("1"),
        signed("a"),
        ...callEvents("c1", "{}"),
        reasoningEvent("2"),
        signed("b"),
        ...callEvents("c2", '{"x":1}'),
      ],
    ],
    [
      "a hidden thought",
      [{ start: { type: "redacted_thinking", data: "x" } }, text("A")],
      [vendorEvent({ type: "redacted_thinking", data: "x" }), textEvent("A")],
    ],
    [
      "a search, its results, and text that cites them",
      [
        text("I search."),
        serverCall("", '{"que', 'ry": "ä"}'),
        { start: searchResult },
        text("Found: "),
        citedText("it is so", citation, { ...citation, url: "https://b.test" }),
        text("."),
        citedText("And so", citation),
        citedText("on", citation),
      ],
      [
        textEvent("I search."),
        vendorEvent({ type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "ä" } }),
        vendorEvent(searchResult),
        textEvent("Found: "),
        { type: "block-end", block: "text" },
        textEvent("it is so"),
        {
          type: "block-end",
          block: "text",
          signature: JSON.stringify([citation, { ...citation, url: "https://b.test" }]),
        },
        textEvent("."),
        { type: "block-end", block: "text" },
        textEvent("And so"),
        { type: "block-end", block: "text", signature: JSON.stringify([citation]) },
        textEvent("on"),
        { type: "block-end", block: "text", signature: JSON.stringify([citation]) },
      ],
    ],
    [
      "empty blocks of text",
      [text(), text("A"), text(), thinking([]), text("B")],
      [textEvent("A"), { type: "block-end", block: "text" }, textEvent("B")],
    ],
    ["a search whose input was cut off", [text("A"), serverCall('{"query": "a')], [textEvent("A")]],
    [
      "a block of which a piece is unknown",
      [
        { start: { type: "compaction", content: null }, deltas: [{ type: "compaction_delta", content: "x" }] },
        text("A"),
      ],
      [textEvent("A")],
    ],
    ["a block without a kind", [{ start: { data: "x" } }, text("A")], [textEvent("A")]],
  ])("%s", (_name, blocks, events) => {
    const bytes = Buffer.from(streamOf(blocks));
    expectEveryCut(bytes, read, events);
    const withoutStops = streamOf(blocks).replaceAll(/event: content_block_stop\n.*\n\n/g, "");
    expect(read([Buffer.from(withoutStops)])).toEqual(events);
  });

  test("many pieces of text, read by the short cut, need no ends", () => {
    const pieces = Array.from({ length: 500 }, (_, number) => `${number} `);
    expect(read([Buffer.from(streamOf([text(...pieces), call("c1", "{}"), text(...pieces)]))])).toEqual([
      textEvent(pieces.join("")),
      ...callEvents("c1", "{}"),
      textEvent(pieces.join("")),
    ]);
    const cited = citedText("z", citation);
    const manyCited = { ...cited, deltas: [...(text(...pieces).deltas ?? []), ...(cited.deltas ?? [])] };
    expect(read([Buffer.from(streamOf([text(...pieces), manyCited]))])).toEqual([
      textEvent(pieces.join("")),
      { type: "block-end", block: "text" },
      textEvent(`${pieces.join("")}z`),
      { type: "block-end", block: "text", signature: JSON.stringify([citation]) },
    ]);
  });

  test("a whole answer gives the same events as a streamed one", () => {
    const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "ä" } };
    const answer = createAnthropicAnswer("req");
    answer.pushWhole(
      JSON.stringify({
        type: "message",
        content: [
          search,
          searchResult,
          { type: "text", text: "Plain, " },
          { type: "text", text: "cited", citations: [citation] },
        ],
        stop_reason: "pause_turn",
      }),
    );
    expect(answer.take()).toEqual(
      read([
        Buffer.from(
          streamOf(
            [serverCall('{"query":"ä"}'), { start: searchResult }, text("Plain, "), citedText("cited", citation)],
            "pause_turn",
          ),
        ),
      ]),
    );
    expect(answer.conclusion()?.stopReason).toBe("paused");
  });

  test("a search of the vendor is no call, and a call that is one has to be answered before going on", () => {
    const stopReasonOf = (blocks: readonly StreamedBlock[], stopReason: string) => {
      const answer = createAnthropicAnswer("req");
      answer.push(Buffer.from(streamOf(blocks, stopReason)));
      return answer.conclusion()?.stopReason;
    };
    const search = [serverCall('{"query":"a"}'), { start: searchResult }];
    expect(stopReasonOf(search, "end_turn")).toBe("end");
    expect(stopReasonOf(search, "pause_turn")).toBe("paused");
    expect(stopReasonOf([...search, call("c1", "{}")], "pause_turn")).toBe("tool-calls");
  });
});
