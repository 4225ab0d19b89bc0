/** What is worth remembering is looked for after a turn: by a fork of the session, behind gates, all of it or nothing. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import type { Kedge } from "../../src/index.ts";
import { type Answers, type LearningSite, openLearningSite, topicFile } from "./learning-site.ts";

let site: LearningSite;
let kedge: Kedge;

afterEach(async () => {
  await kedge?.close();
  await site.remove();
});

async function start(answers: Answers = {}, interactive = true): Promise<string> {
  site = await openLearningSite({ ...answers, settings: { memory: { extract: "on" }, ...answers.settings } });
  kedge = await site.open({ interactive });
  return site.session(kedge);
}

const write = (slug: string, fact: string): MockTurn => ({
  toolCalls: [{ name: "write", input: { filePath: join(site.memory, `${slug}.md`), content: topicFile(slug, fact) } }],
});

/** Writes once, then says that it is done. */
const saving = (slug: string, fact: string) => (_: MockRequest, nth: number) =>
  nth === 1 ? write(slug, fact) : { text: "done" };

/** Vendors of tests have no price, so one is assumed, and a fork costs as much as the turn before it. */
const generous = { memory: { extract: "on" }, background: { maxUsd: 100, maxShare: 100 } };

const messagesOf = ({ raw }: MockRequest) => JSON.parse(raw.toString()).messages as readonly unknown[];

test.each(["openai-chat", "anthropic"])("the fork's request begins with the bytes of the next one: %s", async (api) => {
  const sessionId = await start({ api });
  const extracted = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "We freeze merges until 2026-04-01, because of the release.");
  expect(await extracted).toMatchObject({ outcome: "searched", paths: [] });
  await site.prompt(kedge, sessionId, "Go on.");
  const [first, next] = site.mains().map(({ raw }) => raw.toString());
  const [fork] = site.asides().map(({ raw }) => raw.toString());
  if (first === undefined || next === undefined || fork === undefined) throw new Error("a request is missing");
  const shared = commonStart(fork, next);
  // Up to the worker's own message everything is the same, the answer before it too.
  expect(fork.slice(0, shared)).toContain("Answer 1.");
  expect(fork.slice(shared)).toContain("You are now a worker on the memory");
  expect(JSON.parse(fork).tools).toEqual(JSON.parse(next).tools);
  expect(JSON.parse(fork).model).toEqual(JSON.parse(next).model);
});

test("how much the fork read from the cache is recorded", async () => {
  const usage = (cached: number) => ({ input: 1_000, output: 10, cached });
  const sessionId = await start({
    main: () => ({ text: "Fine.", usage: usage(900) }),
    aside: (_, nth) => ({ text: "done", usage: usage(nth === 1 ? 950 : 0) }),
    settings: generous,
  });
  const first = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "One.");
  expect(await first).toMatchObject({ cacheShare: 0.95 });
  const second = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "Two.");
  expect(await second).toMatchObject({ cacheShare: 0, cacheMiss: "provider" });
});

function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

test("what was found waits in the inbox, is told once, and is not recalled before the user accepts it", async () => {
  const fact = "Merges are frozen until 2026-04-01.";
  const sessionId = await start({ aside: saving("merge-freeze", fact), settings: {} });
  const extracted = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "Merges are frozen until 2026-04-01.");
  expect(await extracted).toMatchObject({ outcome: "searched", paths: ["inbox/merge-freeze.md"], denials: [] });
  expect(site.names()).not.toContain("merge-freeze.md");
  expect(site.names("inbox")).toEqual(["merge-freeze.md"]);
  expect(await site.facts(kedge, sessionId)).toContainEqual({
    ...{ type: "memory.written", path: "inbox/merge-freeze.md", origin: "agent-inferred" },
  });
  await site.prompt(kedge, sessionId, "When are merges frozen?");
  expect(site.mains().at(-1)?.raw.toString()).not.toContain('source=\\"recalled notes\\"');
});

test("a text that came from a tool keeps that origin, whatever it says about itself", async () => {
  const result = "Deployment key rotates quarterly through vault engine transit";
  const sessionId = await start({
    main: (_, nth) =>
      nth === 1 ? { toolCalls: [{ name: "read", input: { filePath: "notes.txt" } }] } : { text: "Read." },
    aside: saving("key-rotation", `${result}.`),
  });
  writeFileSync(join(site.project, "notes.txt"), `${result}\n`);
  const extracted = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "Look at the notes.");
  await extracted;
  expect(site.read("inbox/key-rotation.md")).toContain("origin: tool-derived");
});

test("a session that the agent saved in by itself is skipped, and searched again from there on", async () => {
  const sessionId = await start({
    main: (_, nth) => (nth === 1 ? write("indentation", "Use tabs.") : { text: "Saved indentation.md." }),
  });
  const skipped = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "Remember: use tabs.");
  expect(await skipped).toMatchObject({ outcome: "skipped" });
  expect(site.asides()).toEqual([]);
  const searched = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "Thanks.");
  expect(await searched).toMatchObject({ outcome: "searched" });
  expect(site.asides()[0]?.raw.toString()).toContain("newest 2 messages");
});

