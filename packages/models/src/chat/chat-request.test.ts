/** Proves what a Chat Completions request looks like for each kind of model, and that it only grows. */
import { type AssistantBlock, efforts, type Media, type Message, type ModelRequest, type Quirk } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { sampleRequest } from "../../test/sample-request.ts";
import { createRequestBodies, type WireRequest } from "../wire/request-body.ts";
import { chatEncoding } from "./chat-request.ts";

const withQuirks = (messages: readonly Message[], ...quirks: readonly Quirk[]): ModelRequest => {
  const request = sampleRequest(messages);
  return { ...request, model: { ...request.model, quirks } };
};

const bodyOf = (request: WireRequest) => createRequestBodies(chatEncoding).lend(request).bytes.toString();
const membersOf = (request: WireRequest) => {
  const { messages, ...members } = JSON.parse(bodyOf(request));
  return members;
};

const picture: Media = { name: "a.png", mediaType: "image/png", base64: "iVBO" };
const streamed = { stream: true, stream_options: { include_usage: true } };
const callMessage: Message = {
  role: "assistant",
  content: [{ type: "tool-call", callId: "c1", tool: "read", inputText: "{}" }],
};

describe("chat request", () => {
  test("says at its end how the answer shall come", () => {
    const request = sampleRequest([{ role: "user", text: "hi" }], { system: "" });
    const start = '{"model":"a","messages":[{"role":"user","content":"hi"}],"max_tokens":100';
    expect(bodyOf(request)).toBe(`${start},"stream":true,"stream_options":{"include_usage":true}}`);
    expect(bodyOf({ ...request, whole: true })).toBe(`${start},"stream":false}`);
  });

  test.each([
    ["Be exact.", "Today is Monday.", "Be exact.\n\nToday is Monday."],
    ["", "Today is Monday.", "Today is Monday."],
    ["Be exact.", "", "Be exact."],
  ])("joins the system text %j and its tail %j in one message", (system, systemTail, content) => {
    expect(JSON.parse(bodyOf(sampleRequest([], { system, systemTail }))).messages).toEqual([
      { role: "system", content },
    ]);
  });

  test("limits the answer by the name the vendor knows", () => {
    expect(membersOf(withQuirks([], "max-completion-tokens"))).toEqual({
      model: "a",
      max_completion_tokens: 100,
      ...streamed,
    });
  });

  test("asks for no usage where the vendor does not know how", () => {
    expect(membersOf(withQuirks([], "no-stream-options"))).toEqual({ model: "a", max_tokens: 100, stream: true });
  });

  test("has a tool that does nothing when the vendor needs one because of earlier calls", () => {
    const request = withQuirks([callMessage], "tools-after-calls");
    const placeholder = {
      type: "function",
      function: {
        name: "_noop",
        description: "Does nothing. Never call it.",
        parameters: { type: "object", properties: {} },
      },
    };
    const members = { model: "a", max_tokens: 100, ...streamed };
    expect(membersOf(request)).toEqual({ ...members, tools: [placeholder] });
    expect(membersOf(sampleRequest([callMessage]))).toEqual(members);
    expect(membersOf(withQuirks([{ role: "user", text: "hi" }], "tools-after-calls"))).toEqual(members);
    const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }] as const;
    expect(membersOf({ ...request, tools }).tools).toHaveLength(1);
    expect(membersOf({ ...request, tools }).tools[0].function.name).toBe("read");
  });

  test("has temperature and effort as the model takes them", () => {
    const capabilities = {
      tools: true,
      reasoning: "effort",
      images: false,
      documents: false,
      mediaInToolResults: false,
      temperature: true,
      cacheMarks: false,
      webSearch: false,
    } as const;
    const request = sampleRequest([]);
    const model = { ...request.model, temperature: 0.6, capabilities };
    const members = { model: "a", max_tokens: 100, ...streamed };
    expect(membersOf({ ...request, model })).toEqual({ ...members, temperature: 0.6 });
    expect(membersOf({ ...request, model, reasoning: { effort: "max" } })).toEqual({
      ...members,
      reasoning_effort: "high",
    });
  });

  test("has pictures and documents in user messages, and none in tool results", () => {
    const media: readonly Media[] = [
      picture,
      { name: "b.pdf", mediaType: "application/pdf", base64: "JVBE" },
      { name: "c.wav", mediaType: "audio/wav", base64: "UklG" },
    ];
    const parts = [
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBO" } },
      { type: "file", file: { filename: "b.pdf", file_data: "data:application/pdf;base64,JVBE" } },
      { type: "text", text: "[c.wav (audio/wav) cannot be shown to this model]" },
    ];
    const messages: readonly Message[] = [
      { role: "user", text: "Look:", media },
      { role: "user", text: "", media },
      { role: "user", text: "Plain.", media: [] },
      { role: "tool", callId: "c1", tool: "read", output: "A file.", isError: false, media },
    ];
    expect(JSON.parse(bodyOf(sampleRequest(messages, { system: "" }))).messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Look:" }, ...parts] },
      { role: "user", content: parts },
      { role: "user", content: "Plain." },
      { role: "tool", tool_call_id: "c1", content: "A file." },
    ]);
  });

  test("says nothing of vendor blocks and of what others signed", () => {
    const content: readonly AssistantBlock[] = [
      { type: "vendor", kind: "web_search_call", json: "{}" },
      { type: "reasoning", text: "Hm.", signature: '{"id":"rs_1","encrypted_content":"x"}' },
      { type: "reasoning", text: "Hm.", signature: "EqQBCkYI" },
      { type: "text", text: "Ja.", signature: "x" },
    ];
    expect(chatEncoding.message({ role: "assistant", content }, sampleRequest([]))).toBe(
      '{"role":"assistant","content":"Ja."}',
    );
  });

  test("grows by appending only, over random conversations", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const random = createSeededRandom(String(seed)).below;
      const bodies = createRequestBodies(chatEncoding);
      const messages: Message[] = [];
      let before = "";
      for (let turn = 0; turn < 20; turn++) {
        for (let count = random(3) + 1; count > 0; count--) messages.push(randomMessage(random));
        const request: WireRequest = {
          ...withQuirks(messages, "tools-after-calls"),
          reasoning: { effort: efforts[random(efforts.length)] ?? "off" },
          ...(random(2) === 0 && { whole: true }),
        };
        const { bytes, release } = bodies.lend(request);
        const text = bytes.toString();
        const context = `seed ${seed}, turn ${turn}`;
        expect(text, context).toBe(bodyOf(request));
        expect(JSON.parse(text).stream, context).toBe(request.whole !== true);
        const messagesText = text.slice(0, text.lastIndexOf('],"max_tokens"'));
        expect(messagesText.startsWith(before), context).toBe(true);
        before = messagesText;
        release();
      }
    }
  });
});

const signatures = ["reasoning_content", "reasoning", "think", '[{"type":"reasoning.text","text":"x"}]'];

function randomMessage(random: (below: number) => number): Message {
  const text = Array.from({ length: random(300) }, () => 'aä漢👍\n"\\\u0001\ud800'[random(9)] ?? "").join("");
  switch (random(3)) {
    case 0:
      return { role: "user", text, ...(random(3) === 0 && { media: [picture] }) };
    case 1: {
      const signature = signatures[random(signatures.length)];
      const blocks: readonly AssistantBlock[] = [
        { type: "reasoning", text, ...(signature !== undefined && { signature }) },
        { type: "text", text },
        { type: "tool-call", callId: `c${random(9)}`, tool: "read", inputText: JSON.stringify({ text }) },
      ];
      return { role: "assistant", content: blocks.slice(random(2), random(4)) };
    }
    default:
      return { role: "tool", callId: "c", tool: "read", output: text, isError: false };
  }
}
