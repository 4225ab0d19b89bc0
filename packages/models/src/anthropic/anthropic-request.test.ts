/** Proves what a request looks like on the Messages wire, and that it only grows. */
import type { AssistantBlock, Media, Message, ModelCapabilities, ModelRequest, ToolSchema } from "@kedge/protocol";
import { createSeededRandom, type SeededRandom } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { sampleRequest } from "../../test/sample-request.ts";
import { createRequestBodies, type WireRequest } from "../wire/request-body.ts";
import { createResultGroups, type ToolMessage } from "../wire/result-groups.ts";
import { type CacheTtl, createAnthropicEncoding } from "./anthropic-request.ts";

const tools: readonly ToolSchema[] = [
  { name: "read", description: "Reads.", inputSchema: { type: "object" } },
  { name: "list", description: "Lists.", inputSchema: { type: "object" } },
];
const cache_control = { type: "ephemeral" };

const requestOf = (messages: readonly Message[], changes: Partial<WireRequest> = {}) =>
  sampleRequest(messages, { tools, ...changes });

const able: ModelCapabilities = {
  tools: true,
  reasoning: "none",
  images: true,
  documents: true,
  mediaInToolResults: true,
  temperature: true,
  cacheMarks: true,
  webSearch: true,
};

const picture: Media = { name: "a.png", mediaType: "image/png", base64: "aW1n" };
const paper: Media = { name: "a.pdf", mediaType: "application/pdf", base64: "cGRm" };
const sound: Media = { name: "a.wav", mediaType: "audio/wav", base64: "d2F2" };

/** What the provider does: groups, then encodes; one of these is one provider. */
function createBodies(cacheTtl: CacheTtl = "5m"): (request: WireRequest) => string {
  const groups = createResultGroups();
  const bodies = createRequestBodies(createAnthropicEncoding(groups.resultsOf, cacheTtl));
  return (request) => {
    const { bytes, release } = bodies.lend({ ...request, messages: groups.gathered(request.messages) });
    const text = bytes.toString();
    release();
    return text;
  };
}

const toolMessage = (callId: string, output: string, isError = false): ToolMessage => ({
  role: "tool",
  callId,
  tool: "read",
  output,
  isError,
});

describe("the form of an anthropic request", () => {
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
      stream: true,
      cache_control,
    });
    expect(body).toContain('"input":{ "b":1, "a":[] }');
  });

  test("has neither tools nor a system text when there are none", () => {
    expect(createBodies()(requestOf([{ role: "user", text: "hi" }], { tools: [], system: "" }))).toBe(
      '{"model":"a","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}],"max_tokens":100,"stream":true,"cache_control":{"type":"ephemeral"}}',
    );
  });

  test("may ask for the whole answer at once without disturbing what comes before", () => {
    const encode = createBodies();
    const request = requestOf([{ role: "user", text: "hi" }]);
    const streamed = encode(request);
    expect(encode({ ...request, whole: true })).toBe(streamed.replace('"stream":true', '"stream":false'));
  });
});

describe("cache marks of an anthropic request", () => {
  test("has at most four marks: after the own tools, after both system texts, and for the last message", () => {
    const foreign: ToolSchema = { name: "mcp__a__b", description: "", inputSchema: {} };
    const request = requestOf([{ role: "user", text: "hi" }], {
      tools: [...tools, foreign],
      serverTools: [{ name: "web_search", usesMax: 5 }],
      systemTail: "Today.",
    });
    const body = JSON.parse(createBodies()(request));
    expect({ ...body, messages: [] }).toEqual({
      model: "a",
      tools: [
        { name: "read", description: "Reads.", input_schema: { type: "object" } },
        { name: "list", description: "Lists.", input_schema: { type: "object" }, cache_control },
        { name: "mcp__a__b", description: "", input_schema: {} },
        { type: "web_search_20250305", name: "web_search", max_uses: 5 },
      ],
      system: [
        { type: "text", text: "Be exact.", cache_control },
        { type: "text", text: "Today.", cache_control },
      ],
      messages: [],
      max_tokens: 100,
      stream: true,
      cache_control,
    });
    expect(JSON.parse(createBodies()({ ...request, tools: [foreign] })).tools[0].cache_control).toEqual(cache_control);
    expect(JSON.parse(createBodies()({ ...request, tools: [] })).tools).toEqual([
      { type: "web_search_20250305", name: "web_search", max_uses: 5 },
    ]);
  });

  test("marks for an hour where asked, but not in the background, and not at all where the model has no marks", () => {
    const request = requestOf([{ role: "user", text: "hi" }], { systemTail: "Today." });
    const marksOf = (cacheTtl: CacheTtl, changes: Partial<ModelRequest> = {}) =>
      createBodies(cacheTtl)({ ...request, ...changes }).match(/"cache_control":\{[^}]*\}/g) ?? [];
    const short = '"cache_control":{"type":"ephemeral"}';
    const long = '"cache_control":{"type":"ephemeral","ttl":"1h"}';
    expect(marksOf("5m")).toEqual([short, short, short, short]);
    expect(marksOf("1h")).toEqual([long, long, long, long]);
    expect(marksOf("1h", { source: "subagent" })).toEqual([long, long, long, long]);
    expect(marksOf("1h", { source: "background" })).toEqual([short, short, short, short]);
    expect(marksOf("off")).toEqual([]);
    const withMarks = (cacheMarks: boolean) => ({ model: { ...request.model, capabilities: { ...able, cacheMarks } } });
    expect(marksOf("5m", withMarks(false))).toEqual([]);
    expect(marksOf("5m", withMarks(true))).toHaveLength(4);
  });
});

