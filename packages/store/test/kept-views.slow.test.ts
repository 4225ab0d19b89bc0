/** What is derived is brought up to date from a kept view, with the same outcome as from the first fact on. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { applyToView, emptyView, type Store, type ViewState } from "@kedge/protocol";
import { createSeededRandom, randomSession, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { foldFiles } from "../src/fold-files.ts";
import { migrate, migrations } from "../src/sqlite/migrations.ts";
import { createSqliteStore } from "../src/sqlite/sqlite-store.ts";
import { created } from "./sample-facts.ts";
import { appended } from "./store-site.ts";
import { conversation } from "./view-facts.ts";

let folder: string;
let database: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-kept-"));
  database = new DatabaseSync(join(folder, "kedge.db"));
  migrate(database, migrations);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As another process would open it: with nothing in memory. */
function open(mark = "build-1"): Store {
  const place = { path: join(folder, "kedge.db"), blobsDirectory: join(folder, "blobs") };
  const world = { now: () => 1000, randomBytes, isAlive: () => true };
  return createSqliteStore(database, undefined, { ...place, ...world, keptTexts: { mark, factsMin: 1 } });
}

const files = () => foldFiles(join(folder, "folds"));
const keptTexts = () => [...files().texts("1.view")];
/** The first text says what the others are. */
const keptSeq = () => (keptTexts()[0] === undefined ? undefined : JSON.parse(keptTexts()[0] ?? "").seq);

async function freshView(store: Store, sessionId: string, upTo = Number.POSITIVE_INFINITY): Promise<ViewState> {
  const view = emptyView(sessionId);
  for await (const record of store.read(sessionId, 0)) if (record.seq <= upTo) applyToView(view, record);
  return view;
}

test("random sessions, in slices, each by another process, with content removed", async () => {
  const random = createSeededRandom();
  let kept = 0;
  for (let round = 0; round < rounds({ usual: 6, long: 60 }) || kept <= 6; round += 1) {
    const sessionId = `ses_${round}`;
    const facts = randomSession(random, { steps: 12 + random.below(40) });
    for (let from = 0; from < facts.length; ) {
      const to = Math.min(facts.length, from + 1 + random.below(30));
      const store = open();
      const records = await appended(store, sessionId, facts.slice(from, to));
      await store.catchUp(sessionId);
      const view = await store.keptView(sessionId);
      if (view !== undefined) {
        kept += 1;
        expect(view).toEqual(await freshView(store, sessionId, view.skeleton.lastSeq));
      }
      const digests = records.flatMap(({ digest = "" }) => (digest === "" || random.below(20) > 0 ? [] : [digest]));
      await store.removeContent(sessionId, digests, { reason: "test", by: "test", boot: "boot-1" });
      from = to;
    }
    const store = open();
    expect(await store.sessionView(sessionId)).toEqual((await freshView(store, sessionId)).session);
    expect(await store.verify(sessionId)).toMatchObject({ valid: true });
  }
});

test("another process reads only the facts after it", async () => {
  const first = open();
  await appended(first, "ses_1", [created, ...conversation(1, "first")]);
  await first.catchUp("ses_1");
  expect(keptSeq()).toBe(7);
  database.exec("UPDATE fact SET data = 'broken' WHERE type = 'session.created'");
  const second = open();
  await appended(second, "ses_1", conversation(2, "second"));
  const { messages } = await second.messages("ses_1", { limit: 10 });
  expect(messages.map(({ id }) => id)).toEqual(["msg_p1", "msg_s1", "msg_p2", "msg_s2"]);
  const third = open("build-2");
  await appended(third, "ses_1", conversation(3, "third"));
  await expect(third.messages("ses_1", { limit: 10 })).rejects.toThrow("Record 1 of session ses_1 is damaged.");
});

test("verify finds one that is not the fold of its facts", async () => {
  const store = open();
  await appended(store, "ses_1", [created, ...conversation(1, "first")]);
  await store.catchUp("ses_1");
  expect(await store.verify("ses_1")).toMatchObject({ valid: true });
  const forged = keptTexts().map((text) => text.replaceAll("mock/small", "mock/large"));
  files().write("1.view", forged);
  const what = "the projection differs from its records: the kept view";
  expect(await store.verify("ses_1")).toMatchObject({ valid: false, problem: { what } });
});

test("it is not kept in the middle of a run", async () => {
  const store = open();
  await appended(store, "ses_1", [created, ...conversation(1, "first").slice(0, -1)]);
  await store.catchUp("ses_1");
  expect(keptSeq()).toBeUndefined();
});

test("it is never further than what is derived, so that nothing is left out", async () => {
  const store = open();
  await appended(store, "ses_1", [created, ...conversation(1, "first")]);
  await store.catchUp("ses_1");
  database.exec("DELETE FROM part; DELETE FROM message; UPDATE session SET projected = 0");
  const { messages } = await open().messages("ses_1", { limit: 10 });
  expect(messages.map(({ id, parts }) => [id, parts.length])).toEqual([
    ["msg_p1", 1],
    ["msg_s1", 4],
  ]);
});
