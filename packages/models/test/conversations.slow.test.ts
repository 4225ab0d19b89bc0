/** Proves that any conversation reaches every wire in a form its vendor takes, and that it can move between them. */

import type { Message, Provider } from "@kedge/protocol";
import { createSeededRandom, type MockModel, type MockTurn, startMockModel } from "@kedge/testing";
import { afterEach, describe, expect, test } from "vitest";
import { createNormaliser } from "../src/conversation/normalise.ts";
import {
  answerOf,
  type ConversationWire,
  conversationRequest,
  conversationWires,
  type Json,
  lastBody,
  quirkyWire,
  type Turn,
} from "./conversation-wires.ts";
import { createRandomConversation, pictureMark, signaturePrefix } from "./random-conversation.ts";

const conversationCount = 12;
const turnCount = 25;
const mediaMax = 100;

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function reach(
  wire: ConversationWire,
  turns: readonly MockTurn[] = [],
): Promise<{ readonly mock: MockModel; readonly provider: Provider }> {
  const mock = await startMockModel({ script: turns, wires: [wire.mockWire] });
  closers.push(mock.close);
  return { mock, provider: wire.make({ baseUrl: mock.baseUrl }) };
}

describe.each([...conversationWires, quirkyWire])("random conversations on the $name wire", (wire) => {
  test("are well formed in every request and keep the beginning they had", async () => {
    const { seed, below } = createSeededRandom();
    const { mock, provider } = await reach(wire);
    for (let number = 0; number < conversationCount; number++) {
      const conversation = createRandomConversation(createSeededRandom(`${below(2 ** 32)}`));
      const repairs: string[] = [];
      // Goes beside the provider's own, to know of repairs.
      const normalise = createNormaliser(wire.rules, { onRepair: (sentence) => repairs.push(sentence) });
      let before = "";
      for (let turn = 0; turn < turnCount; turn++) {
        conversation.grow();
        repairs.length = 0;
        const request = conversationRequest(wire.model, conversation.messages);
        normalise(request);
        await answerOf(provider, request);
        const body = lastBody(mock);
        const context = `seed ${seed}, conversation ${number}, turn ${turn}`;
        expectWellFormed(wire, body, context);
        const unchanged = body.startsWith(before);
        expect(unchanged || repairs.length > 0, context).toBe(true);
        before = body.slice(0, body.lastIndexOf(wire.messagesEnd));
      }
    }
  });
});

function expectWellFormed(wire: ConversationWire, text: string, context: string): void {
  const body: Json = JSON.parse(text);
  const turns = wire.messagesOf(body).map(wire.turnOf);
  expectPairs(turns, wire, context);
  expect(turns[0]?.role ?? "user", context).toBe("user");
  if (wire.rules.alternates)
    for (const [index, { role }] of turns.entries())
      expect(role !== "tool" && role === turns[index - 1]?.role, `${context}, element ${index}`).toBe(false);
  if (wire.model.quirks?.includes("assistant-after-results") === true)
    for (const [index, { role }] of turns.entries())
      expect(role === "user" && turns[index - 1]?.role === "tool", `${context}, element ${index}`).toBe(false);
  if (wire.model.quirks?.includes("nine-character-call-ids") === true)
    for (const id of turns.flatMap(({ calls }) => calls)) expect(id, context).toMatch(/^[A-Za-z0-9]{9}$/);
  const blank = turns.filter(({ texts }) => texts.some((said) => said.trim() === ""));
  expect(
    blank.filter(({ role }) => role !== "tool"),
    context,
  ).toEqual([]);
  for (const { name } of conversationWires)
    if (name !== wire.name) expect(text.includes(signaturePrefix(name)), `${context}, ${name}`).toBe(false);
  expect(text.split(pictureMark).length - 1, context).toBeLessThanOrEqual(mediaMax);
  expect(JSON.stringify(body).isWellFormed() && !/\\ud[89a-f]|\ufffd/i.test(JSON.stringify(body)), context).toBe(true);
}

/** Each call has one result, and nothing but results stands between. */
function expectPairs(turns: readonly Turn[], { gathersResults }: ConversationWire, context: string): void {
  const seen = new Set<string>();
  const open = new Set<string>();
  let answering = false;
  for (const [index, { role, calls, results }] of turns.entries()) {
    const at = `${context}, element ${index}`;
    if (role === "user" || (role === "assistant" && answering)) expect([...open], at).toEqual([]);
    answering = role === "tool";
    for (const id of calls) {
      expect(seen.has(id), at).toBe(false);
      seen.add(id);
      open.add(id);
    }
    for (const id of results) expect(open.delete(id), at).toBe(true);
    if (gathersResults && answering) expect([...open], at).toEqual([]);
  }
  expect([...open], context).toEqual([]);
}

const picture = { name: "a.png", mediaType: "image/png", base64: pictureMark };