describe("messages of an anthropic request", () => {
  test("has media before the text of the user and after that of a result", () => {
    const { messages } = JSON.parse(
      createBodies()(
        requestOf([
          { role: "user", text: "See.", media: [picture, paper] },
          { role: "user", text: "", media: [{ ...paper, name: " " }] },
          { ...toolMessage("a", "Seen."), media: [picture, sound] },
          { ...toolMessage("b", ""), media: [picture] },
          { ...toolMessage("c", "Broken.", true), media: [picture] },
        ]),
      ),
    );
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "aW1n" } };
    const source = { type: "base64", media_type: "application/pdf", data: "cGRm" };
    const text = (value: string) => ({ type: "text", text: value });
    expect(messages).toEqual([
      { role: "user", content: [image, { type: "document", source, title: "a.pdf" }, text("See.")] },
      { role: "user", content: [{ type: "document", source }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "a",
            content: [text("Seen."), image, text("(a.wav: content of type audio/wav cannot be shown to this model)")],
          },
          { type: "tool_result", tool_use_id: "b", content: [image] },
          { type: "tool_result", tool_use_id: "c", content: "Broken.", is_error: true },
          image,
        ],
      },
    ]);
  });

  test("returns signed thinking, citations and the vendor's own blocks as they came, but nothing that ends in thinking", () => {
    const hidden: AssistantBlock = {
      type: "vendor",
      kind: "redacted_thinking",
      json: '{"type":"redacted_thinking","data":"x"}',
    };
    const search = '{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{ "query":"q" }}';
    const citations = '[{"type":"web_search_result_location","url":"https://a.test","encrypted_index":"e"}]';
    const body = createBodies()(
      requestOf([
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "", signature: "c2ln" },
            hidden,
            { type: "vendor", kind: "server_tool_use", json: search },
            { type: "text", text: "Cited.", signature: citations },
            { type: "text", text: " ", signature: citations },
            { type: "reasoning", text: "Cut", signature: "c2ln" },
            hidden,
          ],
        },
        { role: "assistant", content: [hidden] },
      ]),
    );
    expect(body).toContain(
      `"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"c2ln"},` +
        `{"type":"redacted_thinking","data":"x"},${search},{"type":"text","text":"Cited.","citations":${citations}}]}],`,
    );
  });

  test("writes ids of other vendors with the characters that this one accepts", () => {
    const { messages } = JSON.parse(
      createBodies()(
        requestOf([
          { role: "assistant", content: [{ type: "tool-call", callId: 'a.b|"c', tool: "read", inputText: "{}" }] },
          toolMessage('a.b|"c', "x"),
        ]),
      ),
    );
    expect([messages[0].content[0].id, messages[1].content[0].tool_use_id]).toEqual(["a_b__c", "a_b__c"]);
  });
});

describe("an anthropic request that grows", () => {
  test("grows by appending only, over random conversations", () => {
    const random = createSeededRandom();
    for (let round = 0; round < 20; round++) {
      const encode = createBodies();
      const messages: Message[] = [];
      let before = "";
      for (let turn = 0; turn < 30; turn++) {
        addTurn(messages, random);
        const request = requestOf(messages, {
          outputTokensMax: random.below(10_000),
          tools: [...tools],
          systemTail: "Today.",
          reasoning: random.below(2) === 0 ? {} : { effort: "high" },
        });
        const text = encode(request);
        const context = `seed ${random.seed}, round ${round}, turn ${turn}`;
        expect(text, context).toBe(createBodies()(request));
        expect(JSON.parse(text).max_tokens, context).toBe(request.outputTokensMax);
        expect(text.match(/"cache_control"/g)?.length, context).toBe(4);
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

  test("starts over when the conversation was shortened", () => {
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
  const signature = () => (random.below(2) === 0 ? {} : { signature: JSON.stringify([text()]) });
  const media = () => [{}, {}, { media: [picture] }, { media: [picture, paper, sound] }][random.below(4)];
  if (random.below(3) === 0) messages.push({ role: "user", text: text(), ...media() });
  const calls: AssistantBlock[] = Array.from({ length: random.below(4) }, (_, index) => ({
    type: "tool-call",
    callId: `c${index}`,
    tool: "read",
    inputText: JSON.stringify({ text: text() }),
  }));
  messages.push({
    role: "assistant",
    content: [
      { type: "reasoning", text: text(), ...signature() },
      { type: "text", text: text(), ...signature() },
      { type: "vendor", kind: "redacted_thinking", json: JSON.stringify({ type: "redacted_thinking", data: text() }) },
      ...calls,
    ],
  });
  for (const [index] of calls.entries())
    messages.push({ ...toolMessage(`c${index}`, text(), random.below(2) === 0), ...media() });
}
