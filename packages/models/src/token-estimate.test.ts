import { type Message, noUsage, type Usage } from "@kedge/protocol";
import { expect, test } from "vitest";
import { contextTokens, estimateTokens, type HistoryEntry } from "./token-estimate.ts";

const characters = (count: number) => "x".repeat(count);
const user = (count: number): Message => ({ role: "user", text: characters(count) });
const answer = (count: number): Message => ({
  role: "assistant",
  content: [{ type: "text", text: characters(count) }],
});
const result = (count: number): Message => ({
  role: "tool",
  callId: "call_1",
  tool: "read",
  output: characters(count),
  isError: false,
});
const media = [{ name: "a.png", mediaType: "image/png", base64: characters(90_000) }];

test("four characters are a token, padded by a third", () => {
  expect(estimateTokens([])).toBe(0);
  expect(estimateTokens([user(1_200)])).toBe(400);
  expect(estimateTokens([user(1)])).toBe(1);
  expect(estimateTokens([user(600), result(600)])).toBe(400);
});

test("a picture or document counts 2,000 whatever its size, in prompts and in results", () => {
  expect(estimateTokens([{ role: "user", text: "", media }])).toBe(Math.ceil(2_000 * (4 / 3)));
  const shown: Message = { role: "tool", callId: "c", tool: "read", output: "", isError: false, media };
  expect(estimateTokens([shown, shown, shown])).toBe(8_000);
});

test("an answer counts text, thoughts, calls with their name and input, and vendor blocks", () => {
  const message: Message = {
    role: "assistant",
    content: [
      { type: "text", text: characters(100) },
      { type: "reasoning", text: characters(200), signature: characters(5_000) },
      { type: "tool-call", callId: "call_1", tool: "bash", inputText: characters(296) },
      { type: "vendor", kind: "search", json: characters(600) },
    ],
  };
  expect(estimateTokens([message])).toBe(400);
});

const usage: Usage = { ...noUsage, input: 10, cacheRead: 1_000, cacheWrite: 100, output: 50, reasoning: 40 };

test("the context is what the vendor counted last and an estimate of what follows", () => {
  const history: readonly HistoryEntry[] = [
    { message: user(4_000_000) },
    { message: answer(1_000), usage: { ...usage, cacheRead: 9 } },
    { message: user(4_000_000) },
    { message: answer(1_000), usage },
    { message: result(1_200) },
    { message: user(300) },
  ];
  expect(contextTokens(history)).toBe(1_160 + 500);
  expect(contextTokens(history.slice(0, 4))).toBe(1_160);
});

test("without any count everything is estimated", () => {
  expect(contextTokens([{ message: user(300) }, { message: answer(300) }])).toBe(200);
  expect(contextTokens([])).toBe(0);
});

test("results between the messages of one response are counted, the messages themselves only once", () => {
  const responseId = "resp_2";
  const history: readonly HistoryEntry[] = [
    { message: user(4_000_000) },
    { message: answer(10), usage, responseId: "resp_1" },
    { message: result(4_000_000) },
    { message: answer(100_000), usage, responseId },
    { message: result(600) },
    { message: answer(100_000), usage, responseId },
    { message: result(600) },
  ];
  expect(contextTokens(history)).toBe(1_160 + 400);
});