test("with extractEvery only every so many turns are searched, with everything since the last time", async () => {
  const sessionId = await start({ settings: { memory: { extract: "on", extractEvery: 3 } } });
  const extracted = site.next(kedge, sessionId, "memory.extracted");
  for (const text of ["One.", "Two.", "Three."]) await site.prompt(kedge, sessionId, text);
  await extracted;
  expect(site.asides()).toHaveLength(1);
  expect(messagesOf(site.asides()[0] as MockRequest)).toHaveLength(8);
  expect(site.asides()[0]?.raw.toString()).toContain("newest 6 messages");
});

test("turns that end while a search is under way lead to one more search, of the newest", async () => {
  const gate = Promise.withResolvers<void>();
  const sessionId = await start({
    aside: (_, nth) => (nth === 1 ? { text: "done", holdUntil: gate.promise } : { text: "done" }),
  });
  await site.prompt(kedge, sessionId, "One.");
  await expect.poll(() => site.asides().length).toBe(1);
  for (const text of ["Two.", "Three.", "Four."]) await site.prompt(kedge, sessionId, text);
  const trailing = site
    .next(kedge, sessionId, "memory.extracted")
    .then(() => site.next(kedge, sessionId, "memory.extracted"));
  gate.resolve();
  await trailing;
  expect(site.asides()).toHaveLength(2);
  expect(site.asides()[1]?.raw.toString()).toContain("Four.");
});

test("after a summary took the cursor away, everything that is left is searched", async () => {
  const sessionId = await start({ settings: { ...generous, compaction: { keepRecentTokens: 1 } } });
  const first = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "One.");
  await first;
  const again = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "Some more words about the weather.");
  await again;
  expect(await kedge.door.send<"context.compact">({ type: "context.compact", sessionId })).toMatchObject({ ok: true });
  const second = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "Two.");
  expect(await second).toMatchObject({ outcome: "searched" });
});

test.each<{ readonly what: string; readonly answers: Answers; readonly interactive?: boolean }>([
  { what: "memory is off", answers: { settings: { memory: { enabled: false, extract: "on" } } } },
  { what: "it is turned off", answers: { settings: { memory: { extract: "off" } } } },
  { what: "the project has no memory", answers: { settings: { memory: { extract: "auto" } } } },
  { what: "nobody talks to the run", answers: { settings: { memory: { extract: "on" } } }, interactive: false },
  { what: "the budget is zero", answers: { settings: { memory: { extract: "on" }, background: { maxUsd: 0 } } } },
])("nothing is searched where $what", async ({ answers, interactive = true }) => {
  const sessionId = await start(answers, interactive);
  await site.prompt(kedge, sessionId, "One.");
  await kedge.close();
  expect(site.asides()).toEqual([]);
  expect((await site.facts(kedge, sessionId)).map(({ type }) => type)).not.toContain("memory.extracted");
});

test("a headless run learns where the user wants it", async () => {
  const settings = { memory: { extract: "on", headless: true } };
  site = await openLearningSite({ settings });
  site.topic("indentation", "Use tabs.");
  kedge = await site.open({ interactive: false });
  const sessionId = await site.session(kedge);
  await site.prompt(kedge, sessionId, "One.");
  await kedge.close();
  expect((await site.facts(kedge, sessionId)).at(-1)).toMatchObject({ type: "memory.extracted", outcome: "searched" });
});

test("once background calls took their share, sessions are searched no more, and the cost is shown apart", async () => {
  const usage = { input: 1_000, output: 10 };
  const sessionId = await start({
    main: () => ({ text: "Yes.", usage }),
    aside: () => ({ text: "done", usage }),
    models: { model: { context: 200_000, output: 64_000, cost: { input: 3, output: 15 } } },
  });
  const extracted = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "One.");
  expect((await extracted).cost.usd).toBeGreaterThan(0);
  await site.prompt(kedge, sessionId, "Two.");
  expect(await site.command(kedge, sessionId, "/cost")).toMatch(/of which background\s+\$0\.\d+/);
  await kedge.close();
  expect(site.asides()).toHaveLength(1);
});

test("an exit waits for a search that ends in time", async () => {
  const gate = Promise.withResolvers<void>();
  const sessionId = await start({ aside: () => ({ text: "done", holdUntil: gate.promise }) });
  await site.prompt(kedge, sessionId, "One.");
  await expect.poll(() => site.asides().length).toBe(1);
  const closed = kedge.close();
  gate.resolve();
  await closed;
  expect((await site.facts(kedge, sessionId)).at(-1)).toMatchObject({ type: "memory.extracted", outcome: "searched" });
});
