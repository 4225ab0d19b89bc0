/** Proves what a Responses request looks like, and that a growing conversation only appends to its bytes. */
import {
  type AssistantBlock,
  type Effort,
  efforts,
  type Media,
  type Message,
  type ModelCapabilities,
  type ModelRequest,
  type ToolSchema,
} from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { sampleRequest } from "../../test/sample-request.ts";
import { createRequestBodies, type WireRequest } from "../wire/request-body.ts";
import { responsesEncoding } from "./responses-request.ts";

const capabilities: ModelCapabilities = {
  tools: true,
  reasoning: "none",
  images: true,
  documents: true,
  mediaInToolResults: true,
  temperature: true,
  cacheMarks: false,
  webSearch: true,
};

const tools: readonly ToolSchema[] = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];

const requestOf = (messages: readonly Message[], changes: Partial<WireRequest> = {}) =>
  sampleRequest(messages, { tools, ...changes });

const bodyOf = (request: ModelRequest) => createRequestBodies(responsesEncoding).lend(request).bytes.toString();

describe("responses request", () => {
  test("has an input item for every part of every message, in their order", () => {
    const messages: readonly Message[] = [
      { role: "user", text: 'Say "hi"\n👍' },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "secret thought" },
          { type: "text", text: "I read " },
          { type: "text", text: "it." },
          { type: "tool-call", callId: "c1", tool: "read", inputText: '{ "a":1 }' },
          { type: "text", text: "And more." },
          { type: "tool-call", callId: "c2", tool: "read", inputText: '{"a', incomplete: true },
        ],
      },
      { role: "tool", callId: "c1", tool: "read", output: "", isError: false },
      { role: "tool", callId: "c2", tool: "read", output: "cut off", isError: true },
      { role: "assistant", content: [{ type: "tool-call", callId: "c3", tool: "read", inputText: "" }] },
      { role: "assistant", content: [{ type: "reasoning", text: "nothing else" }] },
      { role: "assistant", content: [{ type: "text", text: "Done." }] },
    ];
    const call = (id: string, text: string) => ({ type: "function_call", call_id: id, name: "read", arguments: text });
    const said = (text: string) => ({ role: "assistant", content: [{ type: "output_text", text }] });
    expect(JSON.parse(bodyOf(requestOf(messages)))).toEqual({
      model: "a",
      instructions: "Be exact.",
      tools: [{ type: "function", name: "read", description: "Reads.", parameters: { type: "object" }, strict: false }],
      input: [
        { role: "user", content: [{ type: "input_text", text: 'Say "hi"\n👍' }] },
        said("I read it."),
        call("c1", '{ "a":1 }'),
        said("And more."),
        call("c2", "{}"),
        { type: "function_call_output", call_id: "c1", output: "(no output)" },
        { type: "function_call_output", call_id: "c2", output: "cut off" },
        call("c3", "{}"),
        said("Done."),
      ],
      max_output_tokens: 100,
      prompt_cache_key: "ses_1",
      store: false,
      stream: true,
    });
  });

  test("has neither tools nor instructions when there are none", () => {
    expect(bodyOf(requestOf([{ role: "user", text: "hi" }], { tools: [], system: "" }))).toBe(
      '{"model":"a","input":[{"role":"user","content":[{"type":"input_text","text":"hi"}]}],"max_output_tokens":100,"prompt_cache_key":"ses_1","store":false,"stream":true}',
    );
  });

  test("may ask for the answer in one piece, without other bytes before the end of the conversation", () => {
    const request = requestOf([{ role: "user", text: "hi" }]);
    const bodies = createRequestBodies(responsesEncoding);
    const streamed = bodies.lend(request).bytes.toString();
    expect(bodies.lend({ ...request, whole: true }).bytes.toString()).toBe(
      streamed.replace('"stream":true', '"stream":false'),
    );
  });

  test.each([
    ["Be exact.", "Today is Monday.", "Be exact.\n\nToday is Monday."],
    ["", "Today is Monday.", "Today is Monday."],
    ["Be exact.", "", "Be exact."],
  ])("joins the system text %j and its tail %j", (system, systemTail, instructions) => {
    expect(JSON.parse(bodyOf(requestOf([], { system, systemTail }))).instructions).toBe(instructions);
  });

  test("gives reasoning and searches back where they stood, and nothing that others signed", () => {
    const search = '{"type":"web_search_call","id":"ws_1","status":"completed"}';
    const reasoning = (text: string, id: string): AssistantBlock => ({
      type: "reasoning",
      text,
      signature: JSON.stringify({ id, encrypted_content: `e_${id}` }),
    });
    const content: readonly AssistantBlock[] = [
      reasoning("Hm.", "rs_1"),
      { type: "vendor", kind: "web_search_call", json: search },
      { type: "text", text: "Found" },
      { type: "reasoning", text: "not signed" },
      { type: "reasoning", text: "", signature: "reasoning_content" },
      { type: "vendor", kind: "redacted_thinking", json: "{}" },
      { type: "text", text: " it." },
      reasoning("", "rs_2"),
      { type: "tool-call", callId: "c1", tool: "read", inputText: "{}" },
    ];
    expect(JSON.parse(bodyOf(requestOf([{ role: "assistant", content }]))).input).toEqual([
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "e_rs_1" },
      JSON.parse(search),
      { role: "assistant", content: [{ type: "output_text", text: "Found it." }] },
      { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "e_rs_2" },
      { type: "function_call", call_id: "c1", name: "read", arguments: "{}" },
    ]);
  });

  test("has pictures and documents in user messages and in tool results", () => {
    const media: readonly Media[] = [
      { name: "a.png", mediaType: "image/png", base64: "iVBO" },
      { name: "b.pdf", mediaType: "application/pdf", base64: "JVBE" },
      { name: "c.wav", mediaType: "audio/wav", base64: "UklG" },
    ];
    const parts = [
      { type: "input_image", detail: "auto", image_url: "data:image/png;base64,iVBO" },
      { type: "input_file", filename: "b.pdf", file_data: "data:application/pdf;base64,JVBE" },
      { type: "input_text", text: "[c.wav (audio/wav) cannot be shown to this model]" },
    ];
    const messages: readonly Message[] = [
      { role: "user", text: "Look:", media },
      { role: "user", text: "", media },
      { role: "tool", callId: "c1", tool: "read", output: "Three files.", isError: false, media },
      { role: "tool", callId: "c2", tool: "read", output: "", isError: false, media },
    ];
    expect(JSON.parse(bodyOf(requestOf(messages))).input).toEqual([
      { role: "user", content: [{ type: "input_text", text: "Look:" }, ...parts] },
      { role: "user", content: parts },
      { type: "function_call_output", call_id: "c1", output: [{ type: "input_text", text: "Three files." }, ...parts] },
      { type: "function_call_output", call_id: "c2", output: parts },
    ]);
  });

  test("names the vendor's search among the tools, and how often it may be used", () => {
    const body = JSON.parse(bodyOf(requestOf([], { tools: [], serverTools: [{ name: "web_search", usesMax: 5 }] })));
    expect([body.tools, body.max_tool_calls]).toEqual([[{ type: "web_search" }], 5]);
  });

  test("asks for encrypted reasoning and for effort only where the model thinks", () => {
    const asked = (reasoning: ModelCapabilities["reasoning"], wish: ModelRequest["reasoning"]) => {
      const request = requestOf([]);
      const model = { ...request.model, id: "gpt-5.1", temperature: 0.5, capabilities: { ...capabilities, reasoning } };
      const {
        include,
        reasoning: told,
        temperature,
      } = JSON.parse(bodyOf({ ...request, model, ...(wish && { reasoning: wish }) }));
      return { include, told, temperature };
    };
    const include = ["reasoning.encrypted_content"];
    expect(asked("none", { effort: "high" })).toEqual({});
    expect(asked("effort", undefined)).toEqual({ include, temperature: 0.5 });
    expect(asked("effort", { effort: "high" })).toEqual({ include, told: { effort: "high", summary: "auto" } });
    expect(asked("effort", { effort: "off" })).toEqual({ include, told: { effort: "none" }, temperature: 0.5 });
  });

  test("keeps the key of the cache as short as the vendor wants it", () => {
    const conversationId = "s".repeat(70);
    expect(JSON.parse(bodyOf(requestOf([], { conversationId }))).prompt_cache_key).toBe("s".repeat(64));
  });

  test("grows by appending only, over random conversations", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const random = createSeededRandom(String(seed)).below;
      const bodies = createRequestBodies(responsesEncoding);
      const messages: Message[] = [];
      let before = "";
      for (let turn = 0; turn < 20; turn++) {
        for (let count = random(3) + 1; count > 0; count--) messages.push(randomMessage(random));
        const request = requestOf(messages, {
          outputTokensMax: random(10_000),
          reasoning: { effort: effortAt(random) },
        });
        const { bytes, release } = bodies.lend(request);
        const text = bytes.toString();
        const context = `seed ${seed}, turn ${turn}`;
        expect(text, context).toBe(bodyOf(request));
        expect(JSON.parse(text).max_output_tokens, context).toBe(request.outputTokensMax);
        const inputText = text.slice(0, text.lastIndexOf('],"max_output_tokens"'));
        expect(inputText.startsWith(before), context).toBe(true);
        before = inputText;
        release();
      }
    }
  });
});

const picture: Media = { name: "a.png", mediaType: "image/png", base64: "iVBO" };

function effortAt(random: (below: number) => number): Effort {
  return efforts[random(efforts.length)] ?? "off";
}

function randomMessage(random: (below: number) => number): Message {
  const text = Array.from({ length: random(400) }, () => 'aä漢👍\n"\\\u0001\ud800'[random(9)] ?? "").join("");
  switch (random(3)) {
    case 0:
      return { role: "user", text, ...(random(4) === 0 && { media: [picture] }) };
    case 1: {
      const blocks: readonly AssistantBlock[] = [
        { type: "text", text },
        { type: "reasoning", text, signature: JSON.stringify({ id: "rs", encrypted_content: text }) },
        { type: "vendor", kind: "web_search_call", json: '{"type":"web_search_call"}' },
        { type: "tool-call", callId: `c${random(9)}`, tool: "read", inputText: JSON.stringify({ text }) },
      ];
      return { role: "assistant", content: blocks.slice(random(2), random(5)) };
    }
    default:
      return { role: "tool", callId: "c", tool: "read", output: text, isError: false };
  }
}
