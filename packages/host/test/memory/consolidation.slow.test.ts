/** Topics are merged on demand and when it is due: under a lock, all at once, and only what they said before. */
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
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

const write = (slug: string, content: string) => ({
  name: "write",
  input: { filePath: join(site.memory, `${slug}.md`), content },
});

/** One turn that merges the second topic into the first. */
const merging = (_: MockRequest, nth: number): MockTurn =>
  nth === 1
    ? {
        toolCalls: [
          write("deploys", topicFile("deploys", mergedText, "Deploys run on Fridays.")),
          write("deploy-label", ""),
        ],
      }
    : { text: "done" };

const mergedText = "Deploys run on Fridays.\nDeploys need the label release.";

async function start(answers: Answers = {}): Promise<string> {
  site = await openLearningSite({
    ...answers,
    settings: { memory: { extract: "off", consolidate: false }, ...answers.settings },
  });
  site.topic("deploys", "Deploys run on Fridays.");
  site.topic("deploy-label", "Deploys need the label release.");
  kedge = await site.open();
  return site.session(kedge);
}

test("/dream merges topics, shows phases, diff and cost, and /memory undo restores them", async () => {
  const sessionId = await start({ aside: merging });
  await site.prompt(kedge, sessionId, "Hello.");
  const text = await site.command(kedge, sessionId, "/dream");
  expect(text).toMatch(/^Orient {7}2 topics\nGather {7}0 logs, 2 model calls\nConsolidate {2}2 drafts/);
  expect(text).toContain("+Deploys need the label release.");
  expect(text).toContain("\nCost: unknown\n");
  expect(site.read("deploys.md")).toContain(mergedText);
  expect(site.read("deploy-label.md")).toContain("superseded_by: deploys");
  const facts = await site.facts(kedge, sessionId);
  expect(facts.findLast(({ type }) => type === "memory.consolidated")).toMatchObject({
    ...{ trigger: "asked", outcome: "changed", paths: ["deploys.md", "deploy-label.md"], denials: [] },
  });
  expect(await site.command(kedge, sessionId, "/memory undo")).toMatch(/^Undone: Consolidate 2 files/);
  expect(site.read("deploys.md")).toBe(topicFile("deploys", "Deploys run on Fridays."));
});

test("/dream names what lint finds", async () => {
  const sessionId = await start();
  site.topic("links", "See [[gone]].");
  await site.prompt(kedge, sessionId, "Hello.");
  expect(await site.command(kedge, sessionId, "/dream")).toMatch(
    /\nLint: \d+ errors?, \d+ warnings?\. Run \/memory lint/,
  );
});

test("a dry run only shows it", async () => {
  const sessionId = await start({ aside: merging });
  const text = await site.command(kedge, sessionId, "/memory consolidate --dry-run");
  expect(text).toContain("2 files (dry run)");
  expect(site.read("deploys.md")).toBe(topicFile("deploys", "Deploys run on Fridays."));
  expect(existsSync(join(site.memory, ".store/consolidation"))).toBe(false);
});

test("what no topic said waits for review, and nothing is taken away for it", async () => {
  const sessionId = await start({
    aside: (_, nth) =>
      nth === 1 ? { toolCalls: [write("deploys", topicFile("deploys", "Deploys run on Mondays."))] } : { text: "done" },
  });
  expect(await site.command(kedge, sessionId, "/dream")).toContain("1 waiting for review");
  expect(site.names("inbox")).toEqual(["deploys.md"]);
  expect(site.read("deploys.md")).toContain("Fridays");
});

test("a consolidation that fails leaves everything as it was, and the next one may run", async () => {
  const sessionId = await start({
    aside: (_, nth) =>
      nth === 1 ? { toolCalls: [write("deploys", "")] } : nth === 2 ? { status: 400, body: "{}" } : { text: "done" },
  });
  expect(await site.command(kedge, sessionId, "/dream")).toMatch(/^Consolidation failed: /);
  expect(site.names()).toEqual(["MEMORY.md", "deploy-label.md", "deploys.md"]);
  expect(await site.command(kedge, sessionId, "/dream")).toContain("nothing changed");
});

const dayMs = 86_400_000;

/** As if the last time was so long ago. */
function consolidatedAgo(ms: number): void {
  mkdirSync(join(site.memory, ".store"), { recursive: true });
  const path = join(site.memory, ".store/consolidation");
  writeFileSync(path, "");
  const seconds = (Date.now() - ms) / 1_000;
  utimesSync(path, seconds, seconds);
}

test("it is done by itself once the time has passed and enough sessions were worked in", async () => {
  const memory = { extract: "off", consolidate: true, consolidateSessions: 2 };
  const sessionId = await start({ aside: merging, settings: { memory } });
  consolidatedAgo(2 * dayMs);
  await site.prompt(kedge, sessionId, "Hello.");
  const second = await site.session(kedge);
  const consolidated = site.next(kedge, second, "memory.consolidated");
  await site.prompt(kedge, second, "Hello.");
  expect(await consolidated).toMatchObject({ trigger: "due", outcome: "changed" });
  expect(site.asides()).toHaveLength(2);
  await site.prompt(kedge, second, "Hello again.");
  await kedge.close();
  expect(site.asides()).toHaveLength(2);
});

test("memory is checked with it once a week, and the user is told what needs a look", async () => {
  const memory = { extract: "off", consolidate: true, consolidateSessions: 1 };
  const sessionId = await start({ settings: { memory } });
  site.topic("links", "See [[gone]].");
  const consolidateIn = async (session: string) => {
    consolidatedAgo(2 * dayMs);
    const consolidated = site.next(kedge, session, "memory.consolidated");
    await site.prompt(kedge, session, "Hello.");
    await consolidated;
    await kedge.close();
  };
  await consolidateIn(sessionId);
  kedge = await site.open();
  await consolidateIn(await site.session(kedge));
  expect(site.notices.filter((notice) => notice.startsWith("Memory check:"))).toEqual([
    expect.stringMatching(/^Memory check: \d+ errors?, \d+ warnings?\. Run \/memory lint\.$/),
  ]);
});

test("an answer that drew on three sources is suggested once for filing, and nothing is saved by that", async () => {
  const read = (name: string) => ({ name: "read", input: { filePath: name } });
  const sessionId = await start({
    main: (_, nth) => (nth % 2 === 1 ? { toolCalls: ["a", "b", "c"].map(read) } : { text: "They agree." }),
  });
  for (const name of ["a", "b", "c"]) writeFileSync(join(site.project, name), name);
  const before = site.names();
  await site.prompt(kedge, sessionId, "Compare them.");
  await site.prompt(kedge, sessionId, "And again.");
  expect(site.notices.filter((notice) => notice.includes("/file"))).toEqual([
    "This answer drew on 3 sources. Save it to memory with /file [title].",
  ]);
  expect(site.names()).toEqual(before);
});

test("it is not due before the time has passed", async () => {
  const sessionId = await start({
    settings: { memory: { extract: "off", consolidate: true, consolidateSessions: 1 } },
  });
  consolidatedAgo(dayMs / 2);
  await site.prompt(kedge, sessionId, "Hello.");
  await kedge.close();
  expect(site.asides()).toEqual([]);
});
