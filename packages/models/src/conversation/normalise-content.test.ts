/** Proves which parts of a conversation a model is shown, and what stands for the others. */
import type { AssistantBlock, Media, Message } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import {
  answer,
  call,
  capabilities,
  free,
  model,
  normalised,
  picture,
  result,
  said,
  user,
} from "../../test/sample-messages.ts";
import { createNormaliser } from "./normalise.ts";
import type { WireConversationRules } from "./wire-conversation-rules.ts";

const document: Media = { name: "plan.pdf", mediaType: "application/pdf", base64: "JVBERi0x" };

describe("what belongs to one model", () => {
  const thoughtful = answer(
    { type: "reasoning", text: "hm", signature: "s1" },
    { type: "vendor", kind: "search", json: "{}" },
    { type: "text", text: "a", signature: "s2" },
    { type: "text", text: "", signature: "s3" },
    { type: "tool-call", callId: "c1", tool: "read", inputText: "{}", signature: "s4" },
  );
  const log = [user("q"), thoughtful, result("c1"), user("r")];

  test("goes back to it as it was", () => {
    expect(normalised(log).messages[1]).toBe(thoughtful);
  });

  test.each(["a/two", undefined])("is kept from every other one (%s)", (by) => {
    const { model: _own, ...bare } = thoughtful;
    const foreign: Message = by === undefined ? bare : { ...bare, model: by };
    expect(normalised([user("q"), foreign, result("c1")]).messages).toEqual([
      user("q"),
      { ...foreign, content: [said("a"), call("c1")] },
      result("c1"),
    ]);
  });

  test("never ends in thoughts", () => {
    const thought: AssistantBlock = { type: "reasoning", text: "hm", signature: "s" };
    expect(
      normalised([user("a"), answer(thought, said("b"), thought, thought), user("c"), answer(thought)]).messages,
    ).toEqual([user("a"), answer(thought, said("b")), user("c")]);
  });

  test("the first call is signed for a wire that insists, unless its model did", () => {
    const rules: WireConversationRules = { ...free, unsignedCallSignature: ({ id }) => `for ${id}` };
    const calls = [call("c2"), call("c3")] as const;
    expect(
      normalised([...log, answer(said("x"), ...calls), result("c2"), result("c3")], { rules }).messages.slice(4),
    ).toEqual([answer(said("x"), { ...calls[0], signature: "for one" }, calls[1]), result("c2"), result("c3")]);
    expect(normalised(log, { rules }).messages[1]).toBe(thoughtful);
  });
});

describe("pictures and documents", () => {
  const log = [
    user("look", [picture("a.png"), document]),
    answer(call("c1"), call("c2")),
    { ...result("c1"), media: [picture("b.png")] },
    { ...result("c2"), media: [picture("c.png"), document] },
    user("so?"),
  ];
  const stub = "[plan.pdf (application/pdf, 6 bytes): not shown: this model does not support such files]";
  const pictureStub = (name: string) =>
    `[${name} (image/png, 6 bytes): not shown: this model does not support such files]`;

  test("stay where the model takes them", () => {
    const { messages } = normalised(log, { changes: { capabilities } });
    expect(messages.every((message, index) => message === log[index])).toBe(true);
  });

  test("a model of which nothing is known gets pictures and no documents", () => {
    expect(normalised(log).messages).toEqual([
      user(`look\n${stub}`, [picture("a.png")]),
      log[1],
      log[2],
      { ...result("c2", `ok\n${stub}`), media: [picture("c.png")] },
      user("so?"),
    ]);
  });

  test("a model without eyes gets names and sizes", () => {
    const blind = { ...capabilities, images: false };
    expect(normalised([user("", [picture("a.png")])], { changes: { capabilities: blind } }).messages).toEqual([
      user(pictureStub("a.png")),
    ]);
  });

  test.each([
    ["never", true],
    ["when-capable", false],
  ] as const)("move behind the results where these take none (%s)", (mediaInResults, mediaInToolResults) => {
    const rules = { alternates: false, mediaInResults };
    const changes = { capabilities: { ...capabilities, mediaInToolResults } };
    expect(normalised(log, { rules, changes }).messages).toEqual([
      log[0],
      log[1],
      result("c1"),
      result("c2"),
      user("[Part of the tool results above: b.png, c.png, plan.pdf]", [picture("b.png"), picture("c.png"), document]),
      user("so?"),
    ]);
    expect(
      normalised(log, {
        rules: { ...rules, mediaInResults: "when-capable" },
        changes: { capabilities: { ...capabilities, mediaInToolResults: true } },
      }).messages[3],
    ).toBe(log[3]);
  });

  test("of more than a hundred twenty of the oldest go at once, whenever one asks", () => {
    const repairs: string[] = [];
    const normalise = createNormaliser(free, { onRepair: (sentence) => repairs.push(sentence) });
    const messages: Message[] = [];
    const arrays = new Set<readonly Message[]>();
    const countOf = (sent: readonly Message[]) =>
      sent.flatMap((message) => (message.role === "user" ? (message.media ?? []) : [])).length;
    for (let turn = 1; turn <= 110; turn++) {
      messages.push(user(`${turn}`, [picture(`${turn}.png`)]));
      const sent = normalise({ messages, model });
      arrays.add(sent);
      expect(countOf(sent)).toBe(turn <= 100 ? turn : turn - 20);
      if (turn === 101)
        expect(sent.slice(19, 21)).toEqual([
          user("20\n[20.png (image/png, 6 bytes): removed]"),
          user("21", [picture("21.png")]),
        ]);
    }
    expect(arrays.size).toBe(2);
    expect([...arrays].at(-1)).toEqual(normalised(messages).messages);
    expect(repairs).toEqual([
      "The conversation holds 101 pictures and documents; the oldest were replaced by their names.",
    ]);
  });

  test("are still counted after a late result began a new array", () => {
    const normalise = createNormaliser(free);
    const many = (count: number) => Array.from({ length: count }, (_, index) => picture(`${index}.png`));
    const messages: Message[] = [user("a", many(90)), answer(call("c1"))];
    normalise({ messages, model });
    messages.push(result("c1"), user("b", many(11)));
    const [first] = normalise({ messages, model });
    expect(first?.role === "user" && first.media).toHaveLength(70);
  });

  test("of more than a hundred in one message the first go", () => {
    const media = Array.from({ length: 120 }, (_, index) => picture(`${index}.png`));
    const [only] = normalised([user("all", media)]).messages;
    expect(only?.role === "user" && only.media).toEqual(media.slice(20));
  });
});
