/** Proves what a request looks like on the Messages wire, and that it only grows. */
import type { AssistantBlock, Message, ModelRequest, ToolSchema } from "@kedge/protocol";
import { createSeededRandom, type SeededRandom } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { createRequestBodies } from "../wire/request-body.ts";
import { createResultGroups } from "../wire/result-groups.ts";
import { createAnthropicEncoding } from "./anthropic-request.ts";

const tools: readonly ToolSchema[] = [
  { name: "read", description: "Reads.", inputSchema: { type: "object" } },
  { name: "list", description: "Lists.", inputSchema: { type: "object" } },
];
const cache_control = { type: "ephemeral" };

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

/** What the provider does: groups, then encodes; one of these is one provider. */
function createBodies(): (request: ModelRequest) => string {
  const groups = createResultGroups();
  const bodies = createRequestBodies(createAnthropicEncoding(groups.resultsOf));
  return (request) => {
    const { bytes, release } = bodies.lend({ ...request, messages: groups.gathered(request.messages) });
    const text = bytes.toString();
    release();
    return text;
  };
}

const toolMessage = (callId: string, output: string, isError = false): Message => ({
  role: "tool",
  callId,
  tool: "read",
  output,
  isError,
});

describe("anthropic request", () => {
  test("has the form of the wire for every kind of message", () => {
    const body = createBodies()(
      requestOf([
        { role: "user", text: 'Say "hi"\n👍' },
        { role: "user", text: "And half \ud83d" },
        { role: "user", text: " \n" },
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "signed", signature: "c2ln" },
            { type: "reasoning", text: "unsigned" },
            { type: "text", text: "" },
            { type: "text", text: "I read." },
            { type: "tool-call", callId: "c1", tool: "read", inputText: '{ "b":1, "a":[] }' },
            { type: "tool-call", callId: "c2", tool: "read", inputText: '{"a', incomplete: true },
            { type: "tool-call", callId: "c3", tool: "read", inputText: "[1]" },
            { type: "tool-call", callId: "c4", tool: "read", inputText: "{" },
          ],
        },
        toolMessage("c1", ""),
        toolMessage("c2", "cut off", true),
        toolMessage("c3", "x"),
        { role: "user", text: "Go on." },
        { role: "assistant", content: [{ type: "reasoning", text: "nothing else", signature: "c2ln" }] },
      ]),
    );
    const call = (id: string, input: object) => ({ type: "tool_use", id, name: "read", input });
    expect(JSON.parse(body)).toEqual({
      model: "a",
      stream: true,
      tools: [
        { name: "read", description: "Reads.", input_schema: { type: "object" } },
        { name: "list", description: "Lists.", input_schema: { type: "object" }, cache_control },
      ],
      system: [{ type: "text", text: "Be exact.", cache_control }],
      messages: [
        { role: "user", content: [{ type: "text", text: 'Say "hi"\n👍' }] },
        { role: "user", content: [{ type: "text", text: "And half \ufffd" }] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "signed", signature: "c2ln" },
            { type: "text", text: "I read." },
            call("c1", { b: 1, a: [] }),
            call("c2", {}),
            call("c3", {}),
            call("c4", {}),
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", content: "(no output)" },
            { type: "tool_result", tool_use_id: "c2", content: "cut off", is_error: true },
            { type: "tool_result", tool_use_id: "c3", content: "x" },
          ],
        },
        { role: "user", content: [{ type: "text", text: "Go on." }] },
      ],
      max_tokens: 100,
    });
    expect(body).toContain('"input":{ "b":1, "a":[] }');
  });

  test("has neither tools nor a system text when there are none", () => {
    expect(createBodies()(requestOf([{ role: "user", text: "hi" }], { tools: [], system: "" }))).toBe(
      '{"model":"a","stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}],"max_tokens":100}',
    );
  });

  test("grows by appending only, over random conversations", () => {
    const random = createSeededRandom();
    for (let round = 0; round < 20; round++) {
      const encode = createBodies();
      const messages: Message[] = [];
      let before = "";
      for (let turn = 0; turn < 30; turn++) {
        addTurn(messages, random);
        const request = requestOf(messages, { outputTokensMax: random.below(10_000), tools: [...tools] });
        const text = encode(request);
        const context = `seed ${random.seed}, round ${round}, turn ${turn}`;
        expect(text, context).toBe(createBodies()(request));
        expect(JSON.parse(text).max_tokens, context).toBe(request.outputTokensMax);
        expect(text.match(/"cache_control"/g)?.length, context).toBe(2);
        const messagesText = text.slice(0, text.lastIndexOf('],"max_tokens"'));
        expect(messagesText.startsWith(before), context).toBe(true);
        before = messagesText;
      }
    }
  });

  test("groups a message anew for every conversation it stands in", () => {
    const encode = createBodies();
    const results = ["a", "b", "c"].map((id) => toolMessage(id, id));
    const contentOf = (messages: readonly Message[]) =>
      JSON.parse(encode(requestOf(messages))).messages.map(({ content }: { content: { tool_use_id: string }[] }) =>
        content.map((block) => block.tool_use_id),
      );
    expect(contentOf([...results])).toEqual([["a", "b", "c"]]);
    expect(contentOf(results.slice(0, 2))).toEqual([["a", "b"]]);
    expect(contentOf(results.slice(0, 1))).toEqual([["a"]]);
    expect(contentOf([...results])).toEqual([["a", "b", "c"]]);
  });

  test("starts anew when the conversation was shortened", () => {
    const encode = createBodies();
    const messages: Message[] = [toolMessage("a", "1"), toolMessage("b", "2"), { role: "user", text: "hi" }];
    encode(requestOf(messages));
    messages.length = 1;
    expect(encode(requestOf(messages))).toBe(createBodies()(requestOf(messages)));
  });
});

/** All results of one answer are there before the next request, as in a real session. */
function addTurn(messages: Message[], random: SeededRandom): void {
  const text = () =>
    Array.from({ length: random.below(200) }, () => 'aä漢👍\n"\\\u0001\ud800'[random.below(9)] ?? "").join("");
  if (random.below(3) === 0) messages.push({ role: "user", text: text() });
  const calls: AssistantBlock[] = Array.from({ length: random.below(4) }, (_, index) => ({
    type: "tool-call",
    callId: `c${index}`,
    tool: "read",
    inputText: JSON.stringify({ text: text() }),
  }));
  messages.push({
    role: "assistant",
    content: [{ type: "reasoning", text: text() }, { type: "text", text: text() }, ...calls],
  });
  for (const [index] of calls.entries()) messages.push(toolMessage(`c${index}`, text(), random.below(2) === 0));
}
