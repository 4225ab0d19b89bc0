/** A kept state is the very fold of the facts it stands for, is used only where that is sure, and keeps nothing that was removed. */
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { applyRecord, emptySession, hasReleased, releaseItems, type SessionState, type Store } from "@kedge/protocol";
import { createSeededRandom, randomSession } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { foldFiles } from "../src/fold-files.ts";
import { migrate, migrations } from "../src/sqlite/migrations.ts";
import { createSqliteStore } from "../src/sqlite/sqlite-store.ts";
import { created, prompt } from "./sample-facts.ts";
import { appended } from "./store-site.ts";
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

const keptFiles = () => (existsSync(join(folder, "folds")) ? readdirSync(join(folder, "folds")) : []);
const files = () => foldFiles(join(folder, "folds"));
/** The first text says what the others are. */
const keptTexts = () => [...files().texts("1.state")];
const keptSeq = () => (keptTexts()[0] === undefined ? undefined : JSON.parse(keptTexts()[0] ?? "").seq);
const changeKept = (change: (texts: string[]) => readonly string[]) => files().write("1.state", change(keptTexts()));

const cutAt = (at: number) => (texts: string[]) => texts.with(at, texts[at]?.slice(0, 40) ?? "");

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
  const random = createSeededRandom();
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

test("a state that released what a summary stands for is kept whole", async () => {
  await appended(store, "ses_1", randomSession(createSeededRandom(), { steps: 60 }));
  const state = await folded("ses_1");
  state.items = [];
  releaseItems(state);
  expect(hasReleased(state)).toBe(true);
  await store.keepState(state);
  const expected = await foldedByRecords("ses_1");
  breakFactsUpTo(expected.lastSeq);
  expect(await folded("ses_1")).toStrictEqual(expected);
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

test.each<readonly [string, () => void]>([
  [
    "its last record is another one",
    () => database.exec("UPDATE fact SET hash = 'other' WHERE seq = (SELECT max(seq) FROM fact)"),
  ],
  ["its tree is missing", () => changeKept((texts) => texts.toSpliced(2, 1))],
  ["its first text is missing", () => changeKept((texts) => texts.toSpliced(1, 1))],
  ["its mark is cut off", () => changeKept(cutAt(0))],
  ["its first text is cut off", () => changeKept(cutAt(1))],
  ["its tree is cut off", () => changeKept(cutAt(2))],
  ["the file ends too early", () => truncateSync(join(folder, "folds", "1.state"), 900)],
  [
    "the file is something else",
    () => writeFileSync(join(folder, "folds", "1.state"), "something else, and long enough"),
  ],
  ["it is empty", () => changeKept(() => [])],
  ["it is that of another session", () => changeKept((texts) => texts.map((text) => text.replace("ses_1", "ses_2")))],
  ["it cannot be read", () => rmSync(join(folder, "folds", "1.state")) ?? mkdirSync(join(folder, "folds", "1.state"))],
])("it is not used when %s", async (_, damage) => {
  const { expected } = await keptConversation();
  damage();
  expect(await folded("ses_1")).toStrictEqual(expected);
});

test("it is for the owner alone, and nothing is left beside it", async () => {
  await keptConversation();
  expect(keptFiles()).toEqual(["1.state"]);
  expect([join(folder, "folds"), join(folder, "folds", "1.state")].map((file) => statSync(file).mode & 0o777)).toEqual([
    0o700, 0o600,
  ]);
});

test("a folder that cannot be written is no failure", async () => {
  writeFileSync(join(folder, "folds"), "");
  await appended(store, "ses_1", [created, ...conversation(1, "first")]);
  await store.keepState(await folded("ses_1"));
  expect(await folded("ses_1")).toStrictEqual(await foldedByRecords("ses_1"));
});

test("verify finds a kept state that is not the fold of its facts", async () => {
  await keptConversation();
  expect(await store.verify("ses_1")).toMatchObject({ valid: true });
  changeKept((texts) => texts.map((text) => text.replaceAll("first", "forged")));
  const what = "the projection differs from its records: the kept state";
  expect(await store.verify("ses_1")).toMatchObject({ valid: false, problem: { what } });
});

test("removed content is gone from it and from the file", async () => {
  const records = await appended(store, "ses_1", [created, ...conversation(1, "the key is hunter2-and-more")]);
  await store.keepState(await folded("ses_1"));
  const isThere = () => readFileSync(path).includes("hunter2") || keptTexts().join().includes("hunter2");
  expect(isThere()).toBe(true);
  const why = { reason: "secret", by: "user", boot: "boot-1" };
  const sealed = records.flatMap(({ digest }) => digest ?? []);
  expect(await store.removeContent("ses_1", sealed, why)).toMatchObject({ ok: true });
  expect(keptFiles()).toEqual([]);
  expect(isThere()).toBe(false);
});

test("a deleted session keeps none", async () => {
  await keptConversation();
  await store.deleteSession("ses_1", { by: "user", boot: "boot-1" });
  await store.keepState(await folded("ses_1"));
  expect(keptFiles()).toEqual([]);
});

test("a state that is behind the facts is not kept", async () => {
  await appended(store, "ses_1", [created, ...conversation(1, "first")]);
  const behind = await folded("ses_1");
  await appended(store, "ses_1", conversation(2, "second"));
  await store.keepState(behind);
  expect(keptFiles()).toEqual([]);
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
  expect(keptTexts().length).toBe(8);
  expect(await folded("ses_1")).toStrictEqual(await foldedByRecords("ses_1"));
});

test("they are dropped when the database is made as small as it can be", async () => {
  const { expected } = await keptConversation();
  const wish = { graceMs: 0, isDryRun: false };
  await store.collectGarbage({ ...wish, isDryRun: true, isThorough: true });
  await store.collectGarbage(wish);
  expect(keptFiles()).not.toEqual([]);
  await store.collectGarbage({ ...wish, isThorough: true });
  expect(keptFiles()).toEqual([]);
  expect(await folded("ses_1")).toStrictEqual(expected);
});
