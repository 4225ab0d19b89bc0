/** What only the SQLite store promises of derived tables: that they equal a fresh fold however they came about. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Fact, Store } from "@kedge/protocol";
import { createSeededRandom, randomSession, type SeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMemoryStore } from "../src/memory-store.ts";
import { openSqliteStore } from "../src/sqlite/open-sqlite-store.ts";
import { listSql } from "../src/sqlite/session-list.ts";
import type { SqliteStoreOptions } from "../src/sqlite/sqlite-store.ts";
import { querySql } from "../src/sqlite/view-queries.ts";
import { created, prompt } from "./sample-facts.ts";
import { appended, readAll, validReport } from "./store-site.ts";
import { conversation } from "./view-facts.ts";

let folder: string;
let options: SqliteStoreOptions;
let time: number;
const opened: Store[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-views-"));
  time = 1_700_000_000_000;
  options = {
    path: join(folder, "kedge.db"),
    blobsDirectory: join(folder, "blobs"),
    now: () => time,
    randomBytes,
    isAlive: () => true,
  };
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function openStore(given: Partial<SqliteStoreOptions> = {}): Store {
  const outcome = openSqliteStore({ ...options, ...given });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  opened.push(outcome.store);
  return outcome.store;
}

function behind<Result>(work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(options.path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const forget = `UPDATE session SET projected = 0; DELETE FROM message; DELETE FROM todo; DELETE FROM usage;
  DELETE FROM part_text WHERE rowid IN (SELECT key FROM part); DELETE FROM part;`;

/** Everything that was derived, without the keys of rows. */
function derivedRows() {
  return behind((database) =>
    [
      "SELECT session, id, role, data FROM message ORDER BY session, place",
      "SELECT * FROM todo",
      "SELECT * FROM usage",
      "SELECT id, projected FROM session ORDER BY id",
    ].map((text) => database.prepare(text).all()),
  );
}

/** What a store answers, whatever it keeps. */
async function answers(store: Store, sessionIds: readonly string[]) {
  const whole = [];
  for (const sessionId of sessionIds) {
    const all = await store.messages(sessionId, { limit: 10_000 });
    const paged = [];
    let page = await store.messages(sessionId, { limit: 3 });
    while (paged.unshift(...page.messages) < all.messages.length && page.before !== undefined) {
      page = await store.messages(sessionId, { limit: 3, before: page.before });
    }
    whole.push({ all, isPagedAlike: JSON.stringify(paged) === JSON.stringify(all.messages) });
  }
  const searches = ["do", "prm_000002", "a", "lantern", "file", "the answer"];
  const hits = [];
  for (const text of searches) hits.push(await store.search({ text, limit: 50 }));
  hits.push(await store.search({ text: "lantern", role: "user", limit: 5 }));
  return { whole, hits, sessions: await store.sessions({ limit: 100 }) };
}

/** Long enough to be referred to, and with words to look for. */
function lengthen(fact: Fact, random: SeededRandom): Fact {
  const long = () => (random.next() < 0.5 ? ` lantern ${random.below(1000)}`.repeat(1 + random.below(40)) : "");
  if (fact.type === "prompt.admitted") return { ...fact, text: fact.text + long() };
  if (fact.type === "tool.ended") return { ...fact, output: fact.output + long() };
  if (fact.type !== "step.ended") return fact;
  const content = fact.content.map((block) =>
    block.type === "text" ? { ...block, text: block.text + long() } : block,
  );
  return { ...fact, content };
}

