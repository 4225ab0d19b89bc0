/** Old and new facts: the older one never wins silently. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { draft, type MemorySite, openMemorySite, recallable } from "./memory-site.ts";

let site: MemorySite;
beforeEach(() => {
  site = openMemorySite();
});
afterEach(() => site.remove());

const stated = { origin: "user-stated" } as const;

/** Older, newer, and whether the newer one says clearly that it takes the place of the other. */
const pairs: readonly (readonly [older: string, newer: string, isClear: boolean])[] = [
  ["The project uses vitest for unit tests", "Unit tests migrated to jest", true],
  ["uses vitest", "migrated to jest", true],
  ["Packages are installed with npm", "Packages are installed with pnpm", false],
  ["Packages are installed with npm", "We switched to pnpm; packages no longer come from npm", true],
  ["The database is PostgreSQL 14", "The database is MySQL", false],
  ["The database runs on PostgreSQL", "As of 2026-02-01 the database runs on SQLite", true],
  ["As of 2026-03-01 the database runs on SQLite", "As of 2025-01-01 the database moved to MySQL", false],
  ["Indent source files with tabs", "Indent source files with spaces", false],
  ["Deploys to production happen on Friday", "Deploys to production happen on Tuesday", false],
  ["Deploys to production happen on Friday", "Production deploys moved to Tuesday", true],
  [
    "The staging server listens on port 8080 behind nginx",
    "The staging server listens on port 9090 behind nginx",
    false,
  ],
  [
    "Integration tests need the docker daemon running",
    "Integration tests do not need the docker daemon running",
    false,
  ],
  [
    "Integration tests need the docker daemon running",
    "Integration tests no longer need the docker daemon running",
    true,
  ],
  ["The API is REST, described in openapi.yaml", "The API was replaced by GraphQL", true],
  ["Linting is done with eslint", "Linting is done with biome", false],
  ["CI runs on Jenkins", "CI runs on CircleCI since 2026-01-15", true],
  ["Tickets live in Jira", "Tickets live in Linear", false],
  ["Answer the user in German", "Answer the user in English", false],
  ["Merge pull requests with squash", "Merge pull requests with rebase", false],
  [
    "Minimum supported runtime version is Node 20",
    "Minimum supported runtime version is now Node 24, upgraded on 2026-02-02",
    true,
  ],
];

test.each(pairs)("%s → %s", async (older, newer, isClear) => {
  const store = site.open();
  await store.save(draft(older, { slug: "older" }), stated);
  const saved = await store.save(draft(newer, { slug: "newer" }), stated);
  const expected = isClear ? { superseded: ["older"], disputed: [] } : { superseded: [], disputed: ["older"] };
  expect(saved).toMatchObject(expected);
  const { topics, index = "" } = await store.read();
  const statusOf = (slug: string) => topics.find(({ topic }) => topic.slug === slug)?.topic.status;
  expect([statusOf("older"), statusOf("newer")]).toEqual(isClear ? ["superseded", "active"] : ["disputed", "disputed"]);
  expect(index.includes("(older.md)")).toBe(!isClear);
  if (isClear) return;
  expect(index).toContain("(older.md) (disputed by newer)");
  expect(index).toContain("(newer.md) (disputed by older)");
  await store.prefer("newer", "older");
  expect((await recallable(store)).map(({ topic }) => [topic.slug, topic.status])).toEqual([["newer", "active"]]);
});

test.each([
  ["The project uses vitest for unit tests", "End-to-end scenarios live in the folder e2e"],
  ["Deploys to production happen on Friday", "The changelog is written by hand"],
  ["The user speaks German at home", "Documentation was translated and moved to English"],
  ["The user prefers short answers", "The database runs on PostgreSQL"],
])("facts about other things stay apart: %s, %s", async (one, other) => {
  const store = site.open();
  await store.save(draft(one, { slug: "one" }), stated);
  expect(await store.save(draft(other, { slug: "other" }), stated)).toMatchObject({ superseded: [], disputed: [] });
});

test("what waits in the inbox contradicts nothing until it is let in", async () => {
  const store = site.open();
  await store.save(draft("Linting is done with eslint", { slug: "older" }), stated);
  await store.save(draft("Linting is done with biome", { slug: "newer" }), { origin: "tool-derived" });
  const statuses = async () => (await recallable(store)).map(({ topic }) => [topic.slug, topic.status]);
  expect(await statuses()).toEqual([["older", "active"]]);
  await store.accept("newer");
  expect(await statuses()).toEqual([
    ["newer", "disputed"],
    ["older", "disputed"],
  ]);
});

test("a model's verdict settles what speaks of the same without a plain contradiction", async () => {
  const store = site.open();
  await store.save(draft("Release notes list breaking changes first", { slug: "older" }), stated);
  const saved = await store.save(draft("Release notes list breaking changes at the end", { slug: "newer" }), stated);
  expect(saved).toMatchObject({ related: ["older"] });
  await store.settle("newer", "older", "conflict");
  expect((await recallable(store)).map(({ topic }) => topic.status)).toEqual(["disputed", "disputed"]);
  await store.settle("newer", "older", "successor");
  expect((await recallable(store)).map(({ topic }) => [topic.slug, topic.status])).toEqual([["newer", "active"]]);
});
