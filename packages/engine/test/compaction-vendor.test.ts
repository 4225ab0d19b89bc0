/** What a vendor made of the conversation is kept beside the summary, and nothing depends on it. */
import type { ModelRequest, Provider, VendorCompaction } from "@kedge/protocol";
import { expect, test } from "vitest";
import {
  answer,
  callOf,
  compactAt,
  compactions,
  contextFacts,
  failing,
  notices,
  openSite,
  recordIn,
  result,
  type SiteOptions,
  summaryText,
  threeTurns,
  words,
} from "./compaction-site.ts";
import { createTool } from "./harness.ts";

const usage = { input: 800, output: 60, reasoning: 20, cacheRead: 0, cacheWrite: 0 };
const history = { provider: "mock", family: "model", json: '{"type":"compaction"}', tokens: 40 };
const done: VendorCompaction = { ok: true, history, usage };

/** A vendor that answers so, and what it was asked. */
function vendorOf(answered: VendorCompaction | undefined) {
  const asked: ModelRequest[] = [];
  const vendor: NonNullable<Provider["compact"]> = async (request) => {
    asked.push(structuredClone(request));
    return answered;
  };
  return { asked, vendor };
}

const play = (vendor: NonNullable<Provider["compact"]>, options: Partial<SiteOptions> = {}) =>
  threeTurns(compactAt, { ...options, vendor });

test("the fact has both, what both cost, and the next request offers the model the one that it reads", async () => {
  const { asked, vendor } = vendorOf(done);
  const site = await play(vendor);
  const [compacted] = compactions(site.harness.facts());
  expect(contextFacts(site.harness.facts())).toEqual([
    {
      ...compacted,
      type: "context.compacted",
      strategy: "summary",
      summary: summaryText,
      vendorHistory: history,
      firstKeptId: "prm_2",
      itemsReplaced: 2,
      model: "mock/model",
      usage: { input: 890, output: 70, reasoning: 20, cacheRead: 0, cacheWrite: 0 },
      boundary: { ...compacted?.boundary, shortenedBy: "mock", summaryModel: "mock/model" },
    },
  ]);
  expect(asked).toMatchObject([{ source: "compaction", tools: [], system: site.asked[0]?.system }]);
  expect(asked[0]?.messages).toEqual([
    { role: "user", text: `One: ${words(500)}` },
    { role: "assistant", content: [{ type: "text", text: "One done." }], model: "mock/model" },
  ]);
  expect(site.asked[2]?.messages[0]).toEqual({
    role: "user",
    text: expect.stringContaining(summaryText),
    instead: { history, text: compacted?.restored.join("\n\n") },
  });
  expect(result(site)).toMatchObject({ reason: "completed", text: "Three done." });
});

test("a second time the vendor is given what it made the first time", async () => {
  const { asked, vendor } = vendorOf(done);
  const site = await play(vendor, {
    turns: [answer("One done."), answer("Two done.", compactAt), answer("Three done.", compactAt), answer("Four.")],
    summaries: [answer(summaryText), answer(summaryText)],
  });
  await site.harness.prompt("ses_1", "Four");
  expect(compactions(site.harness.facts())).toHaveLength(2);
  expect(asked[1]?.messages[0]).toMatchObject({ role: "user", instead: { history } });
});

test("secrets go to no vendor, since it leaves the words of the user standing", async () => {
  const { asked, vendor } = vendorOf(done);
  const site = await play(vendor, {
    turns: [answer("It is hunter2."), answer("Two done.", compactAt), answer("Three done.")],
  });
  expect(compactions(site.harness.facts())).toHaveLength(1);
  expect(JSON.stringify(asked)).toContain("[REDACTED:password]");
  expect(JSON.stringify(asked)).not.toContain("hunter2");
});

test("attachments are named and not sent, for the vendor would hand them back for good", async () => {
  const { asked, vendor } = vendorOf(done);
  const picture = { name: "shot.png", mediaType: "image/png", base64: "AAAA" };
  const look = createTool({ name: "look", run: async () => ({ output: words(500), title: "", media: [picture] }) });
  const site = openSite({
    turns: [callOf("a", "look", {}), answer("One done."), answer("Two done."), answer("Three done.")],
    summaries: [answer(summaryText)],
    tools: [look],
    vendor,
  });
  await site.harness.open("bypass");
  for (const text of ["One", "Two"]) await site.harness.prompt("ses_1", text);
  await site.harness.engine.send({ type: "context.compact", sessionId: "ses_1" });
  expect(asked[0]?.messages[2]).toEqual({
    role: "tool",
    callId: "a",
    tool: "look",
    output: `${words(500)}\n[shot.png (image/png, 1 KB) is not shown]`,
    isError: false,
    media: [],
  });
});

test("a vendor that fails is told of, and the summary stands alone; one that has no such thing is not told of", async () => {
  const failure = { code: "server_error", message: "It broke on hunter2.", retryable: true } as const;
  const failed = await play(vendorOf({ ok: false, failure }).vendor);
  expect(compactions(failed.harness.facts())).toMatchObject([{ summary: summaryText }]);
  expect(compactions(failed.harness.facts())[0]).not.toHaveProperty("vendorHistory");
  expect(notices(failed)).toContain(
    "mock could not compact the conversation: It broke on [REDACTED:password]. Using the summary instead.",
  );
  const without = await play(vendorOf(undefined).vendor);
  expect(compactions(without.harness.facts())).toHaveLength(1);
  expect(notices(without).filter((text) => text.includes("did not shorten"))).toEqual([]);
});

test("what is no smaller than what it stands for is paid for and not kept", async () => {
  const site = await play(vendorOf({ ok: true, history: { ...history, tokens: 100_000 }, usage }).vendor);
  const [compacted] = compactions(site.harness.facts());
  expect(compacted).toMatchObject({ summary: summaryText, usage: { input: 890 } });
  expect(compacted).not.toHaveProperty("vendorHistory");
});

test("without a summary there is no boundary, whatever the vendor made", async () => {
  const site = await play(vendorOf(done).vendor, { summaries: [failing("server_error")] });
  expect(contextFacts(site.harness.facts())).toMatchObject([
    { type: "compaction.failed", usage: { input: 800, output: 60 } },
  ]);
});

test("it is not asked where it is switched off, nor where the user says what to keep", async () => {
  const { asked, vendor } = vendorOf(done);
  const off = await play(vendor, { compaction: { settings: { remoteEnabled: false } } });
  expect(compactions(off.harness.facts())).toHaveLength(1);
  const told = await play(vendor, { turns: [answer("One done."), answer("Two done."), answer("Three done.")] });
  await told.harness.engine.send({ type: "context.compact", sessionId: "ses_1", instructions: "Keep names." });
  expect(compactions(told.harness.facts())).toHaveLength(1);
  expect(asked).toEqual([]);
  expect(recordIn(off.asked[2])).toContain(summaryText);
});