describe("derived tables", () => {
  test("are the same in slices, at once, made anew, and in memory", async () => {
    const random = createSeededRandom();
    const sessionIds = ["ses_1", "ses_2", "ses_3"];
    const memory = createMemoryStore({ now: () => time, randomBytes, isAlive: () => true });
    const sliced = openStore();
    for (const sessionId of sessionIds) {
      const facts = randomSession(random, { steps: 40 }).map((fact) => lengthen(fact, random));
      for (let at = 0; at < facts.length; ) {
        const batch = facts.slice(at, at + 1 + random.below(4));
        at += batch.length;
        time += 1 + random.below(3);
        await appended(sliced, sessionId, batch);
        await appended(memory, sessionId, batch);
        if (random.next() < 0.2) await sliced.catchUp(sessionId);
        // A second process, which has no fold of its own yet.
        if (random.next() < 0.02) await openStore().catchUp(sessionId);
      }
    }
    const inSlices = await answers(sliced, sessionIds);
    const rows = derivedRows();
    expect(inSlices, `seed ${random.seed}`).toEqual(await answers(memory, sessionIds));
    expect(inSlices.whole.every((session) => session.isPagedAlike)).toBe(true);
    for (const sessionId of sessionIds) expect(await sliced.verify(sessionId)).toMatchObject({ valid: true });
    behind((database) => database.exec(forget));
    expect(await answers(openStore(), sessionIds), `seed ${random.seed}`).toEqual(inSlices);
    expect(derivedRows(), `seed ${random.seed}`).toEqual(rows);
  });

  test("stay the same when random content is removed, also by another process", async () => {
    const random = createSeededRandom();
    const [store, other] = [openStore(), openStore()];
    const facts = randomSession(random, { steps: 60 }).map((fact) => lengthen(fact, random));
    const half = Math.floor(facts.length / 2);
    for (const fact of facts.slice(0, half)) {
      time += 1;
      await appended(store, "ses_1", [fact]);
    }
    await store.catchUp("ses_1");
    const digests = (await readAll(other, "ses_1")).flatMap((record) => record.digest ?? []);
    const chosen = digests.filter(() => random.next() < 0.3);
    await other.removeContent("ses_1", chosen, { reason: "scrub", by: "user", boot: "boot-1" });
    await other.messages("ses_1", { limit: 1 });
    await appended(store, "ses_1", facts.slice(half));
    const here = await answers(store, ["ses_1"]);
    expect(await store.verify("ses_1"), `seed ${random.seed}`).toMatchObject({ valid: true });
    behind((database) => database.exec(forget));
    expect(await answers(openStore(), ["ses_1"]), `seed ${random.seed}`).toEqual(here);
  });

  test("keep nothing of a piece that failed, and are made whole by the next", async () => {
    let isBroken = true;
    const redact = (text: string) => {
      if (isBroken && text.includes("prompt 700")) throw new RangeError("no redaction left");
      return text;
    };
    const store = openStore({ redact });
    const facts = Array.from({ length: 900 }, (_, index) => prompt(`prompt ${index}`, `p${index}`));
    await appended(store, "ses_1", [created, ...facts]);
    await expect(store.catchUp("ses_1")).rejects.toThrow(RangeError);
    const count = () => behind((database) => database.prepare("SELECT count(*) AS n FROM message").get()?.["n"]);
    expect([count(), behind((db) => db.prepare("SELECT projected FROM session").get())]).toEqual([
      639,
      { projected: 640 },
    ]);
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 901, 0));
    isBroken = false;
    expect((await store.messages("ses_1", { limit: 1000 })).messages).toHaveLength(900);
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 901, 0));
  });

  test.each([
    ["UPDATE part SET data = replace(data, 'quiet', 'loud')", "message msg_p1"],
    ["DELETE FROM message WHERE place = 2", "message msg_p1"],
    ["UPDATE usage SET output = output + 1", "the usage"],
    ["INSERT INTO todo VALUES (1, 0, 'more', 'pending', 'low')", "the todos"],
    ["DELETE FROM part_text WHERE rowid = (SELECT min(key) FROM part)", "the search"],
  ])("are compared with the records: %s", async (change, what) => {
    const store = openStore();
    await appended(store, "ses_1", [created, ...conversation(1, "a quiet day")]);
    await store.catchUp("ses_1");
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 7, 0));
    behind((database) => database.exec(change));
    expect((await store.verify("ses_1")).problem).toEqual({
      seq: 7,
      what: `the projection differs from its records: ${what}`,
    });
  });

  test("hold no word of what was removed, nor does the file", async () => {
    const store = openStore();
    const texts = [
      "quicksilverword small",
      `mercuryword ${"long ".repeat(100)}`,
      `platinumword ${"x ".repeat(200_000)}`,
    ];
    await appended(store, "ses_1", [created, ...texts.flatMap((text, index) => conversation(index + 1, text))]);
    await appended(store, "ses_2", [created, ...conversation(1, "something else")]);
    for (const word of ["quicksilver", "mercury", "platinum"]) {
      expect(await store.search({ text: word, limit: 5 })).toHaveLength(1);
    }
    await store.deleteSession("ses_1", { by: "user", boot: "boot-1" });
    for (const word of ["quicksilver", "mercury", "platinum"]) {
      expect(await store.search({ text: word, limit: 5 })).toEqual([]);
      for (const suffix of ["", "-wal"]) {
        const path = options.path + suffix;
        expect(existsSync(path) && readFileSync(path).includes(word)).toBe(false);
      }
    }
    expect((await store.storageUse()).blobBytes).toBe(0);
    expect(await store.search({ text: "something", limit: 5 })).toHaveLength(1);
  });

  test("of a damaged session do not keep others from being found", async () => {
    const store = openStore();
    await appended(store, "ses_1", [created, ...conversation(1, "a harbour")]);
    await appended(store, "ses_2", [created, ...conversation(2, "another harbour")]);
    behind((database) => database.exec("UPDATE fact SET data = 'x' WHERE pos = 3"));
    expect((await store.search({ text: "harbour", limit: 5 })).map((hit) => hit.sessionId)).toEqual(["ses_2"]);
    await expect(store.messages("ses_1", { limit: 5 })).rejects.toThrow("Record 3 of session ses_1 is damaged.");
    behind((database) => database.exec("DELETE FROM fact WHERE pos = 2"));
    await expect(store.messages("ses_1", { limit: 5 })).rejects.toThrow("Record 2 of session ses_1 is damaged.");
  });
});

