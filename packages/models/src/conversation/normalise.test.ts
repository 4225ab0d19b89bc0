/** Proves each rule by which the order and the pairs of a conversation are put right. */
import type { Message, Model } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import {
  answer,
  call,
  free,
  model,
  normalised,
  picture,
  result,
  said,
  strict,
  user,
} from "../../test/sample-messages.ts";
import { lostResult } from "./call-run.ts";
import { createNormaliser } from "./normalise.ts";
import type { ToolMessage } from "./wire-conversation-rules.ts";

const lost = (callId: string): ToolMessage => ({ ...result(callId, lostResult), isError: true });

const untouched: readonly Message[] = [
  user("Begin."),
  answer({ type: "reasoning", text: "hm", signature: "s1" }, said("I read."), call("c1"), call("c2")),
  result("c1"),
  result("c2"),
  user("And?", [picture("a.png")]),
  answer(said("Done.")),
  user("Thanks."),
];

describe("a conversation in good form", () => {
  test.each([free, strict])("is passed on message by message as it is", (rules) => {
    const { messages, repairs } = normalised(untouched, { rules });
    expect(repairs).toEqual([]);
    expect(messages.every((message, index) => message === untouched[index])).toBe(true);
    expect(messages).toHaveLength(untouched.length);
  });

  test("gives the same array, grown, as long as log and model are the same", () => {
    const normalise = createNormaliser(strict);
    const log: Message[] = [];
    const first = normalise({ messages: log, model });
    for (const message of untouched) {
      log.push(message);
      if (message.role !== "assistant" && log.at(-2)?.role !== "assistant") {
        expect(normalise({ messages: log, model: { ...model } })).toBe(first);
        expect(first).toEqual(log);
      }
    }
    expect(normalise({ messages: log, model: { ...model, ref: "a/two" } })).not.toBe(first);
    expect(normalise({ messages: [...log], model })).not.toBe(first);
  });

  test("starts over when the log became shorter", () => {
    const normalise = createNormaliser(free);
    const log = [...untouched];
    const first = normalise({ messages: log, model });
    log.length = 1;
    const second = normalise({ messages: log, model });
    expect(second).not.toBe(first);
    expect(second).toEqual([user("Begin.")]);
  });
});

describe("calls and results", () => {
  test("a call without a result gets one that says it was lost", () => {
    const { messages, repairs } = normalised([
      user("a"),
      answer(call("c1"), call("c2")),
      result("c2"),
      user("b"),
      answer(call("c3")),
    ]);
    expect(messages).toEqual([
      user("a"),
      answer(call("c1"), call("c2")),
      lost("c1"),
      result("c2"),
      user("b"),
      answer(call("c3")),
      lost("c3"),
    ]);
    expect(repairs).toEqual([
      "The call of read (c1) has no result; the model sees that it was lost.",
      "The call of read (c3) has no result; the model sees that it was lost.",
    ]);
  });

  test("a result of no call is left out, also one that comes too late", () => {
    const { messages, repairs } = normalised([result("c0"), user("a"), answer(call("c1")), user("b"), result("c1")]);
    expect(messages).toEqual([user("a"), answer(call("c1")), lost("c1"), user("b")]);
    expect(repairs).toEqual([
      "A result of read that answers no open call (c0) was left out.",
      "The call of read (c1) has no result; the model sees that it was lost.",
      "A result of read that answers no open call (c1) was left out.",
    ]);
  });

  test("of two results or two calls with the same id in one answer the first is kept", () => {
    const { messages, repairs } = normalised([
      user("a"),
      answer(call("c1"), { ...call("c1"), inputText: '{"other":1}' }),
      result("c1", "first"),
      result("c1", "second"),
    ]);
    expect(messages).toEqual([user("a"), answer(call("c1")), result("c1", "first")]);
    expect(repairs).toEqual([
      "A second call of one answer with the id c1 was left out.",
      "A result of read that answers no open call (c1) was left out.",
    ]);
  });

  test("an id that a later answer uses again is made unique in the call and its result", () => {
    const { messages, repairs } = normalised([
      user("a"),
      answer(call("c1")),
      result("c1", "first"),
      answer(call("c1")),
      result("c1", "second"),
    ]);
    expect(messages).toEqual([
      user("a"),
      answer(call("c1")),
      result("c1", "first"),
      answer(call("c1_2")),
      result("c1_2", "second"),
    ]);
    expect(repairs).toEqual(["The id c1 of a call is not the first of its kind; it is sent as c1_2."]);
  });

  test("results stand in the order of their calls", () => {
    const { messages } = normalised([user("a"), answer(call("c1"), call("c2")), result("c2"), result("c1")]);
    expect(messages).toEqual([user("a"), answer(call("c1"), call("c2")), result("c1"), result("c2")]);
  });

  test("a result that comes after a request without it begins a new array with it", () => {
    const repairs: string[] = [];
    const normalise = createNormaliser(free, { onRepair: (sentence) => repairs.push(sentence) });
    const log = [user("a"), answer(call("c1"), call("c2")), result("c1")];
    const first = normalise({ messages: log, model });
    expect(first).toEqual([...log, lost("c2")]);
    log.push(result("c2"));
    const second = normalise({ messages: log, model });
    expect(second).toEqual(log);
    expect(second).not.toBe(first);
    expect(first).toHaveLength(4);
    expect(repairs.at(-1)).toBe("The result of read (c2) came after a request without it.");
  });

  test("a made up result stays when something else follows", () => {
    const normalise = createNormaliser(free);
    const log = [user("a"), answer(call("c1"))];
    const first = normalise({ messages: log, model });
    log.push(user("b"));
    expect(normalise({ messages: log, model })).toBe(first);
    expect(first).toEqual([user("a"), answer(call("c1")), lost("c1"), user("b")]);
  });
});

