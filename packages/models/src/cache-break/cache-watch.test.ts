import { type Message, type Model, type ModelRequest, noUsage, type Usage } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { costOf } from "../cost.ts";
import { type CacheWatch, createCacheWatch } from "./cache-watch.ts";
import type { CallExtra } from "./prompt-state.ts";

const model: Model = {
  ref: "m/a",
  provider: "m",
  id: "a",
  contextTokens: 200_000,
  outputTokensMax: 8_000,
  prices: { input: 3, output: 15, cacheRead: 1 },
};
const bash = { name: "bash", description: "Runs a command.", inputSchema: { type: "object" } } as const;
const read = { name: "read", description: "Reads a file.", inputSchema: { type: "object" } } as const;
const messages: readonly Message[] = [{ role: "user", text: "hi" }];
const request: ModelRequest = {
  model,
  source: "main",
  conversationId: "ses_1",
  system: "You are kedge.\n",
  systemTail: "Today is Monday.\n",
  tools: [bash, read],
  messages,
  outputTokensMax: 8_000,
  requestId: "req_1",
};
const reading = (cacheRead: number): Usage => ({ ...noUsage, input: 20_000, cacheRead });
const minuteMs = 60_000;

type World = { readonly watch: CacheWatch; readonly diffs: { name: string; text: string }[]; time: number };

function openWorld(): World {
  const diffs: World["diffs"] = [];
  const world: World = {
    diffs,
    time: 1_000,
    watch: createCacheWatch({
      now: () => world.time,
      redact: (text) => text.replaceAll("hunter2", "[REDACTED:password]"),
      cost: costOf,
      writeDiff: async (name, text) => {
        diffs.push({ name, text });
        return `/debug/${name}`;
      },
    }),
  };
  return world;
}

type Second = { readonly request?: Partial<ModelRequest>; readonly extra?: CallExtra; readonly afterMs?: number };

/** A call that reads 10,000 tokens, then a second one that reads none. */
async function loseCache({ request: change = {}, extra = {}, afterMs = 1_000 }: Second, first: CallExtra = {}) {
  const world = openWorld();
  expect(world.watch.before(request, first)?.after(reading(10_000))).toBeUndefined();
  world.time += afterMs;
  return world.watch.before({ ...request, ...change }, extra)?.after(reading(0));
}

describe("what is a break", () => {
  const lost = async (before: number, after: number) => {
    const { watch } = openWorld();
    await watch.before(request, {})?.after(reading(before));
    return (await watch.before(request, {})?.after(reading(after)))?.tokensLost;
  };

  test("more than 2,000 tokens fewer and under 95 % of what was read before", async () => {
    expect(await lost(10_000, 7_999)).toBe(2_001);
    expect(await lost(10_000, 8_000)).toBeUndefined();
    expect(await lost(100_000, 94_999)).toBe(5_001);
    expect(await lost(100_000, 95_000)).toBeUndefined();
    expect(await lost(10_000, 50_000)).toBeUndefined();
    expect(await lost(0, 0)).toBeUndefined();
  });

  test("every call is compared with the one before it", async () => {
    const { watch } = openWorld();
    const after = async (tokens: number) => (await watch.before(request, {})?.after(reading(tokens)))?.tokensLost;
    expect([await after(9_000), await after(4_000), await after(4_000), await after(1_000)]).toEqual([
      undefined,
      5_000,
      undefined,
      3_000,
    ]);
  });

  test("a call that failed leaves the one before it as the measure", async () => {
    const { watch } = openWorld();
    await watch.before(request, {})?.after(reading(10_000));
    watch.before({ ...request, system: "Other." }, {});
    expect(await watch.before(request, {})?.after(reading(0))).toMatchObject({
      cause: "the provider dropped its cache",
    });
  });
});