/** Each wire answers once, knowing what was said on the others before it. */
async function moveThroughAllWires(): Promise<readonly Message[]> {
  const messages: Message[] = [{ role: "user", text: "Begin.", media: [picture] }];
  for (const wire of conversationWires) {
    const { provider } = await reach(wire, [
      {
        reasoning: `${wire.name} thinks.`,
        text: `${wire.name} says.`,
        toolCalls: [{ name: "read", input: { from: wire.name }, id: `id-${wire.name}` }],
        thoughtSignature: "google-signature",
      },
    ]);
    messages.push(await answerOf(provider, conversationRequest(wire.model, messages)), {
      role: "tool",
      callId: `id-${wire.name}`,
      tool: "read",
      output: `${wire.name} read.`,
      isError: wire.name === "responses",
      ...(wire.name === "chat" ? { media: [picture] } : {}),
    });
  }
  return messages;
}

const pictureUrl = `data:image/png;base64,${pictureMark}`;

const chatPicture = { type: "image_url", image_url: { url: pictureUrl } };
const chatStep = (name: string) => [
  {
    role: "assistant",
    content: `${name} says.`,
    tool_calls: [
      { id: `id-${name}`, type: "function", function: { name: "read", arguments: JSON.stringify({ from: name }) } },
    ],
  },
  { role: "tool", tool_call_id: `id-${name}`, content: `${name} read.` },
];

const anthropicPicture = { type: "image", source: { type: "base64", media_type: "image/png", data: pictureMark } };
const anthropicStep = (name: string, thinking: readonly object[] = [], result: object = {}) => [
  {
    role: "assistant",
    content: [
      ...thinking,
      { type: "text", text: `${name} says.` },
      { type: "tool_use", id: `id-${name}`, name: "read", input: { from: name } },
    ],
  },
  {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: `id-${name}`, content: `${name} read.`, ...result }],
  },
];

const googlePicture = { inlineData: { mimeType: "image/png", data: pictureMark } };
const googleStep = (
  name: string,
  thoughtSignature = "skip_thought_signature_validator",
  result: object = { response: { output: `${name} read.` } },
) => [
  {
    role: "model",
    parts: [
      { text: `${name} says.` },
      { functionCall: { id: `id-${name}`, name: "read", args: { from: name } }, thoughtSignature },
    ],
  },
  { role: "user", parts: [{ functionResponse: { id: `id-${name}`, name: "read", ...result } }] },
];

const responsesPicture = { type: "input_image", detail: "auto", image_url: pictureUrl };
const responsesStep = (name: string, output: unknown = `${name} read.`) => [
  { role: "assistant", content: [{ type: "output_text", text: `${name} says.` }] },
  { type: "function_call", call_id: `id-${name}`, name: "read", arguments: JSON.stringify({ from: name }) },
  { type: "function_call_output", call_id: `id-${name}`, output },
];

/** What each wire sends of the same conversation: all texts, calls and results, and its own signatures only. */
const moved: { readonly [wireName: string]: readonly object[] } = {
  chat: [
    { role: "user", content: [{ type: "text", text: "Begin." }, chatPicture] },
    ...chatStep("chat"),
    { role: "user", content: [{ type: "text", text: "[Part of the tool results above: a.png]" }, chatPicture] },
    ...chatStep("anthropic"),
    ...chatStep("google"),
    ...chatStep("responses"),
  ],
  anthropic: [
    { role: "user", content: [anthropicPicture, { type: "text", text: "Begin." }] },
    ...anthropicStep("chat", [], { content: [{ type: "text", text: "chat read." }, anthropicPicture] }),
    ...anthropicStep("anthropic", [
      {
        type: "thinking",
        thinking: "anthropic thinks.",
        signature: conversationWires.find(({ name }) => name === "anthropic")?.mockWire.reasoningSignature,
      },
    ]),
    ...anthropicStep("google"),
    ...anthropicStep("responses", [], { is_error: true }),
  ],
  google: [
    { role: "user", parts: [{ text: "Begin." }, googlePicture] },
    ...googleStep("chat", undefined, { response: { output: "chat read." }, parts: [googlePicture] }),
    ...googleStep("anthropic"),
    ...googleStep("google", "google-signature"),
    ...googleStep("responses", undefined, { response: { error: "responses read." } }),
  ],
  responses: [
    { role: "user", content: [{ type: "input_text", text: "Begin." }, responsesPicture] },
    ...responsesStep("chat", [{ type: "input_text", text: "chat read." }, responsesPicture]),
    ...responsesStep("anthropic"),
    ...responsesStep("google"),
    {
      type: "reasoning",
      summary: [{ type: "summary_text", text: "responses thinks." }],
      ...JSON.parse(conversationWires.find(({ name }) => name === "responses")?.mockWire.reasoningSignature ?? "{}"),
    },
    ...responsesStep("responses"),
  ],
};

test.each(conversationWires)("a conversation that moved through all wires goes on over $name", async (wire) => {
  const messages = await moveThroughAllWires();
  const { mock, provider } = await reach(wire);
  await answerOf(provider, conversationRequest(wire.model, messages));
  expect(wire.messagesOf(JSON.parse(lastBody(mock)))).toEqual(moved[wire.name]);
});
