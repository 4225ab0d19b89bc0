/**
 * Proves over real HTTP, against a vendor that caches by prefix and bills what it reads, that a conversation stays in
 * the vendor's cache on every wire, and that a lost cache is reported with its true cause and never without one.
 */
import type { AssistantBlock, CacheBreak, Message, ModelEvent, ModelRequest, ToolSchema } from "@kedge/protocol";
import { createPrefixCache, type MockModel, type MockRequest, startMockModel } from "@kedge/testing";
import { afterEach, describe, expect, test } from "vitest";
import { createCacheWatch } from "../src/cache-break/cache-watch.ts";
import type { ProviderSetting } from "../src/catalogue/provider-settings.ts";
import { costOf } from "../src/cost.ts";
import { createModels } from "../src/create-models.ts";

const minuteMs = 60_000;
const shortTtlMs = 5 * minuteMs;
const turnsOfLongConversation = 50;
const turnsBeforeBreak = 20;
const hitShareMin = 0.95;

type Wire = { readonly api: NonNullable<ProviderSetting["api"]>; readonly reasoning: "effort" | "adaptive" };

const wires: readonly Wire[] = [
  { api: "openai-chat", reasoning: "effort" },
  { api: "openai-responses", reasoning: "effort" },
  { api: "anthropic", reasoning: "adaptive" },
  { api: "google", reasoning: "effort" },
];

const system = "You work on the code of the user and say what you did. ".repeat(200);
const systemTail = "The directory is /project, the date is today. ".repeat(20);

function toolNamed(name: string, description = `Does what ${name} means. `.repeat(20)): ToolSchema {
  const inputSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] } as const;
  return { name, description, inputSchema };
}

const tools: readonly ToolSchema[] = ["read", "write", "bash"].map((name) => toolNamed(name));

/** What a turn may do otherwise; a conversation of its own grows like the world's. */
type Changes = Partial<Omit<ModelRequest, "messages">> & { readonly messages?: Message[] };

type World = {
  readonly mock: MockModel;
  readonly advance: (ms: number) => void;
  readonly evict: () => void;
  /** Asks once more and appends the answer and the result of its call to the conversation. */
  readonly turn: (changes?: Changes, model?: "one" | "two") => Promise<TurnCount>;
  readonly messages: Message[];
};

type TurnCount = { readonly input: number; readonly cacheRead: number; readonly cacheBreak: CacheBreak | undefined };

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function openWorld({ api, reasoning }: Wire, more: Partial<ProviderSetting> = {}): Promise<World> {
  let nowMs = 0;
  const now = () => nowMs;
  const cache = createPrefixCache({ now, ttlMs: more.cacheTtl === "1h" ? 60 * minuteMs : shortTtlMs, keyOf });
  const mock = await startMockModel({
    script: (request, index) => ({
      text: `I look at file ${index}.`,
      toolCalls: [{ name: "read", input: { path: `file-${index}.ts` }, id: `call${index}` }],
      usage: cache.bill(request),
    }),
  });
  closers.push(mock.close);
  const one = { reasoning, cost: { input: 5, output: 25 } };
  const setting = { api, baseURL: mock.baseUrl, models: { one, two: one }, ...more };
  const cacheWatch = createCacheWatch({ now, redact: (text) => text, cost: costOf });
  const models = createModels({ vendor: setting }, { cacheWatch });
  const messages: Message[] = [{ role: "user", text: "Look at every file." }];
  return {
    mock,
    messages,
    evict: cache.evict,
    advance(ms) {
      nowMs += ms;
    },
    async turn(changes = {}, name = "one") {
      const found = await models.find(`vendor/${name}`);
      if (!found.ok) throw new Error(found.failure.message);
      const { model, provider } = found;
      const request: ModelRequest = {
        model,
        source: "main",
        conversationId: "ses_1",
        system,
        systemTail,
        tools,
        messages,
        outputTokensMax: 4_000,
        requestId: `req_${mock.requests.length}`,
        ...changes,
      };
      const content: AssistantBlock[] = [];
      let end: Extract<ModelEvent, { type: "end" }> | undefined;
      for await (const event of provider.stream(request, new AbortController().signal)) {
        if (event.type === "text-delta") content.push({ type: "text", text: event.text });
        if (event.type === "tool-call") content.push(event.call);
        if (event.type === "end") end = event;
      }
      if (end === undefined) throw new Error("The answer did not end as it should.");
      const log = changes.messages ?? messages;
      log.push({ role: "assistant", content, model: model.ref });
      for (const block of content)
        if (block.type === "tool-call") log.push(resultOf(block.callId, mock.requests.length));
      const { input, cacheRead } = end.usage;
      return { input, cacheRead, cacheBreak: end.cacheBreak };
    },
  };
}