describe("the cause", () => {
  const cases: readonly (readonly [string, Second])[] = [
    ["the model changed", { request: { model: { ...model, id: "a-next" } } }],
    ["the speed changed", { extra: { speed: "fast" } }],
    ["the system prompt changed", { request: { system: "You are another." } }],
    ["the session's part of the system prompt changed", { request: { systemTail: "Today is Tuesday.\n" } }],
    ["tools changed: bash", { request: { tools: [{ ...bash, description: "Runs." }, read] } }],
    ["tools changed: read", { request: { tools: [bash, { ...read, inputSchema: { type: "string" } }] } }],
    ["tools removed: bash, read", { request: { tools: [] } }],
    ["tools added: web_search", { request: { serverTools: [{ name: "web_search", usesMax: 5 }] } }],
    [
      "tools added: edit; removed: bash; changed: read",
      {
        request: {
          tools: [
            { ...bash, name: "edit" },
            { ...read, description: "" },
          ],
        },
      },
    ],
    ["the order of the tools changed", { request: { tools: [read, bash] } }],
    ["the beta headers changed", { extra: { betaHeaders: "context-1m" } }],
    ["the reasoning effort changed", { request: { reasoning: { effort: "high" } } }],
    ["the lifetime or scope of the cache changed", { extra: { ttl: "1h" } }],
    ["extra request fields changed", { extra: { extraBody: '{"a":1}' } }],
    ["no call for over an hour; the provider's cache expired", { afterMs: 60 * minuteMs + 1 }],
    ["no call for over 5 minutes; the provider's cache expired", { afterMs: 60 * minuteMs }],
    ["no call for over 5 minutes; the provider's cache expired", { afterMs: 5 * minuteMs + 1 }],
    ["the provider dropped its cache", { afterMs: 5 * minuteMs }],
  ];

  test.each(cases)("%s", async (cause, second) => {
    expect((await loseCache(second))?.cause).toBe(cause);
  });

  test("equal tools in a new array are no cause", async () => {
    const tools = structuredClone(request.tools);
    expect((await loseCache({ request: { tools } }))?.cause).toBe("the provider dropped its cache");
  });

  test("a cache kept for an hour does not expire after 5 minutes", async () => {
    const extra = { ttl: "1h" };
    expect((await loseCache({ extra, afterMs: 6 * minuteMs }, extra))?.cause).toBe("the provider dropped its cache");
  });

  test("of several changes the first in the order of the prefix is named", async () => {
    const everything: Second = {
      request: { model: { ...model, id: "b" }, system: "Other.", tools: [], reasoning: { effort: "low" } },
      extra: { speed: "fast", betaHeaders: "b", ttl: "1h", extraBody: "{}" },
      afterMs: 2 * 60 * minuteMs,
    };
    expect((await loseCache(everything))?.cause).toBe("the model changed");
    const { model: _, ...rest } = everything.request ?? {};
    expect((await loseCache({ ...everything, request: rest }))?.cause).toBe("the speed changed");
    const unhurried = { betaHeaders: "b", ttl: "1h", extraBody: "{}" };
    expect((await loseCache({ request: rest, extra: unhurried }))?.cause).toBe("the system prompt changed");
    const { system: __, ...later } = rest;
    expect((await loseCache({ request: later, extra: unhurried }))?.cause).toBe("tools removed: bash, read");
    const { tools: ___, ...last } = later;
    expect((await loseCache({ request: last, extra: unhurried }))?.cause).toBe("the beta headers changed");
    const { betaHeaders: ____, ...kept } = unhurried;
    expect((await loseCache({ request: last, extra: kept }))?.cause).toBe("the reasoning effort changed");
    expect((await loseCache({ extra: kept }))?.cause).toBe("the lifetime or scope of the cache changed");
  });
});

describe("the baseline", () => {
  test("is reset by another model, and again on the way back", async () => {
    const { watch } = openWorld();
    const other: ModelRequest = { ...request, model: { ...model, ref: "m/b", id: "b" } };
    await watch.before(request, {})?.after(reading(50_000));
    expect(watch.before(other, {})?.after(reading(10_000))).toBeUndefined();
    expect(watch.before(request, {})?.after(reading(0))).toBeUndefined();
  });

  test("is reset by a new list of messages, as undo and compaction make one", async () => {
    const { watch } = openWorld();
    await watch.before(request, {})?.after(reading(50_000));
    const shortened = { ...request, messages: [...messages] };
    expect(watch.before(shortened, {})?.after(reading(10_000))).toBeUndefined();
    expect(await watch.before(shortened, {})?.after(reading(0))).toMatchObject({ tokensLost: 10_000 });
  });

  test("belongs to one conversation and one source; background calls have none", async () => {
    const { watch } = openWorld();
    await watch.before(request, {})?.after(reading(50_000));
    expect(watch.before({ ...request, source: "fork" }, {})?.after(reading(0))).toBeUndefined();
    expect(watch.before({ ...request, conversationId: "ses_2" }, {})?.after(reading(0))).toBeUndefined();
    expect(watch.before({ ...request, source: "background" }, {})).toBeUndefined();
    expect(await watch.before(request, {})?.after(reading(0))).toMatchObject({ tokensLost: 50_000 });
  });

  test("of the conversation unused for longest is forgotten beyond ten", async () => {
    const { watch } = openWorld();
    const call = async (conversation: number, tokens: number) =>
      (await watch.before({ ...request, conversationId: `ses_${conversation}` }, {})?.after(reading(tokens)))
        ?.tokensLost;
    for (let conversation = 1; conversation <= 10; conversation += 1) await call(conversation, 10_000);
    await call(1, 10_000);
    await call(11, 10_000);
    expect(await call(1, 0)).toBe(10_000);
    expect(await call(3, 0)).toBe(10_000);
    expect(await call(2, 0)).toBeUndefined();
  });
});

