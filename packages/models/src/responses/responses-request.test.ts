/** Proves what a Responses request looks like, and that a growing conversation only appends to its bytes. */
import type { AssistantBlock, Message, ModelRequest, ToolSchema } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { createRequestBodies } from "../wire/request-body.ts";
import { responsesEncoding } from "./responses-request.ts";

const tools: readonly ToolSchema[] = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];

function requestOf(messages: readonly Message[], changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: { ref: "m/a", provider: "m", id: "a", contextTokens: 1000, outputTokensMax: 100 },
    source: "main",
    conversationId: "ses_1",
    system: "Be exact.",
    tools,
    messages,
    outputTokensMax: 100,
    requestId: "r",
    ...changes,
  };
}

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
      stream: true,
      store: false,
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
    });
  });

  test("has neither tools nor instructions when there are none", () => {
    expect(bodyOf(requestOf([{ role: "user", text: "hi" }], { tools: [], system: "" }))).toBe(
      '{"model":"a","stream":true,"store":false,"input":[{"role":"user","content":[{"type":"input_text","text":"hi"}]}],"max_output_tokens":100}',
    );
  });

  test("grows by appending only, over random conversations", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const random = createRandom(seed);
      const bodies = createRequestBodies(responsesEncoding);
      const messages: Message[] = [];
      let before = "";
      for (let turn = 0; turn < 20; turn++) {
        for (let count = random(3) + 1; count > 0; count--) messages.push(randomMessage(random));
        const request = requestOf(messages, { outputTokensMax: random(10_000) });
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

function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

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
