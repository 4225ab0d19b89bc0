/** Proves that every form in which vendors of this wire send reasoning is read, however cut, and goes back in that form. */

import type { AssistantBlock, Model, ModelEvent, Quirk } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { expectEveryCut } from "../../test/every-cut.ts";
import { sampleRequest } from "../../test/sample-request.ts";
import type { WireAnswer } from "../wire/wire-answer.ts";
import { createChatAnswer } from "./chat-answer.ts";
import { chatConversation } from "./chat-conversation.ts";
import { chatEncoding } from "./chat-request.ts";

function modelWith(quirks: readonly Quirk[]): Model {
  return { ref: "m/a", provider: "m", id: "a", contextTokens: 1000, outputTokensMax: 100, quirks };
}

function createAnswer(quirks: readonly Quirk[]): WireAnswer {
  return createChatAnswer({ requestId: "req", model: modelWith(quirks) });
}

/** All events but those that only repeat parts of a call, with neighbouring deltas joined. */
function joined(events: readonly ModelEvent[]): readonly ModelEvent[] {
  const result: ModelEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (event.type === "tool-input-delta") continue;
    if (last !== undefined && last.type === event.type && "text" in last && "text" in event)
      result[result.length - 1] = { ...event, text: last.text + event.text };
    else result.push(event);
  }
  return result;
}

function readChunks(chunks: readonly Buffer[], quirks: readonly Quirk[]): readonly ModelEvent[] {
  const answer = createAnswer(quirks);
  const events: ModelEvent[] = [];
  for (const chunk of chunks) {
    answer.push(chunk);
    events.push(...answer.take());
  }
  answer.pushEnd();
  events.push(...answer.take());
  if (answer.problem() !== undefined) expect(answer.problem()).toBeUndefined();
  return joined(events);
}

/** The events of a stream, after proving that they are the same wherever it is cut. */
function readAnyhow(wire: string, quirks: readonly Quirk[] = []): readonly ModelEvent[] {
  const bytes = Buffer.from(wire);
  const whole = readChunks([bytes], quirks);
  expectEveryCut(bytes, (chunks) => readChunks(chunks, quirks), whole);
  return whole;
}

