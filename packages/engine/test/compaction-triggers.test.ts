/** Proves when a conversation is shortened, what a run does afterwards, and what it does where that fails. */
import type { Fact, ModelEvent } from "@kedge/protocol";
import { expect, test } from "vitest";
import {
  answer,
  callOf,
  compactAt,
  compactions,
  contextFacts,
  counted,
  notices,
  openSite,
  overflowAt,
  result,
  type Site,
  shown,
  summaryText,
  threeTurns,
  words,
} from "./compaction-site.ts";
import { createTool } from "./harness.ts";

/** What the third prompt counts for: "Three" is five characters. */
const promptTokens = 2;

test("one token below the threshold nothing happens, and at it the older part is summarised before the step", async () => {
  const below = await threeTurns(compactAt - promptTokens - 1);
  expect(contextFacts(below.harness.facts())).toEqual([]);
  expect(below.summaries).toEqual([]);
  const at = await threeTurns(compactAt - promptTokens);
  const [compacted] = compactions(at.harness.facts());
  expect(contextFacts(at.harness.facts())).toEqual([
    {
      type: "context.compacted",
      compactionId: "cmp_1",
      trigger: "threshold",
      strategy: "summary",
      summary: summaryText,
      shortSummary: "Mend the parser.",
      restored: [
        "<present-state>\nPermission mode: bypass.\n</present-state>",
        expect.stringMatching(/^<user-words>[\s\S]*One: word word[\s\S]*<\/user-words>$/),
      ],
      firstKeptId: "prm_2",
      files: { read: [], modified: [] },
      itemsReplaced: 2,
      tokensBefore: compactAt,
      tokensAfter: compacted?.tokensAfter,
      boundary: {
        trigger: "threshold",
        strategy: "summary",
        outcome: "compacted",
        tokensBefore: compactAt,
        tokensAfter: compacted?.tokensAfter,
        messageCount: 2,
        firstKeptId: "prm_2",
        isSplitTurn: false,
        preCompactDiscoveredTools: [],
        announcedTools: [],
        instructionHashes: [expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)],
        restoredFiles: [],
        mode: "bypass",
        todos: [],
        openJobs: [],
        pressure: "calm",
        summaryModel: "mock/model",
        usd: 0.00014,
      },
      model: "mock/model",
      usage: { input: 90, output: 10, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
      cost: { usd: 0.00014, estimated: false },
    },
  ]);
  expect(compacted?.tokensAfter).toBeLessThan(2_000);
  expect(shown(at.asked[2])).toEqual([
    "user: <conversation-record> What follows is a ",
    "user: Two",
    "assistant: Two done.",
    "user: Three",
  ]);
  expect(result(at)).toMatchObject({ reason: "completed", text: "Three done.", transitions: ["context_compacted"] });
});

test("the request after a summary begins with the same bytes of instructions and tools", async () => {
  const site = await threeTurns(compactAt, { tools: [createTool({ name: "look" })] });
  const [, before, after] = site.asked;
  expect([after?.system, after?.systemTail, after?.tools]).toEqual([before?.system, before?.systemTail, before?.tools]);
  expect(site.summaries[0]).toMatchObject({ source: "compaction", tools: [], outputTokensMax: 8_000 });
});

test("nothing is deleted: every fact and every place of the tree is still there", async () => {
  const site = await threeTurns(compactAt);
  const { harness } = site;
  const stored: Fact[] = [];
  for await (const { fact } of harness.store.read("ses_1", 0)) stored.push(fact);
  const said = stored.flatMap((fact) => (fact.type === "prompt.admitted" ? [fact.text.slice(0, 5)] : []));
  const answered = stored.flatMap((fact) => (fact.type === "step.ended" ? fact.content : []));
  expect(said).toEqual(["One: ", "Two", "Three"]);
  expect(answered).toEqual([
    { type: "text", text: "One done." },
    { type: "text", text: "Two done." },
    { type: "text", text: "Three done." },
  ]);
  const undone = await harness.engine.send({ type: "leaf.move", sessionId: "ses_1", entryId: "prm_2" });
  expect(undone).toMatchObject({ ok: true, value: { promptText: "Two" } });
  await harness.prompt("ses_1", "Another way");
  expect(shown(site.asked[3])).toEqual([
    "user: One: word word word word word word word ",
    "assistant: One done.",
    "user: Another way",
  ]);
});

