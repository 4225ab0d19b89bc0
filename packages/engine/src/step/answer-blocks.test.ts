import { expect, test } from "vitest";
import { createAnswerBlocks } from "./answer-blocks.ts";

const call = { type: "tool-call", callId: "c1", tool: "read", inputText: "{}" } as const;

test("deltas of one kind join into one block, in order with calls", () => {
  const blocks = createAnswerBlocks();
  blocks.append("reasoning", "hm");
  blocks.append("text", "a");
  blocks.append("text", "b");
  blocks.add(call);
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
  blocks.add(call);
  expect(blocks.takeAppended()).toEqual([{ type: "text", text: "bc" }, call]);
  blocks.append("text", "d");
  expect(blocks.takeAppended()).toEqual([{ type: "text", text: "d" }]);
  expect(blocks.all()).toEqual([{ type: "text", text: "abc" }, call, { type: "text", text: "d" }]);
});

test("a signature closes its block; without one an end only parts two blocks of a kind", () => {
  const blocks = createAnswerBlocks();
  blocks.append("reasoning", "first");
  blocks.close("reasoning", "s1");
  expect(blocks.takeAppended()).toEqual([{ type: "reasoning", text: "first", signature: "s1" }]);
  blocks.append("reasoning", "second");
  expect(blocks.takeAppended()).toEqual([{ type: "reasoning", text: "second" }]);
  blocks.close("reasoning", "s2");
  blocks.close("reasoning", "s3");
  const vendor = { type: "vendor", kind: "server_tool_use", json: "{}" } as const;
  blocks.add(vendor);
  blocks.append("text", "a");
  blocks.close("text", undefined);
  blocks.append("text", "b");
  expect(blocks.takeAppended()).toEqual([
    { type: "reasoning", text: "", signature: "s2" },
    { type: "reasoning", text: "", signature: "s3" },
    vendor,
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ]);
  expect(blocks.all()).toEqual([
    { type: "reasoning", text: "first", signature: "s1" },
    { type: "reasoning", text: "second", signature: "s2" },
    { type: "reasoning", text: "", signature: "s3" },
    vendor,
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ]);
});