function readWhole(message: object, quirks: readonly Quirk[] = []): readonly ModelEvent[] {
  const answer = createAnswer(quirks);
  answer.pushWhole(JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
  return joined(answer.take());
}

/** What the next request says of an answer made of these events. */
function returned(events: readonly ModelEvent[]): unknown {
  const content: AssistantBlock[] = [];
  for (const event of events) {
    if (event.type === "reasoning-delta") content.push({ type: "reasoning", text: event.text });
    if (event.type === "text-delta") content.push({ type: "text", text: event.text });
    if (event.type === "tool-call") content.push(event.call);
    if (event.type === "block-end" && event.signature !== undefined) {
      const last = content.at(-1);
      const open = last?.type === "reasoning" && last.signature === undefined ? content.pop() : undefined;
      const text = open?.type === "reasoning" ? open.text : "";
      content.push({ type: "reasoning", text, signature: event.signature });
    }
  }
  return JSON.parse(chatEncoding.message({ role: "assistant", content }, sampleRequest([])) ?? "null");
}

const frame = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const callFrame = frame({ tool_calls: [{ index: 0, id: "c1", function: { name: "read", arguments: "{}" } }] });
const done = `${frame({}, "stop")}data: [DONE]\n\n`;

const reasoning = (text: string): ModelEvent => ({ type: "reasoning-delta", text });
const said = (text: string): ModelEvent => ({ type: "text-delta", text });
const signed = (signature: string): ModelEvent => ({ type: "block-end", block: "reasoning", signature });
const call: ModelEvent = {
  type: "tool-call",
  call: { type: "tool-call", callId: "c1", tool: "read", inputText: "{}" },
};
const wireCalls = [{ id: "c1", type: "function", function: { name: "read", arguments: "{}" } }];

describe("reasoning in a side field", () => {
  const pieces = ["Eins ", "zwölf ", "drei ", "vier ", "fünf"];

  test.each(["reasoning_content", "reasoning"])(
    "is read from `%s` and stays here unless the vendor wants it",
    (member) => {
      const wire = pieces.map((piece) => frame({ [member]: piece })).join("") + frame({ content: "Ja." }) + done;
      const events = readAnyhow(wire);
      expect(events).toEqual([reasoning(pieces.join("")), said("Ja.")]);
      expect(returned(events)).toEqual({ role: "assistant", content: "Ja." });
    },
  );

  test.each(["reasoning_content", "reasoning"])("goes back in `%s` to a vendor that wants it", (member) => {
    const wire = pieces.map((piece) => frame({ [member]: piece })).join("") + callFrame + done;
    const events = readAnyhow(wire, ["reasoning-returned"]);
    expect(events).toEqual([reasoning(pieces.join("")), signed(member), call]);
    expect(returned(events)).toEqual({
      role: "assistant",
      content: null,
      [member]: pieces.join(""),
      tool_calls: wireCalls,
    });
    expect(readWhole({ [member]: "Hm.", content: "Ja." }, ["reasoning-returned"])).toEqual([
      reasoning("Hm."),
      signed(member),
      said("Ja."),
    ]);
  });

  test("is closed before the text that follows it, every time", () => {
    const texts = (content: string) => frame({ content }).repeat(5);
    const thoughts = frame({ reasoning_content: "h" }).repeat(5);
    const events = readAnyhow(thoughts + texts("a") + thoughts + texts("b") + done, ["reasoning-returned"]);
    const thought = [reasoning("hhhhh"), signed("reasoning_content")];
    expect(events).toEqual([...thought, said("aaaaa"), ...thought, said("bbbbb")]);
    expect(returned(events)).toEqual({ role: "assistant", content: "aaaaabbbbb", reasoning_content: "hhhhhhhhhh" });
  });

  test("is closed also when it ends in the event in which the text begins", () => {
    const thoughts = frame({ reasoning_content: "h" }).repeat(5);
    const both = frame({ reasoning_content: "m", content: "Ja." });
    expect(readAnyhow(thoughts + both + thoughts + callFrame + done, ["reasoning-returned"])).toEqual([
      reasoning("hhhhhm"),
      signed("reasoning_content"),
      said("Ja."),
      reasoning("hhhhh"),
      signed("reasoning_content"),
      call,
    ]);
  });

  test("is sent as a blank where there was none, or another model made the call", () => {
    const signature = chatConversation.unsignedCallSignature?.(modelWith(["reasoning-returned"]));
    if (signature === undefined) throw new Error("Calls of such a model are signed.");
    const sent = (...before: readonly AssistantBlock[]) => {
      const block = { type: "tool-call", callId: "c1", tool: "read", inputText: "{}", signature } as const;
      return JSON.parse(
        chatEncoding.message({ role: "assistant", content: [...before, block] }, sampleRequest([])) ?? "null",
      );
    };
    const message = { role: "assistant", content: null, tool_calls: wireCalls };
    expect(sent()).toEqual({ ...message, reasoning_content: " " });
    const thought = { type: "reasoning", text: "Hm.", signature: "reasoning" } as const;
    expect(sent(thought)).toEqual({ ...message, reasoning: "Hm." });
    expect(sent({ ...thought, signature: '[{"type":"a"}]' })).toEqual({
      ...message,
      reasoning_details: [{ type: "a" }],
    });
    expect(chatConversation.unsignedCallSignature?.(modelWith([]))).toBeUndefined();
    expect(chatConversation.unsignedCallSignature?.(modelWith(["reasoning-returned", "think-spans"]))).toBeUndefined();
  });
});

describe("reasoning in details", () => {
  const detail = (members: object, beside: object = {}) => frame({ ...beside, reasoning_details: [members] });
  const textType = { type: "reasoning.text", format: "anthropic-claude-v1", index: 0 };

  test("is put together from its pieces, and goes back as it was", () => {
    const wire =
      detail({ ...textType, text: "Ich " }, { reasoning: "Ich " }) +
      detail({ ...textType, text: "denke" }, { reasoning: "denke" }) +
      detail({ ...textType, signature: "c2ln" }) +
      frame({ content: "Ja.", reasoning_details: [] }) +
      callFrame +
      done;
    const details = [{ ...textType, text: "Ich denke", signature: "c2ln" }];
    const events = readAnyhow(wire);
    expect(events).toEqual([reasoning("Ich denke"), signed(JSON.stringify(details)), said("Ja."), call]);
    expect(returned(events)).toEqual({
      role: "assistant",
      content: "Ja.",
      reasoning_details: details,
      tool_calls: wireCalls,
    });
    expect(readWhole({ reasoning: "Ich denke", reasoning_details: details, content: "Ja." })).toEqual([
      reasoning("Ich denke"),
      signed(JSON.stringify(details)),
      said("Ja."),
    ]);
  });

  test("is shown also when it stands nowhere else", () => {
    const summary = { type: "reasoning.summary", index: 0 };
    const wire =
      ["a", "b", "c", "d", "e"].map((piece) => detail({ ...summary, summary: piece })).join("") +
      detail({ type: "reasoning.encrypted", id: "rs_1", data: "eHg=", index: 0 }) +
      frame({ content: "Ja." }) +
      done;
    const details = [
      { ...summary, summary: "abcde" },
      { type: "reasoning.encrypted", id: "rs_1", data: "eHg=", index: 0 },
    ];
    expect(readAnyhow(wire)).toEqual([reasoning("abcde"), signed(JSON.stringify(details)), said("Ja.")]);
  });

  test("that comes between texts stands between them, every time", () => {
    const encrypted = (id: string) => ({ type: "reasoning.encrypted", id, data: `data-${id}` });
    const texts = frame({ content: "a" }).repeat(5);
    const wire = texts + detail(encrypted("a")) + texts + detail(encrypted("b")) + texts + done;
    const events = readAnyhow(wire);
    expect(events).toEqual([
      said("aaaaa"),
      signed(JSON.stringify([encrypted("a")])),
      said("aaaaa"),
      signed(JSON.stringify([encrypted("b")])),
      said("aaaaa"),
    ]);
    expect(returned(events)).toEqual({
      role: "assistant",
      content: "a".repeat(15),
      reasoning_details: [encrypted("a"), encrypted("b")],
    });
  });

  test("that comes after the calls still stands before the last of them", () => {
    const encrypted = (id: string) => ({ type: "reasoning.encrypted", id, data: `data-${id}`, index: 0 });
    const wire = callFrame + detail(encrypted("a")) + detail(encrypted("b")) + done;
    const events = readAnyhow(wire);
    expect(events).toEqual([signed(JSON.stringify([encrypted("a"), encrypted("b")])), call]);
  });
});

describe("reasoning in think spans", () => {
  const texts = (...pieces: string[]) => pieces.map((content) => frame({ content })).join("");

  test.each([
    ["in one piece", ["<think>\nHm.\n</think>\n\nJa."]],
    ["with tags split over chunks", ["<th", "ink", ">\nHm", ".\n</", "th", "ink", ">\n", "\nJ", "a."]],
    ["character by character", [..."<think>\nHm.\n</think>\n\nJa."]],
  ])("is read %s", (_how, pieces) => {
    expect(readAnyhow(texts(...pieces) + done, ["think-spans"])).toEqual([reasoning("Hm.\n"), said("Ja.")]);
  });

  test.each([
    ["a span that never closes stays reasoning", "Ja.<think>Hm. </thin", [said("Ja."), reasoning("Hm. </thin")]],
    ["what only begins like a tag is text", "a < b <thinker> <thi", [said("a < b <thinker> <thi")]],
    ["spans may follow each other", "<think>a</think>b<think>c</think>", [reasoning("a"), said("b"), reasoning("c")]],
    ["an empty span says nothing", "<think>\n\n</think>\n\nJa.", [said("Ja.")]],
    ["a closing tag that comes first is dropped", "</think>\n\nJa.", [said("Ja.")]],
    ["a closing tag in the middle is text", "Ja. </think>", [said("Ja. </think>")]],
  ])("%s", (_name, content, expected) => {
    expect(readAnyhow(texts(...content) + done, ["think-spans"])).toEqual(expected);
    expect(readAnyhow(texts(content), ["think-spans"])).toEqual(expected);
    expect(readWhole({ content }, ["think-spans"])).toEqual(expected);
  });

  test("is text to a model that is not known for them", () => {
    expect(readAnyhow(texts("<think>Hm.</think>") + done)).toEqual([said("<think>Hm.</think>")]);
  });

  test("ends before a call", () => {
    expect(readAnyhow(texts("<think>Hm.<") + callFrame + done, ["think-spans"])).toEqual([reasoning("Hm.<"), call]);
  });

  test("goes back as a span to a vendor that wants it", () => {
    const quirks: readonly Quirk[] = ["think-spans", "reasoning-returned"];
    const content = "<think>\nHm.\n</think>\n\nJa.";
    const events = readAnyhow(texts(...content) + callFrame + done, quirks);
    expect(events).toEqual([reasoning("Hm.\n"), signed("think"), said("Ja."), call]);
    expect(returned(events)).toEqual({ role: "assistant", content, tool_calls: wireCalls });
    expect(readAnyhow(texts("<think>Hm.") + callFrame + done, quirks)).toEqual([
      reasoning("Hm."),
      signed("think"),
      call,
    ]);
  });
});