describe("the report", () => {
  test("has the lost tokens at the price of input above that of cached input", async () => {
    const found = await loseCache({});
    expect(found).toEqual({ cause: "the provider dropped its cache", tokensLost: 10_000, usd: expect.any(Number) });
    expect(found?.usd).toBeCloseTo((10_000 * (3 - 1)) / 1e6, 12);
  });

  test("is priced at the tier of the whole call", async () => {
    const above = { inputTokens: 15_000, prices: { input: 6, output: 30, cacheRead: 2 } };
    const tiered: Model = { ...model, prices: { input: 3, output: 15, cacheRead: 1, above } };
    const { watch } = openWorld();
    await watch.before({ ...request, model: tiered }, {})?.after(reading(10_000));
    const found = await watch.before({ ...request, model: tiered }, {})?.after(reading(0));
    expect(found?.usd).toBeCloseTo((10_000 * (6 - 2)) / 1e6, 12);
  });

  test("names the file with the difference of the two prompts, without secrets and without the conversation", async () => {
    const world = openWorld();
    const before = { ...request, system: "Line one\nkey hunter2\n", requestId: "req/1" };
    await world.watch.before(before, {})?.after(reading(10_000));
    const tools = [{ ...bash, description: "Runs hunter2." }, read];
    const changed = { ...before, system: "Line one changed\nkey hunter2\n", tools, requestId: "../req 2" };
    const found = await world.watch.before(changed, { ttl: "5m" })?.after(reading(0));
    expect(found?.diffFile).toBe("/debug/cache-break-ses_1-.._req_2.diff");
    expect(world.diffs).toEqual([
      {
        name: "cache-break-ses_1-.._req_2.diff",
        text: [
          "--- before/parameters",
          "+++ after/parameters",
          "@@ -2,6 +2,6 @@",
          " speed: ",
          " beta headers: ",
          " effort: left to the model",
          "-cache: ",
          "+cache: 5m",
          " extra body: ",
          " tools: bash, read",
          "--- before/system",
          "+++ after/system",
          "@@ -1,2 +1,2 @@",
          "-Line one",
          "+Line one changed",
          " key [REDACTED:password]",
          "--- before/tools/bash",
          "+++ after/tools/bash",
          "@@ -1,4 +1,4 @@",
          "-Runs a command.",
          "+Runs [REDACTED:password].",
          " ",
          " {",
          '   "type": "object"',
          "",
        ].join("\n"),
      },
    ]);
  });

  test("shows a part with too many changed lines as replaced", async () => {
    const world = openWorld();
    const lines = (word: string) => Array.from({ length: 1_500 }, (_, index) => `${word} ${index}\n`).join("");
    await world.watch.before({ ...request, system: lines("old") }, {})?.after(reading(10_000));
    await world.watch.before({ ...request, system: lines("new") }, {})?.after(reading(0));
    const text = world.diffs[0]?.text ?? "";
    expect(text.startsWith("--- before/system\n+++ after/system\n@@ -1,1500 +1,1500 @@\n-old 0\n")).toBe(true);
    expect(text.endsWith("\n+new 1499\n")).toBe(true);
  });

  test("has no file when the prompts are equal or nothing can be written", async () => {
    const world = openWorld();
    await world.watch.before(request, {})?.after(reading(10_000));
    await world.watch.before(request, {})?.after(reading(0));
    expect(world.diffs).toEqual([]);
    const silent = createCacheWatch({ now: () => 0, redact: (text) => text, cost: costOf });
    await silent.before(request, {})?.after(reading(10_000));
    const found = await silent.before({ ...request, system: "" }, {})?.after(reading(0));
    expect(found).toEqual({ cause: "the system prompt changed", tokensLost: 10_000, usd: expect.any(Number) });
  });
});
