/** Proves what a run does where a conversation was rejected, could not be shortened, or was left in the middle of it. */
import type { ModelEvent } from "@kedge/protocol";
import { expect, test } from "vitest";
import {
  answer,
  callOf,
  compactAt,
  compactions,
  contextFacts,
  counted,
  failing,
  notices,
  openSite,
  overflowAt,
  result,
  type Site,
  type SiteOptions,
  shown,
  summaryText,
  threeTurns,
  words,
} from "./compaction-site.ts";
import { createTool } from "./harness.ts";

test("a rejected conversation is pruned, then summarised once, and the failure stands when it is rejected again", async () => {
  const read = createTool({ name: "read", run: async () => ({ output: words(4_000, "word\n"), title: "" }) });
  const calls = Array.from({ length: 12 }, (_, index) => callOf(`c${index}`, "read", {}, index * 4_000 + 100));
  const site = openSite({
    tools: [read],
    turns: [
      ...calls,
      answer("One done.", 48_100),
      answer("Two done.", 48_200),
      failing("prompt_too_long"),
      failing("prompt_too_long"),
      answer("Three done."),
      failing("prompt_too_long"),
      failing("prompt_too_long"),
    ],
    summaries: [answer(summaryText), answer(summaryText)],
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, "One");
  await site.harness.prompt(sessionId, "Two");
  await site.harness.prompt(sessionId, "Three");
  expect(contextFacts(site.harness.facts()).map(({ type }) => type)).toEqual(["context.cleared", "context.compacted"]);
  expect(result(site)).toMatchObject({ text: "Three done.", transitions: ["context_compacted", "context_compacted"] });
  const clearedIn = site.asked.slice(-3).map(({ messages }) => {
    const cleared = messages.filter((message) => message.role === "tool" && message.output.includes("cleared"));
    return [messages.length, cleared.length];
  });
  expect(clearedIn).toEqual([
    [29, 0],
    [29, 7],
    [2, 0],
  ]);
  await site.harness.prompt(sessionId, "Four");
  expect(result(site)).toMatchObject({
    reason: "error_during_execution",
    failure: { code: "prompt_too_long", recovery: expect.stringContaining("/compact") },
    transitions: ["context_compacted"],
  });
  expect(compactions(site.harness.facts()).map(({ trigger }) => trigger)).toEqual(["overflow", "overflow"]);
});

test.each([
  ["a limit far above what was counted", { limitTokens: 90_000, inputTokens: 90_001 }],
  ["a count that is far above ours", { limitTokens: 90_000, inputTokens: 450_000 }],
  ["no number at all", undefined],
])("a small conversation that the vendor rejects is shortened all the same: %s", async (_name, overflow) => {
  const rejected: ModelEvent = {
    type: "failed",
    failure: { code: "prompt_too_long", message: "Too long.", retryable: false, ...(overflow && { overflow }) },
  };
  const site = openSite({
    turns: [answer("One done."), answer("Two done."), [rejected], answer("Three done.")],
    summaries: [answer(summaryText)],
    compaction: { settings: { keepRecentTokens: 20_000 } },
  });
  const sessionId = await site.harness.open("bypass");
  for (const prompt of ["One", "Two", "Three"]) await site.harness.prompt(sessionId, `${prompt} ${words(1_000)}`);
  expect(result(site)).toMatchObject({ text: "Three done.", transitions: ["context_compacted"] });
  expect(compactions(site.harness.facts()).map(({ trigger }) => trigger)).toEqual(["overflow"]);
});

test("after an answer that came, a rejected conversation is summarised anew", async () => {
  const site = openSite({
    tools: [createTool({ name: "look" })],
    turns: [
      answer("One done."),
      failing("prompt_too_long"),
      callOf("a", "look", {}),
      failing("prompt_too_long"),
      answer("Two done."),
    ],
    summaries: [answer(summaryText), answer(summaryText)],
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: ${words(500)}`);
  await site.harness.prompt(sessionId, "Two");
  expect(result(site)).toMatchObject({
    text: "Two done.",
    transitions: ["context_compacted", "tool_results", "context_compacted"],
  });
});

test.each([
  ["is switched off", { strategy: "off" }],
  ["is not enabled", { enabled: false }],
] as const)("where shortening %s, a rejected conversation ends the run", async (_, settings) => {
  const turns = [answer("One done."), failing("prompt_too_long")];
  const site = openSite({ turns, compaction: { settings } });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: ${words(500)}`);
  await site.harness.prompt(sessionId, "Two");
  expect(contextFacts(site.harness.facts())).toEqual([]);
  expect(result(site)).toMatchObject({ failure: { code: "prompt_too_long", message: "It was prompt_too_long." } });
  const full = await threeTurns(overflowAt, { compaction: { settings } });
  expect(full.asked).toHaveLength(2);
  expect(result(full)).toMatchObject({ failure: { code: "prompt_too_long" } });
  const large = await threeTurns(compactAt, { compaction: { settings } });
  expect(result(large)).toMatchObject({ text: "Three done.", transitions: [] });
});

test("after three failures in a row nothing is tried by itself, also after a restart, until the user succeeds", async () => {
  const site = openSite({
    turns: [answer("One done."), ...Array.from({ length: 5 }, () => answer("Done.", compactAt))],
    summaries: [failing("server_error"), failing("server_error"), failing("server_error")],
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: ${words(500)}`);
  for (const text of ["Two", "Three", "Four", "Five"]) await site.harness.prompt(sessionId, text);
  expect(site.summaries).toHaveLength(3);
  const failure = { code: "server_error", message: "It was server_error.", retryable: false };
  const cost = { usd: 0, estimated: false };
  const usage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
  const failed = { type: "compaction.failed", trigger: "threshold", failure, usage, cost };
  expect(contextFacts(site.harness.facts())).toEqual([failed, failed, failed]);
  expect(result(site)).toMatchObject({ reason: "completed" });
  await site.harness.prompt(sessionId, "Six");
  expect(notices(site).filter((text) => text.includes("/clear"))).toHaveLength(1);
  await site.harness.engine.close();
  const later = openSite({
    store: site.harness.store,
    boot: "boot-2",
    turns: [answer("Seven done.", compactAt), answer("Eight done.", 100)],
    summaries: [answer(summaryText), answer(summaryText)],
  });
  await later.harness.resume(sessionId);
  await later.harness.prompt(sessionId, "Seven");
  expect(later.summaries).toEqual([]);
  expect(notices(later)).toEqual([expect.stringContaining("three failures in a row")]);
  const compacted = await later.harness.engine.send({ type: "context.compact", sessionId });
  expect(compacted).toMatchObject({ ok: true, value: { shortSummary: "Mend the parser." } });
  await later.harness.prompt(sessionId, "Eight");
  expect(result(later)).toMatchObject({ text: "Eight done." });
});

test("stopping in the middle of a summary leaves the old conversation in force", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const waiting: ModelEvent = { type: "text-delta", text: "## Goal" };
  const site = openSite({
    turns: [answer("One done."), answer("Two done.", compactAt), answer("Four done.")],
    summaries: [
      () => {
        asked.resolve();
        return [waiting, promise, counted("end", 100)];
      },
      answer(summaryText),
    ],
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: ${words(500)}`);
  await site.harness.prompt(sessionId, "Two");
  const done = site.harness.prompt(sessionId, "Three");
  await asked.promise;
  await site.harness.engine.send({ type: "turn.interrupt", sessionId });
  await done;
  resolve();
  expect(contextFacts(site.harness.facts())).toEqual([]);
  expect(result(site)).toMatchObject({ reason: "aborted", turns: 0 });
  await site.harness.prompt(sessionId, "Four");
  expect(compactions(site.harness.facts())).toHaveLength(1);
  expect(shown(site.asked[2]).slice(1)).toEqual(["user: Two", "assistant: Two done.", "user: Three", "user: Four"]);
});

test("a process that dies during a summary finds the old conversation again", async () => {
  const asked = Promise.withResolvers<void>();
  const never = new Promise<void>(() => undefined);
  const site = openSite({
    turns: [answer("One done."), answer("Two done.", compactAt)],
    summaries: [
      () => {
        asked.resolve();
        return [never];
      },
    ],
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: ${words(500)}`);
  await site.harness.prompt(sessionId, "Two");
  await site.harness.submit(sessionId, "Three");
  await asked.promise;
  const later = openSite({
    store: site.harness.store,
    boot: "boot-2",
    turns: [answer("On.")],
    summaries: [answer(summaryText)],
  });
  expect(await later.harness.resume(sessionId)).toMatchObject({ interrupted: true });
  await later.harness.prompt(sessionId, "Go on");
  expect(later.summaries).toHaveLength(1);
  expect(shown(later.asked[0]).slice(1)).toEqual(["user: Two", "assistant: Two done.", "user: Three", "user: Go on"]);
});

/** Beside the scripted model there is one with a larger window, ten times as dear. */
function promoting(options: SiteOptions): Site {
  return openSite({ ...options, hasLargeModel: true, compaction: { promotionModel: "mock/large" } });
}

test("a model with a larger window takes over once, is named, and nothing is summarised", async () => {
  for (const turns of [
    [answer("One done.", compactAt), answer("Two done."), answer("Three done.")],
    [answer("One done."), failing("prompt_too_long"), answer("Two done."), answer("Three done.")],
  ]) {
    const site = promoting({ turns });
    const sessionId = await site.harness.open("bypass");
    await site.harness.prompt(sessionId, `One: ${words(500)}`);
    await site.harness.prompt(sessionId, "Two");
    expect(contextFacts(site.harness.facts())).toEqual([]);
    expect(result(site)).toMatchObject({ text: "Two done.", transitions: ["context_promoted"] });
    const steps = site.harness.facts().flatMap((fact) => (fact.type === "step.started" ? [fact] : []));
    expect(steps.at(-1)).toMatchObject({
      model: "mock/large",
      fallback: { from: "mock/model", reason: "context" },
    });
    await site.harness.prompt(sessionId, "Three");
    expect(site.asked.at(-1)?.model.ref).toBe("mock/model");
  }
});

test("a larger model that the budget does not bear is passed over", async () => {
  const turns = [answer("One done."), answer("Two done.", compactAt), answer("Three done.")];
  const site = promoting({ turns, summaries: [answer(summaryText)] });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: ${words(500)}`);
  await site.harness.prompt(sessionId, "Two");
  await site.harness.prompt(sessionId, "Three", { budgetUsdMax: 0.5 });
  expect(result(site)).toMatchObject({ text: "Three done.", transitions: ["context_compacted"] });
});
