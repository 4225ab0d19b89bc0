/** A summary is asked for with what the vendor has in its cache, where it has anything and nobody wants another model. */
import { expect, test } from "vitest";
import {
  answer,
  callOf,
  compactions,
  openSite,
  recordIn,
  type Site,
  type SiteOptions,
  summaryText,
  words,
} from "./compaction-site.ts";

/** Counts the same, and says that a part of it came from a cache. */
function cached(text: string) {
  const usage = { input: 40, output: 10, reasoning: 0, cacheRead: 50, cacheWrite: 0 };
  return [
    { type: "text-delta", text },
    { type: "end", stopReason: "end", usage },
  ] as const;
}

async function worked(options: Partial<SiteOptions> = {}): Promise<Site> {
  const site = openSite({
    turns: [cached(`One done. ${words(1_000)}`), cached("Two done.")],
    summaries: [answer(summaryText)],
    ...options,
  });
  await site.harness.open("bypass");
  await site.harness.prompt("ses_1", "Mend the parser.");
  await site.harness.prompt("ses_1", "Two");
  return site;
}

const compact = (site: Site, instructions?: string) =>
  site.harness.engine.send({
    type: "context.compact",
    sessionId: "ses_1",
    ...(instructions !== undefined && { instructions }),
  });

test("the request begins as the last one did, with the same tools, and ends with what is wanted", async () => {
  const site = await worked();
  expect(await compact(site, "Keep the error texts.")).toMatchObject({ ok: true });
  const [asked] = site.summaries;
  const last = site.asked.at(-1);
  expect(asked).toMatchObject({
    ...{ system: last?.system, tools: last?.tools, conversationId: "ses_1", source: "compaction" },
  });
  expect(asked?.messages.slice(0, last?.messages.length)).toEqual(last?.messages);
  const wanted = asked?.messages.at(-1);
  const text = wanted?.role === "user" ? wanted.text : "";
  expect(text).toContain("## Current state and next step");
  expect(text).toContain("The user asks for this in particular: Keep the error texts.");
  expect(compactions(site.harness.facts())).toMatchObject([{ shortSummary: "Mend the parser." }]);
});

const isText = (site: Site, index: number) => recordIn(site.summaries[index]).startsWith("<session-to-record>");

test("a model that calls tools instead is asked with the text, and both requests are paid", async () => {
  const site = await worked({ summaries: [callOf("c1", "read", {}), answer(summaryText)] });
  expect(await compact(site)).toMatchObject({ ok: true });
  expect([site.summaries.length, isText(site, 1)]).toEqual([2, true]);
  const [compacted] = compactions(site.harness.facts());
  expect(compacted?.usage).toMatchObject({ input: 90 + 90, output: 20 });
});

test("nothing is gained without a cache, with another model, or where there is no room left", async () => {
  const uncached = await worked({ turns: [answer(`One done. ${words(1_000)}`), answer("Two done.")] });
  await compact(uncached);
  const other = await worked({ hasLargeModel: true, compaction: { model: "mock/large" } });
  await compact(other);
  const usage = { input: 90_000, output: 10, reasoning: 0, cacheRead: 8_000, cacheWrite: 0 };
  const full = await worked({
    turns: [
      cached(`One done. ${words(1_000)}`),
      [
        { type: "text-delta", text: "Two done." },
        { type: "end", stopReason: "end", usage },
      ],
    ],
  });
  await compact(full);
  for (const site of [uncached, other, full]) expect([site.summaries.length, isText(site, 0)]).toEqual([1, true]);
});
