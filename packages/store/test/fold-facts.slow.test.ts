/** Opening a session gives the very state that applying each of its records gives, and leaves the database as it was. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { applyRecord, emptySession, type Fact, type SessionState, type Store } from "@kedge/protocol";
import { createSeededRandom, randomSession } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate, migrations } from "../src/sqlite/migrations.ts";
import { createSqliteStore } from "../src/sqlite/sqlite-store.ts";
import { created, prompt } from "./sample-facts.ts";
import { appended, readAll } from "./store-site.ts";
import { conversation, ended } from "./view-facts.ts";

let folder: string;
let database: DatabaseSync;
let store: Store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-fold-"));
  const path = join(folder, "kedge.db");
  database = new DatabaseSync(path);
  migrate(database, migrations);
  const place = { path, blobsDirectory: join(folder, "blobs") };
  store = createSqliteStore(database, undefined, { ...place, now: () => 1000, randomBytes, isAlive: () => true });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function foldedByRecords(sessionId: string): Promise<SessionState> {
  const state = emptySession(sessionId);
  for await (const record of store.read(sessionId, 0)) applyRecord(state, record);
  return state;
}

async function folded(sessionId: string): Promise<SessionState> {
  const state = emptySession(sessionId);
  await store.fold(state);
  return state;
}

const pagesKept = () => database.prepare("PRAGMA cache_size").get()?.["cache_size"];

test("random sessions, cut off anywhere, with content removed, and taken up in the middle", async () => {
  const random = createSeededRandom();
  for (let round = 0; round < 20; round += 1) {
    const sessionId = `ses_${round}`;
    const facts = randomSession(random, { steps: 12 + random.below(40) });
    const middle = random.below(facts.length);
    await appended(store, sessionId, facts.slice(0, 1 + middle));
    const midway = await folded(sessionId);
    expect(midway).toEqual(await foldedByRecords(sessionId));
    const end = middle + random.below(facts.length - middle);
    const records = await appended(store, sessionId, facts.slice(1 + middle, 1 + end));
    const digests = records.flatMap(({ digest = "" }) => (digest === "" || random.below(8) > 0 ? [] : [digest]));
    const expected = await foldedByRecords(sessionId);
    await store.fold(midway);
    expect(midway).toEqual(expected);
    expect(await folded(sessionId)).toEqual(expected);
    await store.removeContent(sessionId, digests, { reason: "test", by: "test", boot: "boot-1" });
    expect(await folded(sessionId)).toEqual(await foldedByRecords(sessionId));
  }
});

test("facts that the state keeps as they are hold nothing but their own fields", async () => {
  const asked = { requestId: "q1", callId: "c1", tool: "bash", kind: "execute", patterns: ["ls"], always: [] };
  const kept = [
    { type: "job.started", jobId: "j1", callId: "c1", command: "sleep 1" },
    { type: "permission.asked", stepId: "s1", ...asked, reason: "it runs a program" },
    ended(1),
  ] as const;
  // The request has the fields that matter here; the others are none of the store's business.
  await appended(store, "ses_1", [created, ...(kept as unknown as readonly Fact[])]);
  const { jobs, permissionRequests, lastRun } = await folded("ses_1");
  expect([jobs.get("j1"), permissionRequests.get("q1"), lastRun]).toStrictEqual(kept);
  expect(await folded("ses_1")).toStrictEqual(await foldedByRecords("ses_1"));
});

test("content that lies in a file is part of it", async () => {
  await appended(store, "ses_1", [created, prompt("x".repeat(400_000))]);
  const state = await folded("ses_1");
  expect(state.queue.map(({ text }) => text.length)).toEqual([400_000]);
  expect(state).toEqual(await foldedByRecords("ses_1"));
});

test("a session that nobody stored stays empty", async () => {
  expect(await folded("ses_none")).toEqual(emptySession("ses_none"));
});

test("a missing record is found, although the ones around it are not read", async () => {
  await appended(store, "ses_1", [created, ...conversation(1, "first"), ...conversation(2, "second")]);
  database.exec("DELETE FROM fact WHERE type = 'tool.started' AND seq < 7");
  await expect(folded("ses_1")).rejects.toThrow("facts 5 to 5 of ses_1 are missing");
});

test("a damaged record is named, and those before it can be read", async () => {
  const facts = Array.from({ length: 600 }, (_, index) => prompt(`prompt ${index}`));
  const records = await appended(store, "ses_1", facts);
  database.exec("UPDATE fact SET data = substr(data, 1, 40) WHERE seq = 550");
  await expect(folded("ses_1")).rejects.toThrow("Record 550 of session ses_1 is damaged.");
  const read: unknown[] = [];
  const reading = async () => {
    for await (const record of store.read("ses_1", 500)) read.push(record);
  };
  await expect(reading()).rejects.toThrow("Record 550 of session ses_1 is damaged.");
  expect(read).toEqual(records.slice(500, 549));
});

test("a record whose sealed content is damaged is named as well", async () => {
  await appended(store, "ses_1", [created, ...conversation(1, "first")]);
  database.exec("UPDATE fact SET content = substr(content, 1, 20) WHERE type = 'tool.ended'");
  await expect(folded("ses_1")).rejects.toThrow("Record 6 of session ses_1 is damaged.");
});

test("the pages that SQLite may keep are as many afterwards as before", async () => {
  await appended(
    store,
    "ses_1",
    Array.from({ length: 600 }, (_, index) => prompt(`prompt ${index}`)),
  );
  database.exec("PRAGMA cache_size=-12345");
  const seen = new Set<unknown>();
  for await (const { seq } of store.read("ses_1", 0)) {
    if (seq === 300) await store.fold(emptySession("ses_1"));
    if (seq === 256 || seq === 400) seen.add(pagesKept());
    if (seq === 500) break;
  }
  expect([...seen]).toEqual([-12345, -2000]);
  expect(pagesKept()).toBe(-12345);
  await store.verify("ses_1");
  await store.messages("ses_1", { limit: 1 });
  expect((await readAll(store, "ses_1")).length).toBe(600);
  expect(pagesKept()).toBe(-12345);
});

test("a reader that came to its end stays there", async () => {
  await appended(store, "ses_1", [created]);
  const reader = store.read("ses_1", 0)[Symbol.asyncIterator]();
  expect((await reader.next()).value).toMatchObject({ seq: 1 });
  expect(await reader.next()).toEqual({ done: true, value: undefined });
  await appended(store, "ses_1", [prompt("later")]);
  expect(await reader.next()).toEqual({ done: true, value: undefined });
});