const cachedWith = ["model", "thinking", "output_config", "reasoning", "reasoning_effort"];

/** Like the vendors', the cache of one model or way of thinking is of no use to another. */
function keyOf({ path, raw }: MockRequest): string {
  const body = JSON.parse(raw.toString());
  return JSON.stringify([path, ...cachedWith.map((name) => body[name]), body.generationConfig?.thinkingConfig]);
}

function resultOf(callId: string, number: number): Message {
  const output = `export const value${number} = "ä ${number}";\n`.repeat(40);
  return { role: "tool", callId, tool: "read", output, isError: false };
}

async function runTurns(world: World, count: number): Promise<readonly TurnCount[]> {
  const counts: TurnCount[] = [];
  for (let turn = 0; turn < count; turn++) counts.push(await world.turn());
  return counts;
}

describe.each(wires)("on the wire $api", (wire) => {
  test("fifty turns with tool calls read from the cache what was sent the turn before, and nothing is reported", async () => {
    const world = await openWorld(wire);
    const counts = await runTurns(world, turnsOfLongConversation);
    const sizes = counts.map(({ input, cacheRead }) => input + cacheRead);
    const couldBeRead = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0);
    const read = counts.reduce((sum, { cacheRead }) => sum + cacheRead, 0);
    expect(counts[0]?.cacheRead).toBe(0);
    expect(read / couldBeRead).toBeGreaterThanOrEqual(hitShareMin);
    // The whole conversation was on its way each time, else nothing was proved.
    expect(world.messages).toHaveLength(1 + 2 * turnsOfLongConversation);
    expect(sizes.at(-1)).toBeGreaterThan(20_000);
    expect(counts.flatMap(({ cacheBreak }) => cacheBreak ?? [])).toEqual([]);
  });

  const changedTools = tools.map((tool) => (tool.name === "bash" ? toolNamed("bash", "Runs a command.") : tool));
  const breaks: readonly (readonly [cause: string, changes: Changes])[] = [
    ["the system prompt changed", { system: `Be brief. ${system}` }],
    ["the session's part of the system prompt changed", { systemTail: `Be quick. ${systemTail}` }],
    ["tools added: grep", { tools: [...tools, toolNamed("grep")] }],
    ["tools changed: bash", { tools: changedTools }],
    ["the reasoning effort changed", { reasoning: { effort: "high" } }],
  ];

  test.each(breaks)("%s: reported once, with what was lost", async (cause, changes) => {
    const world = await openWorld(wire);
    const before = (await runTurns(world, turnsBeforeBreak)).at(-1);
    const broken = await world.turn(changes);
    const tokensLost = (before?.cacheRead ?? 0) - broken.cacheRead;
    expect(tokensLost).toBeGreaterThan(2_000);
    expect(broken.cacheBreak).toEqual({ cause, tokensLost, usd: expect.any(Number) });
    expect(broken.cacheBreak?.usd).toBeGreaterThan(0);
    expect((await world.turn(changes)).cacheBreak).toBeUndefined();
  });

  test("a pause longer than the vendor keeps its cache is told from a cache that it dropped", async () => {
    const world = await openWorld(wire);
    await runTurns(world, turnsBeforeBreak);
    world.advance(shortTtlMs);
    expect((await world.turn()).cacheBreak).toBeUndefined();
    world.advance(shortTtlMs + 1);
    const expired = await world.turn();
    expect(expired).toMatchObject({
      cacheRead: 0,
      cacheBreak: { cause: "no call for over 5 minutes; the provider's cache expired" },
    });
    expect(expired.cacheBreak?.tokensLost).toBeGreaterThan(2_000);
    const { cacheRead } = await world.turn();
    world.evict();
    expect((await world.turn()).cacheBreak).toEqual({
      cause: "the provider dropped its cache",
      tokensLost: cacheRead,
      usd: expect.any(Number),
    });
  });

  test("another model and back again is no loss, even where the first model's cache is gone meanwhile", async () => {
    const world = await openWorld(wire);
    const before = (await runTurns(world, turnsBeforeBreak)).at(-1);
    expect(await world.turn({}, "two")).toMatchObject({ cacheRead: 0, cacheBreak: undefined });
    const back = await world.turn();
    expect(back.cacheRead).toBeGreaterThan(before?.cacheRead ?? 0);
    expect(back.cacheBreak).toBeUndefined();
    await world.turn({}, "two");
    world.evict();
    expect(await world.turn()).toMatchObject({ cacheRead: 0, cacheBreak: undefined });
  });

  test("a conversation taken back to an earlier point reads less and is no loss; its own losses count again", async () => {
    const world = await openWorld(wire);
    const before = (await runTurns(world, turnsBeforeBreak)).at(-1);
    const messages = world.messages.slice(0, 7);
    const undone = await world.turn({ messages });
    expect(undone.cacheRead).toBeGreaterThan(0);
    expect((before?.cacheRead ?? 0) - undone.cacheRead).toBeGreaterThan(2_000);
    expect(undone.cacheBreak).toBeUndefined();
    world.evict();
    expect((await world.turn({ messages })).cacheBreak).toMatchObject({ cause: "the provider dropped its cache" });
  });
});

