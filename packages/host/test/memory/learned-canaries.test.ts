/** Secrets in what a model says beside a session, each across the place where a store cuts: no part of one is kept. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import type { Kedge } from "../../src/index.ts";
import { type LearningSite, openLearningSite, topicFile } from "./learning-site.ts";

let site: LearningSite;
let kedge: Kedge;

afterEach(async () => {
  await kedge?.close();
  await site.remove();
});

const canaries = [
  "ghp_CANARY0123456789abcdefghijABCDEFGHIJ",
  "AKIACANARY0123456789",
  "xoxb-CANARY0123456789-abcdef",
  "AIzaCANARY0123456789abcdefghijABCDEFGHI",
];
const mark = /CANARY/;

/** With its first characters before the cap and the rest behind it. */
function across(cap: number, canary: string, random: ReturnType<typeof createSeededRandom>): string {
  return `${"word ".repeat(1_000).slice(0, cap - 1 - random.below(canary.length - 2))} ${canary} end`;
}

/** Everything below the folder of the project: topics, inbox, notes, logs, lessons, and what undo keeps. */
function everyByte(): string {
  return readdirSync(dirname(site.memory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"))
    .join("\n");
}

test.each(canaries)("topics, notes of summaries and lessons: %s", async (canary) => {
  const random = createSeededRandom();
  const cut = (cap: number) => across(cap, canary, random);
  const summary = `## Goal\n${cut(200)}\n## Decisions and why\n- ${cut(500)}\n## Failed approaches\n- ${cut(80)}\n- ${cut(200)}\n## Current state and next step\n${cut(4_096)}`;
  // Longer names and descriptions are refused.
  const drafted = topicFile(`Found ${canary}`, cut(4_096), cut(120));
  site = await openLearningSite({
    settings: { memory: { extract: "on" }, compaction: { keepRecentTokens: 1 } },
    main: ({ raw }) =>
      raw.toString().includes("Write the record of this session") ? { text: summary } : { text: `Yes, ${cut(160)}.` },
    aside: (_, nth) =>
      nth === 1
        ? { toolCalls: [{ name: "write", input: { filePath: join(site.memory, "found.md"), content: drafted } }] }
        : { text: "done" },
  });
  kedge = await site.open();
  const sessionId = await site.session(kedge);
  const extracted = site.next(kedge, sessionId, "memory.extracted");
  // The task of a lesson is cut at 200 characters.
  await site.prompt(kedge, sessionId, `${cut(200)} ${"Some words about the import. ".repeat(400)}`);
  expect(await extracted).toMatchObject({ outcome: "searched", paths: [expect.stringMatching(/^inbox\//)] });
  await site.prompt(kedge, sessionId, "More words about the import. ".repeat(400));
  await kedge.door.send<"context.compact">({ type: "context.compact", sessionId });
  await expect.poll(() => site.names("inbox")).toContain("failed-approaches.md");
  expect(site.names("notes")).toHaveLength(1);
  const kept = everyByte();
  expect(kept).toContain("les_");
  expect(kept).toContain("REDACTED");
  expect(kept, `seed ${random.seed}`).not.toMatch(mark);
});

test.each(canaries)("the daily log: %s", async (canary) => {
  const random = createSeededRandom();
  const line = across(500, canary, random);
  site = await openLearningSite({
    settings: { memory: { extract: "on", dailyLog: true } },
    aside: () => ({ text: `- ${line}\n- The key is ${canary}.` }),
  });
  kedge = await site.open({ now: () => new Date(2026, 2, 10, 9, 5).getTime() });
  const sessionId = await site.session(kedge);
  const extracted = site.next(kedge, sessionId, "memory.extracted");
  await site.prompt(kedge, sessionId, "Hello.");
  await extracted;
  expect(site.read("logs/2026/03/2026-03-10.md")).toContain("REDACTED");
  expect(everyByte(), `seed ${random.seed}`).not.toMatch(mark);
});
