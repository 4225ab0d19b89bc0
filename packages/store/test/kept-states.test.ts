/** A kept state is the very fold of the facts it stands for, is used only where that is sure, and keeps nothing that was removed. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { applyRecord, emptySession, type SessionState, type Store } from "@kedge/protocol";
import { createSeededRandom, randomSession } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate, migrations } from "../src/sqlite/migrations.ts";
import { createSqliteStore } from "../src/sqlite/sqlite-store.ts";
import { created, prompt } from "./sample-facts.ts";
import { appended } from "./store-contract.ts";
import { conversation } from "./view-facts.ts";

let folder: string;
let path: string;
let database: DatabaseSync;
let store: Store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-kept-"));
  path = join(folder, "kedge.db");
  database = new DatabaseSync(path);
  database.exec("PRAGMA secure_delete=ON");
  migrate(database, migrations);
  store = open("build-1");
});
afterEach(async () => {
  if (database.isOpen) database.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(mark: string, factsMin = 1): Store {
  const place = { path, blobsDirectory: join(folder, "blobs") };
  const world = { now: () => 1000, randomBytes, isAlive: () => true };
  return createSqliteStore(database, undefined, { ...place, ...world, keptTexts: { mark, factsMin } });
}

async function foldedByRecords(sessionId: string): Promise<SessionState> {
  const state = emptySession(sessionId);
  for await (const record of store.read(sessionId, 0)) applyRecord(state, record);
  return state;
}

async function folded(sessionId: string, from = store): Promise<SessionState> {
  const state = emptySession(sessionId);
  await from.fold(state);
  return state;
}

const kept = () => database.prepare("SELECT piece, seq FROM kept_text WHERE kind = 'state' ORDER BY piece").all();
const keptSeq = () => kept()[0]?.["seq"];

/** Whoever reads one of these facts fails. */
function breakFactsUpTo(seq: number): void {
  database.prepare("UPDATE fact SET data = 'broken' WHERE seq <= ?").run(seq);
}

async function keptConversation(): Promise<{ readonly expected: SessionState; readonly seq: number }> {
  await appended(store, "ses_1", [created, ...conversation(1, "first"), ...conversation(2, "second")]);
  const expected = await foldedByRecords("ses_1");
  await store.keepState(await folded("ses_1"));
  return { expected, seq: expected.lastSeq };
}

test("random sessions, kept anywhere, gone on with, with content removed", async () => {
  const random = createSeededRandom(process.env["KEDGE_SEED"]);
  console.log(`seed ${random.seed}`);
  for (let round = 0; round < 20; round += 1) {
    const sessionId = `ses_${round}`;
    const facts = randomSession(random, { steps: 12 + random.below(40) });
    const middle = random.below(facts.length);
    const records = await appended(store, sessionId, facts.slice(0, 1 + middle));
    await store.keepState(await folded(sessionId));
    expect(await folded(sessionId)).toStrictEqual(await foldedByRecords(sessionId));
    expect(await store.verify(sessionId)).toMatchObject({ valid: true });
    await appended(store, sessionId, facts.slice(1 + middle));
    const expected = await foldedByRecords(sessionId);
    const state = await folded(sessionId);
    expect(state).toStrictEqual(expected);
    // What the model sees and what the tree holds are the same objects, as after a fold.
    expect(state.items.every((item) => state.tree.get(item.id)?.item === item)).toBe(true);
    const digests = records.flatMap(({ digest = "" }) => (digest === "" || random.below(8) > 0 ? [] : [digest]));
    await store.removeContent(sessionId, digests, { reason: "test", by: "test", boot: "boot-1" });
    expect(await folded(sessionId)).toStrictEqual(await foldedByRecords(sessionId));
  }
});

test("opening reads only the facts after it", async () => {
  const { expected, seq } = await keptConversation();
  breakFactsUpTo(seq);
  expect(await folded("ses_1")).toStrictEqual(expected);
  expect(await folded("ses_1", open("build-1"))).toStrictEqual(expected);
});

test("a state that another program kept is not used", async () => {
  const { seq } = await keptConversation();
  breakFactsUpTo(seq);
  await expect(folded("ses_1", open("build-2"))).rejects.toThrow("Record 1 of session ses_1 is damaged.");
});

test("a state that another program kept is written over", async () => {
  const { expected, seq } = await keptConversation();
  const other = open("build-2");
  await other.keepState(await folded("ses_1", other));
  breakFactsUpTo(seq);
  expect(await folded("ses_1", other)).toStrictEqual(expected);
});