describe("queries", () => {
  const plan = (text: string) =>
    behind((database) => database.prepare(`EXPLAIN QUERY PLAN ${text}`).all()).map((row) => String(row["detail"]));

  test("look nothing up by reading a whole table", async () => {
    await appended(openStore(), "ses_1", [created]);
    expect(plan(listSql({ projectId: "p", limit: 1 }).text)[0]).toBe(
      "SEARCH session USING INDEX session_by_project (project_id=?)",
    );
    expect(plan(listSql({ directory: "/d", limit: 1 }).text)[0]).toBe(
      "SEARCH session USING INDEX session_by_directory (directory=?)",
    );
    expect(plan(listSql({ parentId: "s", limit: 1 }).text)[0]).toBe(
      "SEARCH session USING INDEX session_by_parent (parent_id=?)",
    );
    expect(plan(querySql.lastMessages)).toEqual(["SEARCH message USING PRIMARY KEY (session=? AND place<?)"]);
    expect(plan(querySql.partsBetween)).toEqual([
      "SEARCH part USING INDEX sqlite_autoindex_part_1 (session=? AND message>? AND message<?)",
    ]);
  });

  test("answer from a database of the first schema, which is kept beside", async () => {
    const dump = readFileSync(new URL("./fixtures/schema-1.sql", import.meta.url), "utf8");
    behind((database) => database.exec(dump));
    const store = openStore();
    expect(existsSync(`${options.path}.version-1.backup`)).toBe(true);
    expect(await store.sessions({ projectId: "project-old", limit: 5 })).toEqual(
      ["ses_old2", "ses_old1"].map((sessionId, index) => ({
        sessionId,
        isArchived: false,
        projectId: "project-old",
        directory: "/old",
        title: `Where is the lighthouse of ${sessionId}?`,
        model: "mock/small",
        createdAt: 1_690_000_000_004 - index * 4,
        updatedAt: 1_690_000_000_007 - index * 4,
        lastSeq: 4,
      })),
    );
    expect((await store.search({ text: "harbour", limit: 5 })).map((hit) => hit.sessionId)).toEqual([
      "ses_old2",
      "ses_old1",
    ]);
    expect((await store.messages("ses_old1", { limit: 5 })).messages.map((message) => message.role)).toEqual([
      "user",
      "assistant",
    ]);
    expect(await store.verify("ses_old1")).toEqual(validReport("ses_old1", 4, 0));
    expect(behind((database) => database.prepare("SELECT sum(usd) AS usd FROM usage").get())).toEqual({ usd: 1 });
  });
});
