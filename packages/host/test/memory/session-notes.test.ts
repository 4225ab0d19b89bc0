/** What a session decided outlives its summaries, and what did not work is kept as a candidate. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Kedge } from "../../src/index.ts";
import { type LearningSite, openLearningSite } from "./learning-site.ts";

let site: LearningSite;
let kedge: Kedge;

afterEach(async () => {
  await kedge?.close();
  await site.remove();
});

const summary = (decision: string) =>
  [
    "## Goal\nMake the import faster.",
    `## Decisions and why\n- ${decision}`,
    "## Discoveries\nnone",
    "## Failed approaches\n- Caching rows made the import slower, because rows change.",
    "## Current state and next step\nMeasure again.",
  ].join("\n");

/** A summary must be shorter than what it stands for. */
const long = (text: string) => `${text} ${"Some words about the import. ".repeat(200)}`;

test("decisions add up over summaries and stand before the conversation from then on", async () => {
  let summaries = 0;
  site = await openLearningSite({
    settings: { memory: { extract: "on", extractEvery: 100 }, compaction: { keepRecentTokens: 1 } },
    main: ({ raw }) =>
      raw.toString().includes("Write the record of this session")
        ? { text: summary(`Decision ${++summaries} stands.`) }
        : { text: "Yes." },
  });
  kedge = await site.open();
  const sessionId = await site.session(kedge);
  for (const text of ["Begin.", "Go on."].map(long)) await site.prompt(kedge, sessionId, text);
  const compact = () => kedge.door.send<"context.compact">({ type: "context.compact", sessionId });
  expect(await compact()).toEqual({ ok: true, value: expect.anything() });
  for (const text of ["More.", "Still more."].map(long)) await site.prompt(kedge, sessionId, text);
  const first = site.mains().at(-1)?.raw.toString();
  expect(await compact()).toEqual({ ok: true, value: expect.anything() });
  await site.prompt(kedge, sessionId, "What did we decide?");
  const notes = readFileSync(join(site.memory, "notes", `${sessionId}.md`), "utf8");
  expect(notes).toBe(
    "## Goal\nMake the import faster.\n\n## Decisions and why\n- Decision 1 stands.\n- Decision 2 stands.\n\n## Current state and next step\nMeasure again.\n",
  );
  const request = site.mains().at(-1)?.raw.toString() ?? "";
  expect(request).toContain('source=\\"session notes\\"');
  expect(request).toContain("Decisions from earlier in this session:\\n- Decision 1 stands.");
  expect(first).not.toContain("session notes");
  await expect.poll(() => site.names("inbox")).toEqual(["failed-approaches.md"]);
  expect(site.read("inbox/failed-approaches.md")).toContain("Caching rows made the import slower");
});

test("in daily-log mode a turn adds lines to the log of the day, and no topics", async () => {
  site = await openLearningSite({
    settings: { memory: { extract: "on", dailyLog: true } },
    aside: () => ({ text: "- The user moved the release to 2026-04-01.\n- Deploys run on Fridays.\nThat is all." }),
  });
  kedge = await site.open({ now: () => new Date(2026, 2, 10, 9, 5).getTime() });
  const sessionId = await site.session(kedge);
  const extracted = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "The release moves to April.");
  expect(await extracted).toMatchObject({ outcome: "searched", paths: [] });
  expect(site.read("logs/2026/03/2026-03-10.md")).toBe(
    "# 2026-03-10\n\n- 09:05 The user moved the release to 2026-04-01.\n- 09:05 Deploys run on Fridays.\n",
  );
  expect(site.names("inbox")).toEqual([]);
  expect(await site.command(kedge, sessionId, "/dream")).toContain("1 log");
  expect(site.asides().at(-1)?.raw.toString()).toContain("09:05 Deploys run on Fridays.");
});

test("in daily-log mode the prompt names the pattern of the log, the day is told once, and midnight breaks no prefix", async () => {
  site = await openLearningSite({ settings: { memory: { extract: "off", dailyLog: true } } });
  let now = new Date(2026, 2, 10, 23, 50).getTime();
  kedge = await site.open({ now: () => now });
  const sessionId = await site.session(kedge);
  await site.prompt(kedge, sessionId, "One.");
  await site.prompt(kedge, sessionId, "Two.");
  now += 20 * 60_000;
  await site.prompt(kedge, sessionId, "Three.");
  type Told = { readonly role: string; readonly content?: unknown };
  const told = site.mains().map(({ raw }) => (JSON.parse(raw.toString()) as { messages: readonly Told[] }).messages);
  const days = told.map((messages) => JSON.stringify(messages).match(/Today is \S+?\./g) ?? []);
  const [first, second] = ["Today is 2026-03-10.", "Today is 2026-03-11."];
  expect(days).toEqual([[first], [first], [first, second]]);
  expect(told[2]?.slice(0, told[1]?.length)).toEqual(told[1]);
  expect(JSON.stringify(told[2]?.[0])).toContain(`${site.memory}/logs/YYYY/MM/YYYY-MM-DD.md`);
});