test("what the vendor was asked to keep for an hour did not expire after five minutes", async () => {
  const anthropic = { api: "anthropic", reasoning: "adaptive" } as const;
  const world = await openWorld(anthropic, { cacheTtl: "1h" });
  await runTurns(world, turnsBeforeBreak);
  world.advance(6 * minuteMs);
  expect((await world.turn()).cacheBreak).toBeUndefined();
  world.advance(6 * minuteMs);
  world.evict();
  expect((await world.turn()).cacheBreak).toMatchObject({ cause: "the provider dropped its cache" });
});

test("four marks at most stand in every request: after the tools, after each part of the system text, at its end", async () => {
  const anthropic = { api: "anthropic", reasoning: "adaptive" } as const;
  const world = await openWorld(anthropic);
  const foreign = [...tools, toolNamed("mcp__web__fetch")];
  for (let turn = 0; turn < turnsOfLongConversation; turn++) await world.turn(turn % 2 === 0 ? {} : { tools: foreign });
  expect(world.mock.requests).toHaveLength(turnsOfLongConversation);
  for (const { raw } of world.mock.requests) {
    const text = raw.toString();
    expect(text.split('"cache_control"')).toHaveLength(1 + 4);
    const body = JSON.parse(text);
    const mark = { type: "ephemeral" };
    expect(body.tools.map((tool: { cache_control?: object }) => tool.cache_control)).toEqual(
      body.tools.map(({ name }: { name: string }) => (name === "bash" ? mark : undefined)),
    );
    expect(body.system.map((block: { cache_control?: object }) => block.cache_control)).toEqual([mark, mark]);
    expect(body.cache_control).toEqual(mark);
    expect(JSON.stringify(body.messages)).not.toContain("cache_control");
  }
});
