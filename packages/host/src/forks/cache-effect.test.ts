/** The share of the cache is measured against the session's last request, and a miss names the first part that differs. */
import { emptySession, noUsage, type RequestPrefix, type Usage } from "@kedge/protocol";
import { expect, test } from "vitest";
import { cacheEffect } from "./cache-effect.ts";

const prefix: RequestPrefix = {
  conversationId: "ses_1",
  model: "mock/model",
  system: "system",
  systemTail: "tail",
  tools: [],
  messages: [
    { role: "user", text: "one" },
    { role: "user", text: "two" },
  ],
};

async function measure(parent: Usage, first: Usage, current: RequestPrefix = prefix) {
  const notices: string[] = [];
  const session = { state: emptySession("ses_1"), prefix: async () => ({ ok: true, value: current }) as const };
  const parts = { requestUsageOf: () => parent, onNotice: (text: string) => notices.push(text) };
  return { effect: await cacheEffect(session, { prefix, first }, parts), notices };
}

const parent = { ...noUsage, input: 100, cacheRead: 900 };

test("a provider that tells of no cache is not measured", async () => {
  expect((await measure({ ...noUsage, input: 1_000 }, { ...noUsage, input: 1_200 })).effect).toEqual({});
});

test("a share of four fifths is enough", async () => {
  const { effect, notices } = await measure(parent, { ...noUsage, input: 400, cacheRead: 800 });
  expect([effect, notices]).toEqual([{ cacheShare: 0.8 }, []]);
});

test("what a provider forgot is recorded and not told", async () => {
  const { effect, notices } = await measure(parent, { ...noUsage, input: 1_200 });
  expect([effect, notices]).toEqual([{ cacheShare: 0, cacheMiss: "provider" }, []]);
});

test.each<[string, RequestPrefix]>([
  ["tools", { ...prefix, tools: [{ name: "look", description: "", inputSchema: {} }], system: "other" }],
  ["system prompt", { ...prefix, system: "other" }],
  ["environment", { ...prefix, systemTail: "other" }],
  ["message 2", { ...prefix, messages: prefix.messages.slice(0, 1) }],
])("a miss names %s", async (section, current) => {
  const { effect, notices } = await measure(parent, { ...noUsage, input: 1_000, cacheRead: 200 }, current);
  expect(effect).toEqual({ cacheShare: 0.2, cacheMiss: section });
  expect(notices).toEqual([
    `Background cache miss: 20% of the conversation was read from the cache (${section} differs).`,
  ]);
});
