/** Proves that one damaged row breaks one message: never the search, verify, the listing, the tail or another session. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { emptySession, FailureError, type MessageView, type Store } from "@kedge/protocol";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate, migrations } from "../src/sqlite/migrations.ts";
import { createSqliteStore } from "../src/sqlite/sqlite-store.ts";
import { created } from "./sample-facts.ts";
import { appended } from "./store-site.ts";
import { conversation } from "./view-facts.ts";

let folder: string;
let database: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-damaged-"));
  database = new DatabaseSync(join(folder, "kedge.db"));
  migrate(database, migrations);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As another process would open it: with nothing in memory. */
function open(): Store {
  const place = { path: join(folder, "kedge.db"), blobsDirectory: join(folder, "blobs") };
  return createSqliteStore(database, undefined, { ...place, now: () => 1000, randomBytes, isAlive: () => true });
}

/** Long enough that parts refer to the facts that hold their texts. */
const long = "harbour ".repeat(40);

async function fill(): Promise<void> {
  const store = open();
  for (const sessionId of ["ses_1", "ses_2"]) {
    const talk = [1, 2, 3].flatMap((step) => conversation(step, `${long} number${step}`));
    await appended(store, sessionId, [created, ...talk]);
    await store.catchUp(sessionId);
  }
}

const messagesOf = async (sessionId: string) => (await open().messages(sessionId, { limit: 100 })).messages;

/** The sentence of a failure; anything else that is thrown is a bug. */
async function sentenceOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return error.failure.message;
  }
}

function differing(before: readonly MessageView[], after: readonly MessageView[]): readonly string[] {
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  return before.flatMap((message, index) =>
    JSON.stringify(message) === JSON.stringify(after[index]) ? [] : [message.id],
  );
}

const derived = [
  ["part", "data", "key"],
  ["part", "refs", "key"],
  ["message", "data", "place"],
  ["session_view", "data", "session"],
] as const;

const ownSession = "session = (SELECT key FROM session WHERE id = 'ses_1')";

test.each(derived)("bytes flipped in %s.%s", async (table, column, by) => {
  const random = createSeededRandom();
  await fill();
  const [one, other] = [await messagesOf("ses_1"), await messagesOf("ses_2")];
  const shown = await open().sessionView("ses_1");
  const rows = database
    .prepare(`SELECT ${by} AS name, ${column} AS text FROM ${table} WHERE ${ownSession} AND ${column} IS NOT NULL`)
    .all() as unknown as readonly { readonly name: number; readonly text: string }[];
  expect(rows.length).toBeGreaterThan(0);
  const put = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${ownSession} AND ${by} = ?`);
  for (let round = 0; round < rounds({ usual: 15, long: 1_000 }); round += 1) {
    const row = rows[random.below(rows.length)];
    if (row === undefined) throw new Error("no row");
    const damaged = damage(row.text, random.below);
    put.run(damaged, row.name);
    const after = await messagesOf("ses_1");
    expect(differing(one, after).length).toBeLessThanOrEqual(1);
    for (const { parts } of after) for (const part of parts) expect(typeof part.type).toBe("string");
    expect(await messagesOf("ses_2")).toEqual(other);
    const hits = await open().search({ text: "number2", limit: 10 });
    expect(hits.some(({ sessionId }) => sessionId === "ses_2")).toBe(true);
    const report = await open().verify("ses_1");
    if (table !== "session_view" && differing(one, after).length === 1) expect(report.valid).toBe(false);
    expect((await open().verify("ses_2")).valid).toBe(true);
    if (table === "session_view" && !isJson(damaged)) expect(await open().sessionView("ses_1")).toEqual(shown);
    put.run(row.text, row.name);
  }
  expect(await messagesOf("ses_1")).toEqual(one);
});

test.each(["data", "content"])("bytes flipped in the %s of a fact", async (column) => {
  const random = createSeededRandom();
  await fill();
  const other = await messagesOf("ses_2");
  const rows = database
    .prepare(`SELECT pos, ${column} AS text FROM fact WHERE ${ownSession} AND ${column} IS NOT NULL`)
    .all() as unknown as readonly { readonly pos: number; readonly text: string }[];
  const put = database.prepare(`UPDATE fact SET ${column} = ? WHERE pos = ?`);
  for (let round = 0; round < rounds({ usual: 15, long: 1_000 }); round += 1) {
    const row = rows[random.below(rows.length)];
    if (row === undefined) throw new Error("no row");
    put.run(damage(row.text, random.below), row.pos);
    // With the derived tables as they are, and made anew.
    for (const text of ["SELECT 1", forget]) {
      database.exec(text);
      await sentenceOf(() => messagesOf("ses_1"));
      await sentenceOf(() => open().fold(emptySession("ses_1")));
      expect(await messagesOf("ses_2")).toEqual(other);
      const hits = await open().search({ text: "number2", limit: 10 });
      expect(hits.some(({ sessionId }) => sessionId === "ses_2")).toBe(true);
      const tail = [];
      for await (const { record } of open().tail(0)) if (record.sessionId === "ses_2") tail.push(record.seq);
      expect(tail).toHaveLength(19);
      expect((await open().sessions({ limit: 10 })).map(({ sessionId }) => sessionId).sort()).toEqual([
        "ses_1",
        "ses_2",
      ]);
    }
    expect((await open().verify("ses_1")).valid).toBe(false);
    expect((await open().verify("ses_2")).valid).toBe(true);
    put.run(row.text, row.pos);
    database.exec(forget);
    await open().catchUp("ses_1");
  }
});

test("a damaged part says so, and the message keeps its others", async () => {
  await fill();
  database.exec(`UPDATE part SET data = '{' WHERE ${ownSession} AND instr(data, '"tool"') > 0 AND message = 2`);
  const [, answer] = await messagesOf("ses_1");
  const text = "[This part of the message is damaged. Run kedge session verify ses_1.]";
  const damaged = answer?.parts.filter((part) => part.type === "text" && part.text === text) ?? [];
  expect(damaged).toMatchObject([{ isSynthetic: true, isIgnored: true }]);
  expect(answer?.parts.some((part) => part.type === "text" && part.text === "done")).toBe(true);
});

const forget = `UPDATE session SET projected = 0 WHERE id = 'ses_1'; DELETE FROM message WHERE ${ownSession};
  DELETE FROM todo WHERE ${ownSession}; DELETE FROM usage WHERE ${ownSession};
  DELETE FROM part_text WHERE rowid IN (SELECT key FROM part WHERE ${ownSession});
  DELETE FROM part WHERE ${ownSession}; DELETE FROM session_view WHERE ${ownSession};`;

/** One to three characters changed, or the end cut off. */
function damage(text: string, below: (limit: number) => number): string {
  if (below(5) === 0) return text.slice(0, below(text.length));
  let damaged = text;
  for (let count = 0; count <= below(3); count += 1) {
    const at = below(damaged.length);
    const code = damaged.charCodeAt(at) ^ (1 << below(7));
    damaged = damaged.slice(0, at) + String.fromCharCode(code || 1) + damaged.slice(at + 1);
  }
  return damaged === text ? `${text}x` : damaged;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