test.each([
  ["its last record is another one", "UPDATE fact SET hash = 'other' WHERE seq = (SELECT max(seq) FROM fact)"],
  ["its tree is missing", "DELETE FROM kept_text WHERE kind = 'state' AND piece = 1"],
  ["its first text is missing", "DELETE FROM kept_text WHERE kind = 'state' AND piece = 0"],
  ["a text is cut off", "UPDATE kept_text SET data = substr(data, 1, length(data) / 2) WHERE piece = 1"],
  ["the first text is cut off", "UPDATE kept_text SET data = substr(data, 1, length(data) / 2) WHERE piece = 0"],
  ["it is that of another session", "UPDATE kept_text SET data = replace(data, 'ses_1', 'ses_2') WHERE piece = 0"],
])("it is not used when %s", async (_, damage) => {
  const { expected } = await keptConversation();
  database.exec(damage);
  expect(await folded("ses_1")).toStrictEqual(expected);
});

test("verify finds a kept state that is not the fold of its facts", async () => {
  await keptConversation();
  expect(await store.verify("ses_1")).toMatchObject({ valid: true });
  database.exec("UPDATE kept_text SET data = replace(data, 'first', 'forged') WHERE piece = 1");
  const what = "the projection differs from its records: the kept state";
  expect(await store.verify("ses_1")).toMatchObject({ valid: false, problem: { what } });
});

test("removed content is gone from it and from the file", async () => {
  const records = await appended(store, "ses_1", [created, ...conversation(1, "the key is hunter2-and-more")]);
  await store.keepState(await folded("ses_1"));
  const isThere = () => readFileSync(path).includes("hunter2");
  expect(isThere()).toBe(true);
  const why = { reason: "secret", by: "user", boot: "boot-1" };
  const sealed = records.flatMap(({ digest }) => digest ?? []);
  expect(await store.removeContent("ses_1", sealed, why)).toMatchObject({ ok: true });
  expect(kept()).toEqual([]);
  expect(isThere()).toBe(false);
});

test("a deleted session keeps none", async () => {
  await keptConversation();
  await store.deleteSession("ses_1", { by: "user", boot: "boot-1" });
  await store.keepState(await folded("ses_1"));
  expect(kept()).toEqual([]);
});

test("a state that is behind the facts is not kept", async () => {
  await appended(store, "ses_1", [created, ...conversation(1, "first")]);
  const behind = await folded("ses_1");
  await appended(store, "ses_1", conversation(2, "second"));
  await store.keepState(behind);
  expect(kept()).toEqual([]);
});

test("short sessions keep none, and it is written anew only after the session has grown by an eighth", async () => {
  const patient = open("build-1", 10);
  const keepAt = async (facts: number) => {
    const before = (await patient.session("ses_1"))?.lastSeq ?? 0;
    await appended(
      patient,
      "ses_1",
      Array.from({ length: facts - before }, (_, index) => (before + index === 0 ? created : prompt(`${index}`))),
    );
    await patient.keepState(await folded("ses_1", patient));
    return keptSeq();
  };
  expect(await keepAt(9)).toBe(undefined);
  expect(await keepAt(10)).toBe(10);
  expect(await keepAt(19)).toBe(10);
  expect(await keepAt(100)).toBe(100);
  expect(await keepAt(114)).toBe(100);
  expect(await keepAt(115)).toBe(115);
});

test("long content is spread over several texts", async () => {
  const facts = [1, 2, 3].flatMap((step) => conversation(step, `${step} ${"long ".repeat(120_000)}`));
  await appended(store, "ses_1", [created, ...facts]);
  await store.keepState(await folded("ses_1"));
  expect(kept().length).toBe(5);
  expect(await folded("ses_1")).toStrictEqual(await foldedByRecords("ses_1"));
});

test("they are dropped when the database is made as small as it can be", async () => {
  const { expected } = await keptConversation();
  const wish = { graceMs: 0, isDryRun: false };
  await store.collectGarbage({ ...wish, isDryRun: true, isThorough: true });
  await store.collectGarbage(wish);
  expect(kept()).not.toEqual([]);
  await store.collectGarbage({ ...wish, isThorough: true });
  expect(kept()).toEqual([]);
  expect(await folded("ses_1")).toStrictEqual(expected);
});
