import { expect, test } from "vitest";
import { createAnswerBlocks } from "./answer-blocks.ts";

const call = { type: "tool-call", callId: "c1", tool: "read", inputText: "{}" } as const;

test("deltas of one kind join into one block, in order with calls", () => {
  const blocks = createAnswerBlocks();
  blocks.append("reasoning", "hm");
  blocks.append("text", "a");
  blocks.append("text", "b");
  blocks.addCall(call);
  blocks.append("text", "c");
  expect(blocks.all()).toEqual([
    { type: "reasoning", text: "hm" },
    { type: "text", text: "ab" },
    call,
    { type: "text", text: "c" },
  ]);
});

test("what was appended is taken once, and taken pieces joined give the whole", () => {
  const blocks = createAnswerBlocks();
  blocks.append("text", "a");
  expect(blocks.takeAppended()).toEqual([{ type: "text", text: "a" }]);
  expect(blocks.takeAppended()).toEqual([]);
  blocks.append("text", "b");
  blocks.append("text", "c");
  blocks.addCall(call);
  expect(blocks.takeAppended()).toEqual([{ type: "text", text: "bc" }, call]);
  blocks.append("text", "d");
  expect(blocks.takeAppended()).toEqual([{ type: "text", text: "d" }]);
  expect(blocks.all()).toEqual([{ type: "text", text: "abc" }, call, { type: "text", text: "d" }]);
});
