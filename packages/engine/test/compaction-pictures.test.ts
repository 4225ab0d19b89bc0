/** The older part of a conversation as pictures: no model is asked, and the next pass goes on with them. */
import { expect, test } from "vitest";
import { answer, compactAt, compactions, openSite, summaryText, threeTurns, words } from "./compaction-site.ts";

const compaction = { settings: { strategy: "snapcompact" } } as const;
/** The scripted model reads pictures once anything is said about it. */
const seeing = { reasoning: "none", compaction } as const;

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47]).toString("base64").slice(0, 5);

async function longTurns(options: Parameters<typeof threeTurns>[1]) {
  const site = openSite({
    turns: [
      answer("One done."),
      answer("Two done.", compactAt),
      answer("Three done."),
      answer("Four done.", compactAt),
      answer("Five."),
    ],
    summaries: [answer(summaryText)],
    ...options,
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: hunter2 ${words(9_000)}`);
  await site.harness.prompt(sessionId, "Two");
  await site.harness.prompt(sessionId, `Three: ${words(15_000, "text ")}`);
  await site.harness.prompt(sessionId, "Four");
  await site.harness.prompt(sessionId, "Five");
  return { ...site, sessionId };
}

test("pictures take the place of the words, and a second pass keeps the first of them", async () => {
  const { harness, asked, summaries } = await longTurns(seeing);
  expect(summaries).toEqual([]);
  const [first, second] = compactions(harness.facts());
  expect(first).toMatchObject({
    strategy: "snapcompact",
    firstKeptId: "prm_2",
    archive: { tail: expect.any(String), dropped: 0 },
    usage: { input: 0, output: 0 },
    cost: { usd: 0 },
    boundary: { strategy: "snapcompact" },
  });
  expect(first?.frames?.length).toBeGreaterThan(0);
  expect(first?.frames?.[0]).toMatchObject({ mediaType: "image/png", base64: expect.stringMatching(`^${pngStart}`) });
  expect(second?.frames?.[0]).toEqual(first?.frames?.[0]);
  const shown = asked[2]?.messages[0];
  expect(shown).toMatchObject({ role: "user", media: first?.frames });
  expect(JSON.stringify(first)).not.toContain("hunter2");
});

test("a model that reads no pictures gets words, and the user is told", async () => {
  const { harness, summaries } = await longTurns({ compaction });
  expect(summaries.length).toBeGreaterThan(0);
  expect(compactions(harness.facts())[0]).toMatchObject({
    strategy: "summary",
    summary: expect.stringContaining("Goal"),
  });
  const told = harness
    .signals()
    .filter((signal) => signal.type === "notice" && signal.text.includes("does not accept images"));
  expect(told.length).toBeGreaterThan(0);
});

test("what would be larger as pictures, what the user says how to sum up, and what cannot be drawn stay words", async () => {
  const small = await threeTurns(compactAt, seeing);
  expect(compactions(small.harness.facts())[0]).toMatchObject({ strategy: "summary" });

  const asked = openSite({
    turns: [answer("One done."), answer("Two done.")],
    summaries: [answer(summaryText)],
    ...seeing,
  });
  const sessionId = await asked.harness.open("bypass");
  await asked.harness.prompt(sessionId, `One: ${words(9_000)}`);
  await asked.harness.prompt(sessionId, "Two");
  await asked.harness.engine.send({ type: "context.compact", sessionId, instructions: "keep names" });
  expect(compactions(asked.harness.facts())[0]).toMatchObject({ strategy: "summary" });

  const drawn = openSite({
    turns: [answer("One done."), answer("Two done.")],
    summaries: [answer(summaryText)],
    ...seeing,
  });
  const other = await drawn.harness.open("bypass");
  await drawn.harness.prompt(other, `One: ${words(9_000, "\u4e2d\u6587 ")}`);
  await drawn.harness.prompt(other, "Two");
  await drawn.harness.engine.send({ type: "context.compact", sessionId: other });
  expect(compactions(drawn.harness.facts())[0]).toMatchObject({ strategy: "summary" });
});

test("the layout, the number of pictures and what is printed of results are the user's choice", async () => {
  const frames = async (snapcompact: object) => {
    const { harness } = await longTurns({ reasoning: "none", compaction: { ...compaction, snapcompact } });
    return compactions(harness.facts()).map(({ frames: made, archive }) => [made?.length, archive?.dropped]);
  };
  const usual = await frames({});
  const dense = await frames({ shape: "8x8u" });
  expect(dense[1]?.[0]).toBeLessThan(Number(usual[1]?.[0]));
  expect(await frames({ framesMax: 1 })).toEqual([
    [1, 0],
    [1, 0],
  ]);
});
