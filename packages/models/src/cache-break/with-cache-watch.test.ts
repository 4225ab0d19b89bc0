import {
  type CacheBreak,
  type Model,
  type ModelEvent,
  type ModelRequest,
  noUsage,
  type Provider,
} from "@kedge/protocol";
import { createScriptedProvider } from "@kedge/testing";
import { expect, test } from "vitest";
import { costOf } from "../cost.ts";
import { createCacheWatch } from "./cache-watch.ts";
import { withCacheWatch } from "./with-cache-watch.ts";

const prices = { input: 5, output: 25 };
const model: Model = { ref: "m/a", provider: "m", id: "a", contextTokens: 1, outputTokensMax: 1, prices };
const request: ModelRequest = {
  model,
  source: "main",
  conversationId: "ses_1",
  system: "S",
  tools: [],
  messages: [],
  outputTokensMax: 1,
  requestId: "req_1",
};
const { signal } = new AbortController();
const newWatch = () => createCacheWatch({ now: () => 0, redact: (text) => text, cost: costOf });

async function collect(events: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const collected: ModelEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

const answer = (cacheRead: number, cacheBreak?: CacheBreak): readonly ModelEvent[] => [
  { type: "text-delta", text: "a" },
  { type: "text-delta", text: "b" },
  { type: "end", stopReason: "end", usage: { ...noUsage, cacheRead }, ...(cacheBreak && { cacheBreak }) },
];

test("the end of a call that lost the cache says so, everything else passes unchanged", async () => {
  const provider = withCacheWatch(createScriptedProvider([answer(9_000), answer(1_000), answer(1_000)]), newWatch());
  const play = () => collect(provider.stream(request, signal));
  expect(await play()).toEqual(answer(9_000));
  const usd = (8_000 * (5 - 0.5)) / 1e6;
  const cause = "the provider dropped its cache";
  expect(await play()).toEqual(answer(1_000, { cause, tokensLost: 8_000, usd: expect.closeTo(usd, 9) }));
  expect(await play()).toEqual(answer(1_000));
});

test("what the wire adds counts", async () => {
  const inner = createScriptedProvider([answer(9_000), answer(0)]);
  const headers = ["one", "two"];
  const provider = withCacheWatch(inner, newWatch(), () => ({ betaHeaders: headers.shift() ?? "" }));
  await collect(provider.stream(request, signal));
  const events = await collect(provider.stream(request, signal));
  expect(events.at(-1)).toMatchObject({ cacheBreak: { cause: "the beta headers changed" } });
});

test("a failed call ends as it did and is not measured", async () => {
  const failure = { code: "server_error", message: "No.", retryable: true } as const;
  const failed: readonly ModelEvent[] = [{ type: "failed", failure }];
  const provider = withCacheWatch(createScriptedProvider([answer(9_000), failed, answer(0)]), newWatch());
  const play = () => collect(provider.stream(request, signal));
  await play();
  expect(await play()).toEqual(failed);
  expect((await play()).at(-1)).toMatchObject({ cacheBreak: { tokensLost: 9_000 } });
});

test("who stops reading closes the inner stream", async () => {
  let closed = 0;
  const inner: Provider = {
    async *stream() {
      try {
        yield* answer(0);
      } finally {
        closed += 1;
      }
    },
  };
  for await (const event of withCacheWatch(inner, newWatch()).stream(request, signal)) {
    expect(event).toEqual({ type: "text-delta", text: "a" });
    break;
  }
  expect(closed).toBe(1);
});

test("a background call is not wrapped at all", () => {
  const events = (async function* (): AsyncGenerator<ModelEvent> {})();
  const provider = withCacheWatch({ stream: () => events }, newWatch());
  expect(provider.stream({ ...request, source: "background" }, signal)).toBe(events);
});
