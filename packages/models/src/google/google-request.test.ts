/** Proves how conversations and tools are written for Google, and that bodies only grow. */
import type { AssistantBlock, Message, ModelRequest } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { sampleRequest } from "../../test/sample-request.ts";
import { createRequestBodies } from "../wire/request-body.ts";
import { createResultGroups } from "../wire/result-groups.ts";
import { createGoogleEncoding } from "./google-request.ts";

/** Writes bodies as the provider does: results gathered first. */
function createWriter(): (request: ModelRequest) => string {
  const groups = createResultGroups();
  const bodies = createRequestBodies(createGoogleEncoding(groups.resultsOf));
  return (request) => {
    const { bytes, release } = bodies.lend({ ...request, messages: groups.gathered(request.messages) });
    const text = bytes.toString();
    release();
    return text;
  };
}

const write = (request: ModelRequest) => createWriter()(request);

const result = (callId: string, output: string, isError = false): Message => ({
  role: "tool",
  callId,
  tool: "read",
  output,
  isError,
});

describe("google request", () => {
  test("has the generateContent form of every kind of message, with the results of one answer together", () => {
    const messages: readonly Message[] = [
      { role: "user", text: 'Say "hi"\n👍' },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "secret thought" },
          { type: "text", text: "I read it." },
          { type: "text", text: "" },
          { type: "tool-call", callId: "g1", tool: "read", inputText: '{ "a":1 }' },
          { type: "tool-call", callId: "call_r_1", tool: "read", inputText: '{"a', incomplete: true },
          { type: "tool-call", callId: "g3", tool: "read", inputText: "[1]" },
        ],
      },
      result("g1", ""),
      result("call_r_1", "cut off", true),
      result("g3", "three"),
      { role: "user", text: "Go on." },
      { role: "assistant", content: [{ type: "reasoning", text: "nothing else" }] },
      { role: "assistant", content: [{ type: "tool-call", callId: "g4", tool: "read", inputText: "" }] },
      result("g4", "four"),
    ];
    const call = (id: object, args: object) => ({ functionCall: { ...id, name: "read", args } });
    const response = (id: object, content: object) => ({
      functionResponse: { ...id, name: "read", response: content },
    });
    expect(JSON.parse(write(sampleRequest(messages)))).toEqual({
      systemInstruction: { parts: [{ text: "Be exact." }] },
      contents: [
        { role: "user", parts: [{ text: 'Say "hi"\n👍' }] },
        {
          role: "model",
          parts: [{ text: "I read it." }, call({ id: "g1" }, { a: 1 }), call({}, {}), call({ id: "g3" }, {})],
        },
        {
          role: "user",
          parts: [
            response({ id: "g1" }, { output: "" }),
            response({}, { error: "cut off" }),
            response({ id: "g3" }, { output: "three" }),
          ],
        },
        { role: "user", parts: [{ text: "Go on." }] },
        { role: "model", parts: [call({ id: "g4" }, {})] },
        { role: "user", parts: [response({ id: "g4" }, { output: "four" })] },
      ],
      generationConfig: { maxOutputTokens: 100 },
    });
  });

  test("repeats the input of a call as the model wrote it", () => {
    const content: readonly AssistantBlock[] = [
      { type: "tool-call", callId: "g1", tool: "read", inputText: '{ "size": 1.0 }' },
    ];
    expect(write(sampleRequest([{ role: "assistant", content }], { system: "" }))).toBe(
      '{"contents":[{"role":"model","parts":[{"functionCall":{"id":"g1","name":"read","args":{ "size": 1.0 }}}]}],"generationConfig":{"maxOutputTokens":100}}',
    );
  });

  test("returns signatures on the parts they came on, and thoughts only with one", () => {
    const content: readonly AssistantBlock[] = [
      { type: "reasoning", text: "unsigned" },
      { type: "reasoning", text: "hm", signature: "s1" },
      { type: "text", text: "a" },
      { type: "text", text: "", signature: "s2" },
      { type: "tool-call", callId: "g1", tool: "read", inputText: "{}", signature: "s3" },
      { type: "tool-call", callId: "g2", tool: "read", inputText: "{}" },
    ];
    expect(JSON.parse(write(sampleRequest([{ role: "assistant", content }]))).contents).toEqual([
      {
        role: "model",
        parts: [
          { text: "hm", thought: true, thoughtSignature: "s1" },
          { text: "a" },
          { text: "", thoughtSignature: "s2" },
          { functionCall: { id: "g1", name: "read", args: {} }, thoughtSignature: "s3" },
          { functionCall: { id: "g2", name: "read", args: {} } },
        ],
      },
    ]);
  });

  test("carries pictures and documents with texts and in results", () => {
    const media = [
      { name: "a.png", mediaType: "image/png", base64: "iVBO" },
      { name: "b.pdf", mediaType: "application/pdf", base64: "JVBE" },
    ];
    const inline = [
      { inlineData: { mimeType: "image/png", data: "iVBO" } },
      { inlineData: { mimeType: "application/pdf", data: "JVBE" } },
    ];
    const messages: readonly Message[] = [
      { role: "user", text: "Look.", media },
      { role: "user", text: "", media },
      { ...result("g1", "seen"), media } as Message,
    ];
    expect(JSON.parse(write(sampleRequest(messages))).contents).toEqual([
      { role: "user", parts: [{ text: "Look." }, ...inline] },
      { role: "user", parts: inline },
      {
        role: "user",
        parts: [{ functionResponse: { id: "g1", name: "read", response: { output: "seen" }, parts: inline } }],
      },
    ]);
  });

  test("puts what holds for the session after what always holds", () => {
    expect(JSON.parse(write(sampleRequest([], { systemTail: "It is Monday." }))).systemInstruction).toEqual({
      parts: [{ text: "Be exact." }, { text: "It is Monday." }],
    });
    expect(JSON.parse(write(sampleRequest([], { system: "" }))).systemInstruction).toBeUndefined();
  });

  test("grows by appending only, over random conversations", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = createSeededRandom(String(seed)).below;
      const writeNext = createWriter();
      const messages: Message[] = [];
      const sent: Message[][] = [];
      let before = "";
      for (let turn = 0; turn < 30; turn++) {
        const added = Array.from({ length: random(4) + 1 }, () => randomMessage(random));
        messages.push(...added);
        sent.push(added);
        const text = writeNext(sampleRequest(messages, { outputTokensMax: random(10_000) }));
        const context = `seed ${seed}, turn ${turn}`;
        const expected = sent.flatMap((part) => JSON.parse(write(sampleRequest(part))).contents);
        expect(JSON.parse(text).contents, context).toEqual(expected);
        const messagesText = text.slice(0, text.lastIndexOf('],"generationConfig"'));
        expect(messagesText.startsWith(before), context).toBe(true);
        before = messagesText;
      }
    }
  });

  test("groups the same results anew in another log, and leaves those of the first alone", () => {
    const writeNext = createWriter();
    const results = [result("a", "1"), result("b", "2")];
    const first = writeNext(sampleRequest(results));
    const shorter = writeNext(sampleRequest(results.slice(0, 1)));
    expect(JSON.parse(first).contents[0].parts).toHaveLength(2);
    expect(JSON.parse(shorter).contents[0].parts).toHaveLength(1);
    expect(writeNext(sampleRequest(results, { system: "Begin anew." }))).toBe(
      write(sampleRequest(results, { system: "Begin anew." })),
    );
  });
});

function randomMessage(random: (below: number) => number): Message {
  const text = Array.from({ length: random(100) }, () => 'aä漢👍\n"\\\u0001'[random(9)] ?? "").join("");
  switch (random(4)) {
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
      return result(`c${random(9)}`, text, random(2) === 0);
  }
}
