/** The search over conversations and memory, on a real store: ranked, filtered, without secrets, gone with its session. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemoryStore } from "@kedge/memory/topics";
import type { Fact, FoundRecord, SearchQuery } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { searchRecords } from "./search-records.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-search-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const redact = (text: string) => text.replaceAll("hunter2", "[x]");

async function openSessions(said: { readonly [sessionId: string]: readonly string[] }) {
  const store = createMemoryStore({
    now: () => 1_000,
    isAlive: () => true,
    randomBytes: (size: number) => Buffer.alloc(size, 1),
    redact,
  });
  for (const [sessionId, texts] of Object.entries(said)) {
    const created: Fact = {
      ...{ type: "session.created", directory: "/p", projectId: "p", model: "m/m", mode: "default" },
      ...{ kedgeVersion: "1", boot: "b" },
    };
    const prompts = texts.map(
      (text, at): Fact => ({
        type: "prompt.admitted",
        promptId: `prm_${sessionId}${at}`,
        runId: "r",
        delivery: "steer",
        text,
      }),
    );
    await store.append(sessionId, [created, ...prompts], { boot: "b", durable: false });
  }
  const place = { state: "on", directory: join(directory, "memory") } as const;
  const topics = openMemoryStore({
    ...{ directory: place.directory, now: () => 1_000, redact, acceptInferred: false },
    newToken: () => randomUUID(),
  });
  const memory = { place, openStore: async () => topics };
  const find = (text: string, more: Partial<SearchQuery> = {}) =>
    searchRecords({ text, limit: 20, projectId: "p", ...more }, { search: store.search, memory, redact });
  return { store, topics, find };
}

const sessionsOf = (found: readonly FoundRecord[]) =>
  found.map((each) => (each.kind === "note" ? each.file : each.sessionId));

test("a question finds messages that have some of its words in other forms, the best first", async () => {
  const { find } = await openSessions({
    ses_a: ["We migrated the ledger to Postgres in spring."],
    ses_b: ["The ledger is green.", "Lunch at noon."],
  });
  expect(sessionsOf(await find("When did we migrate ledgers?"))).toEqual(["ses_a", "ses_b"]);
  expect(await find("When did we migrate ledgers?", { limit: 1 })).toHaveLength(1);
  expect(sessionsOf(await find("ledger", { sessionId: "ses_b" }))).toEqual(["ses_b"]);
});

test("topics are found beside them, without secrets, and not where a filter asks for messages", async () => {
  const { find, topics } = await openSessions({ ses_a: ["Nothing about it."] });
  const body = `Deploys go out on Mondays with hunter2. ${"x".repeat(500)}`;
  const draft = { name: "Deploys", description: "When we deploy", type: "project" } as const;
  await topics.save({ ...draft, body, slug: "deploy" }, { origin: "user-stated" });
  await topics.save({ ...draft, body: "Deploys go out on Sundays.", slug: "waiting" }, { origin: "agent-inferred" });
  const found = await find("deploy day mondays");
  expect(found).toEqual([
    { kind: "note", file: "deploy.md", snippet: expect.stringMatching(/^Deploys .* with \[x\]\. x{200}/) },
  ]);
  expect(found[0]?.snippet.length).toBe(300);
  expect(await find("deploy day mondays", { role: "user" })).toEqual([]);
});

test("what was said is found without its secrets", async () => {
  const { find } = await openSessions({ ses_a: ["The frobnicator wants hunter2 as its word."] });
  expect(JSON.stringify(await find("frobnicator word"))).toContain("[x]");
  expect(JSON.stringify(await find("frobnicator word"))).not.toContain("hunter2");
  expect(await find("hunter2")).toEqual([]);
});

test("what was said in a deleted session is found no more", async () => {
  const { find, store } = await openSessions({ ses_a: ["The frobnicator is broken."] });
  expect(await find("frobnicator")).toHaveLength(1);
  await store.deleteSession("ses_a", { by: "user", boot: "b" });
  expect(await find("frobnicator")).toEqual([]);
});
