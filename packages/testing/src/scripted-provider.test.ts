import type { Message, ModelEvent, ModelRequest } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createCountingIds } from "./counting-ids.ts";
import { createFixedClock } from "./fixed-clock.ts";
import { createScriptedProvider, textAnswer, toolAnswer } from "./scripted-provider.ts";

function requestOf(messages: readonly Message[]): ModelRequest {
  return {
    model: { ref: "m/a", provider: "m", id: "a", contextTokens: 1, outputTokensMax: 1 },
    source: "main",
    conversationId: "ses_1",
    system: "",
    tools: [],
    messages,
    outputTokensMax: 1,
    requestId: "r",
  };
}

async function collect(events: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const collected: ModelEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

const signal = new AbortController().signal;

test("plays its answers in order, then says Done., and records what it was asked at that moment", async () => {
  const call = { callId: "c1", tool: "read", input: { filePath: "a" } };
  const provider = createScriptedProvider([
    toolAnswer(call),
    (request) => textAnswer(`${request.messages.length} messages`),
  ]);
  const messages: Message[] = [{ role: "user", text: "one" }];
  expect(await collect(provider.stream(requestOf(messages), signal))).toEqual(toolAnswer(call));
  messages.push({ role: "user", text: "two" });
  expect(await collect(provider.stream(requestOf(messages), signal))).toEqual(textAnswer("2 messages"));
  expect(await collect(provider.stream(requestOf([]), signal))).toEqual(textAnswer("Done."));
  expect(provider.requests.map((request) => request.messages.length)).toEqual([1, 2, 0]);
});

test("waits at a gate, and an abort there ends the stream", async () => {
  const gate = Promise.withResolvers<void>();
  const answer = [{ type: "text-delta", text: "a" }, gate.promise, ...textAnswer("b")] as const;
  const provider = createScriptedProvider([answer, answer]);
  const controller = new AbortController();
  const stopped: ModelEvent[] = [];
  for await (const event of provider.stream(requestOf([]), controller.signal)) {
    stopped.push(event);
    controller.abort();
  }
  expect(stopped).toEqual([
    { type: "text-delta", text: "a" },
    { type: "failed", failure: { code: "aborted", message: "Stopped.", retryable: false } },
  ]);
  const playing = collect(provider.stream(requestOf([]), signal));
  gate.resolve();
  expect(await playing).toEqual([{ type: "text-delta", text: "a" }, ...textAnswer("b")]);
});

test("clock and ids repeat", () => {
  const clock = createFixedClock({ startMs: 1000, stepMs: 5 });
  expect([clock.now(), clock.now(), clock.monotonicMs(), clock.monotonicMs()]).toEqual([1000, 1005, 0, 5]);
  const ids = createCountingIds();
  expect([ids.newId("ses_"), ids.newId("run_"), ids.newId("run_"), ids.newRequestId()]).toEqual([
    "ses_1",
    "run_1",
    "run_2",
    "00000000-0000-4000-8000-000000000001",
  ]);
});