test("inside a run the model is told once to go on, unless that is not wanted", async () => {
  const turns = [answer("One done."), callOf("a", "look", {}, compactAt), answer("Two done.")];
  const options = { tools: [createTool({ name: "look" })], turns, summaries: [answer(summaryText)] };
  const run = async (autoContinue: boolean) => {
    const site = openSite({ ...options, compaction: { settings: { autoContinue } } });
    const sessionId = await site.harness.open("bypass");
    await site.harness.prompt(sessionId, `One: ${words(500)}`);
    await site.harness.prompt(sessionId, "Two");
    expect(result(site)).toMatchObject({ text: "Two done.", transitions: ["tool_results", "context_compacted"] });
    return shown(site.asked[2], 80);
  };
  const told = await run(true);
  expect(told).toEqual([
    "user: <conversation-record> What follows is a record of the earlier part of this conversation, wh".slice(0, 86),
    "user: Two",
    "assistant: tool-call",
    "tool: look {}",
    "user: <system-reminder> The earlier part of this conversation was replaced by the record abo".slice(0, 86),
  ]);
  expect(await run(false)).toEqual(told.slice(0, -1));
});

test("what the user said in the middle of a run is still marked as such after a summary", async () => {
  const site: Site = openSite({
    tools: [
      createTool({
        name: "look",
        run: async () => {
          await site.harness.submit("ses_1", "Also this");
          return { output: "seen", title: "" };
        },
      }),
    ],
    turns: [answer("One done."), callOf("a", "look", {}, compactAt), answer("Two done.")],
    summaries: [answer(summaryText)],
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: ${words(500)}`);
  await site.harness.prompt(sessionId, "Two");
  expect(shown(site.asked[2]).at(-1)).toBe("user: <system-reminder> The user said this while yo".slice(0, 46));
});

test("what a summary costs counts for the budget of the run, and closes it", async () => {
  const site = await threeTurns(compactAt, {});
  const [first, second] = [compactions(site.harness.facts())[0], result(site)];
  expect(second).toMatchObject({
    usage: { input: 180, output: 20 },
    cost: { usd: (first?.cost.usd ?? 0) * 2 },
    usageByModel: { "mock/model": { input: 180, output: 20 } },
    turns: 1,
  });
  const dear = openSite({
    turns: [answer("One done."), answer("Two done.", compactAt), answer("never")],
    summaries: [answer(summaryText, 60_000)],
  });
  const sessionId = await dear.harness.open("bypass");
  await dear.harness.prompt(sessionId, `One: ${words(500)}`);
  await dear.harness.prompt(sessionId, "Two");
  await dear.harness.prompt(sessionId, "Three", { tokensMax: 50_000 });
  expect(result(dear)).toMatchObject({ reason: "error_max_budget", budget: "tokens", turns: 0 });
  expect(dear.harness.signals().filter(({ type }) => type === "budget.crossing")).toHaveLength(3);
  expect(dear.asked).toHaveLength(2);
});

test("an answer that fills the window is dropped and asked for again in a shorter conversation", async () => {
  const cut: readonly ModelEvent[] = [{ type: "text-delta", text: "Half" }, counted("output-limit", 95_000)];
  const site = openSite({
    turns: [answer("One done."), cut, answer("Whole.")],
    summaries: [answer(summaryText)],
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: ${words(500)}`);
  await site.harness.prompt(sessionId, "Two");
  expect(compactions(site.harness.facts()).map(({ trigger }) => trigger)).toEqual(["incomplete"]);
  expect(shown(site.asked[2]).slice(1)).toEqual(["user: Two"]);
  expect(result(site)).toMatchObject({ text: "Whole.", transitions: ["context_compacted"] });
});

test("the chosen strategy is followed: results move into artifacts, or the user is told of a new session", async () => {
  const written: string[] = [];
  const artifacts = {
    create: () => ({ number: 7, path: "", write: (text: string) => written.push(text), close: () => undefined }),
    pathOf: () => undefined,
    numbers: () => [],
  };
  const look = createTool({ name: "survey", run: async () => ({ output: words(10_000, "word\n"), title: "" }) });
  const shaken = openSite({
    tools: [look],
    turns: [
      callOf("a", "survey", {}),
      callOf("b", "survey", {}),
      callOf("c", "survey", {}),
      callOf("d", "survey", {}),
      answer("One done.", compactAt),
      answer("Two done."),
    ],
    compaction: { settings: { strategy: "shake" } },
    parts: { newArtifacts: () => artifacts },
  });
  const sessionId = await shaken.harness.open("bypass");
  await shaken.harness.prompt(sessionId, "One");
  await shaken.harness.prompt(sessionId, "Two");
  expect(contextFacts(shaken.harness.facts())).toMatchObject([{ type: "context.cleared", reason: "shaken" }]);
  expect(written.length).toBeGreaterThan(0);
  expect(result(shaken)).toMatchObject({ text: "Two done.", transitions: ["context_compacted"] });
  const full = await threeTurns(overflowAt, { compaction: { settings: { strategy: "handoff" } } });
  expect(compactions(full.harness.facts())).toHaveLength(1);
  const pictures = await threeTurns(compactAt, { compaction: { settings: { strategy: "snapcompact" } } });
  expect(compactions(pictures.harness.facts())).toMatchObject([{ strategy: "summary" }]);
  expect(notices(pictures)[0]).toContain("mock/model does not accept images. The conversation is summarized as text.");
});
