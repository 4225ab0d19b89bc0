/** Proves that bodies only grow: the bytes of one turn's messages begin the next turn's, and all are valid JSON. */
import type { AssistantBlock, Message, ModelRequest, ToolSchema } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { sampleRequest } from "../../test/sample-request.ts";
import { chatEncoding } from "../chat/chat-request.ts";
import { createRequestBodies, type WireRequest } from "./request-body.ts";

const tools: readonly ToolSchema[] = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];

const requestOf = (messages: readonly Message[], changes: Partial<WireRequest> = {}) =>
  sampleRequest(messages, { tools, ...changes });

describe("request body", () => {
  test("is the Chat Completions form of every kind of message", () => {
    const messages: readonly Message[] = [
      { role: "user", text: 'Say "hi"\n👍' },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "secret thought" },
          { type: "text", text: "I read " },
          { type: "text", text: "it." },
          { type: "tool-call", callId: "c1", tool: "read", inputText: '{ "a":1 }' },
          { type: "tool-call", callId: "c2", tool: "read", inputText: '{"a', incomplete: true },
        ],
      },
      { role: "tool", callId: "c1", tool: "read", output: "", isError: false },
      { role: "tool", callId: "c2", tool: "read", output: "cut off", isError: true },
      { role: "assistant", content: [{ type: "tool-call", callId: "c3", tool: "read", inputText: "" }] },
      { role: "assistant", content: [{ type: "reasoning", text: "nothing else" }] },
    ];
    const { bytes } = createRequestBodies(chatEncoding).lend(requestOf(messages));
    const call = (id: string, text: string) => ({
      id,
      type: "function",
      function: { name: "read", arguments: text },
    });
    expect(JSON.parse(bytes.toString())).toEqual({
      model: "a",
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: "function", function: { name: "read", description: "Reads.", parameters: { type: "object" } } }],
      messages: [
        { role: "system", content: "Be exact." },
        { role: "user", content: 'Say "hi"\n👍' },
        {
          role: "assistant",
          content: "I read it.",
          tool_calls: [call("c1", '{ "a":1 }'), call("c2", "{}")],
        },
        { role: "tool", tool_call_id: "c1", content: "(no output)" },
        { role: "tool", tool_call_id: "c2", content: "cut off" },
        { role: "assistant", content: null, tool_calls: [call("c3", "{}")] },
      ],
      max_tokens: 100,
    });
  });

  test("has neither tools nor a system message when there are none", () => {
    const { bytes } = createRequestBodies(chatEncoding).lend(
      requestOf([{ role: "user", text: "hi" }], { tools: [], system: "" }),
    );
    expect(bytes.toString()).toBe(
      '{"model":"a","messages":[{"role":"user","content":"hi"}],"max_tokens":100,"stream":true,"stream_options":{"include_usage":true}}',
    );
  });

  test("grows by appending only, over random conversations", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = createSeededRandom(String(seed)).below;
      const bodies = createRequestBodies(chatEncoding);
      const messages: Message[] = [];
      let before = "";
      for (let turn = 0; turn < 30; turn++) {
        for (let count = random(3) + 1; count > 0; count--) messages.push(randomMessage(random));
        const request = requestOf(messages, { outputTokensMax: random(10_000), tools: [...tools] });
        const { bytes, release } = bodies.lend(request);
        const text = bytes.toString();
        const context = `seed ${seed}, turn ${turn}`;
        expect(text, context).toBe(createRequestBodies(chatEncoding).lend(request).bytes.toString());
        expect(JSON.parse(text).max_tokens, context).toBe(request.outputTokensMax);
        const messagesText = text.slice(0, text.lastIndexOf('],"max_tokens"'));
        expect(messagesText.startsWith(before), context).toBe(true);
        before = messagesText;
        release();
      }
    }
  });

  test("encodes each message once", () => {
    let encoded = 0;
    const bodies = createRequestBodies({
      ...chatEncoding,
      message: (message, request) => {
        encoded++;
        return chatEncoding.message(message, request);
      },
    });
    const messages: Message[] = [];
    for (let turn = 0; turn < 50; turn++) {
      messages.push({ role: "user", text: `turn ${turn}` });
      bodies.lend(requestOf(messages)).release();
    }
    expect(encoded).toBe(50);
  });

  test.each<[string, Partial<ModelRequest>]>([
    ["the model", { model: { ref: "m/b", provider: "m", id: "b", contextTokens: 1, outputTokensMax: 1 } }],
    ["the system text", { system: "Be brief." }],
    ["the end of the system text", { systemTail: "Today is Monday." }],
    ["what runs at the vendor", { serverTools: [{ name: "web_search", usesMax: 1 }] }],
    ["who asks", { source: "background" }],
    ["the tools", { tools: [] }],
  ])("starts over when %s changes", (_what, changes) => {
    const bodies = createRequestBodies(chatEncoding);
    const messages: readonly Message[] = [{ role: "user", text: "hi" }];
    bodies.lend(requestOf(messages)).release();
    const changed = requestOf(messages, changes);
    expect(bodies.lend(changed).bytes.toString()).toBe(
      createRequestBodies(chatEncoding).lend(changed).bytes.toString(),
    );
  });

  test("does not touch bytes that are still lent", () => {
    const bodies = createRequestBodies(chatEncoding);
    const messages: Message[] = [{ role: "user", text: "first" }];
    const { bytes } = bodies.lend(requestOf(messages));
    const before = bytes.toString();
    messages.push({ role: "user", text: "second" });
    bodies.lend(requestOf(messages, { outputTokensMax: 7 }));
    expect(bytes.toString()).toBe(before);
  });
});

function randomMessage(random: (below: number) => number): Message {
  const text = Array.from({ length: random(400) }, () => 'aä漢👍\n"\\\u0001\ud800'[random(9)] ?? "").join("");
  switch (random(3)) {
    case 0:
      return { role: "user", text };
    case 1: {
      const blocks: readonly AssistantBlock[] = [
        { type: "text", text },
        { type: "reasoning", text },
        { type: "tool-call", callId: `c${random(9)}`, tool: "read", inputText: JSON.stringify({ text }) },
      ];
      return { role: "assistant", content: blocks.slice(0, random(4)) };
    }
    default:
      return { role: "tool", callId: "c", tool: "read", output: text, isError: false };
  }
}