describe("texts that say nothing", () => {
  const log = [
    user(" \n"),
    user("a"),
    answer(said(""), said(" "), call("c1")),
    result("c1", ""),
    user(""),
    answer(said("b")),
    user(""),
    answer(said("\n")),
    user("c"),
    answer(),
    user("d"),
  ];

  test("are left out, with their messages", () => {
    expect(normalised(log).messages).toEqual([
      user("a"),
      answer(call("c1")),
      result("c1", ""),
      answer(said("b")),
      user("c"),
      user("d"),
    ]);
  });

  test("are replaced where two messages of one role would meet", () => {
    expect(normalised(log, { rules: strict }).messages).toEqual([
      user("a"),
      answer(call("c1")),
      result("c1", ""),
      answer(said("b")),
      user("(no text)"),
      { role: "assistant", content: [said("(no answer)")] },
      user("c"),
      { role: "assistant", content: [said("(no answer)")] },
      user("d"),
    ]);
  });

  test("are left out again when what follows says something", () => {
    const log = [user("a"), answer(), answer(said("b")), user(" "), user("c")];
    expect(normalised(log, { rules: strict }).messages).toEqual([user("a"), answer(said("b")), user("c")]);
  });

  test("are replaced at the end, where the model would have to answer itself", () => {
    expect(normalised([user("a"), answer(said("b")), user(" ")]).messages).toEqual([
      user("a"),
      answer(said("b")),
      user("(no text)"),
    ]);
  });
});

describe("roles", () => {
  test("take turns where they must: neighbours are joined", () => {
    const { messages, repairs } = normalised(
      [
        user("a", [picture("1.png")]),
        user("b", [picture("2.png")]),
        answer(said("c")),
        answer(said("d"), call("c1")),
        result("c1"),
        user("e"),
      ],
      { rules: strict },
    );
    expect(messages).toEqual([
      user("a\n\nb", [picture("1.png"), picture("2.png")]),
      answer(said("c"), said("d"), call("c1")),
      result("c1"),
      user("e"),
    ]);
    expect(repairs).toEqual([]);
  });

  test("a neighbour of what was sent begins a new array", () => {
    const repairs: string[] = [];
    const normalise = createNormaliser(strict, { onRepair: (sentence) => repairs.push(sentence) });
    const log = [user("a")];
    const first = normalise({ messages: log, model });
    log.push(user("b"));
    expect(normalise({ messages: log, model })).toEqual([user("a\n\nb")]);
    expect(first).toEqual([user("a")]);
    expect(repairs).toEqual(["Two user messages, of which the first was sent, were joined."]);
  });

  test("a conversation begins with a user, on every wire", () => {
    for (const rules of [free, strict])
      expect(normalised([answer(said("a")), user("b")], { rules }).messages).toEqual([
        user("(The conversation goes on from here.)"),
        answer(said("a")),
        user("b"),
      ]);
  });

  test("an answer stands between results and a user text for those who want it", () => {
    const log = [user("a"), answer(call("c1")), result("c1"), user("b"), answer(said("c")), user("d")];
    expect(normalised(log, { changes: { quirks: ["assistant-after-results"] } }).messages).toEqual([
      user("a"),
      answer(call("c1")),
      result("c1"),
      { role: "assistant", content: [said("Understood.")] },
      user("b"),
      answer(said("c")),
      user("d"),
    ]);
  });
});

test("call ids are nine letters and digits for those who want it, the same in calls and results", () => {
  const changes: Partial<Model> = { quirks: ["nine-character-call-ids"] };
  const log = [user("a"), answer(call("toolu_01"), call("abcDEF123")), result("toolu_01"), result("abcDEF123")];
  const { messages } = normalised(log, { changes });
  const [, sent, first, second] = messages;
  const ids = sent?.role === "assistant" ? sent.content.map((block) => block.type === "tool-call" && block.callId) : [];
  expect(ids).toEqual([expect.stringMatching(/^[A-Za-z0-9]{9}$/), "abcDEF123"]);
  expect([first, second].map((message) => message?.role === "tool" && message.callId)).toEqual(ids);
  expect(normalised(log, { changes }).messages).toEqual(messages);
});

test("half characters are taken out of texts, thoughts, inputs and outputs", () => {
  const half = "\ud83d";
  const log = [
    user(`a${half}👍`),
    answer({ type: "reasoning", text: `b${half}` }, said(`c${half}`), {
      type: "tool-call",
      callId: "c1",
      tool: "read",
      inputText: `{"d":"${half}\\ud83d\\ud83d\\udc4d"}`,
    }),
    result("c1", `e${half}`),
  ];
  expect(normalised(log).messages).toEqual([
    user("a👍"),
    answer({ type: "reasoning", text: "b" }, said("c"), {
      type: "tool-call",
      callId: "c1",
      tool: "read",
      inputText: '{"d":"\\ud83d\\udc4d"}',
    }),
    result("c1", "e"),
  ]);
});
