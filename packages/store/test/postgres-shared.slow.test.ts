/** What only a store that several machines share promises: order, one writer, leases, first starts, processes that die. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Fact, PlacedRecord, Store } from "@kedge/protocol";
import { createSeededRandom, randomSession } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemoryStore } from "../src/index.ts";
import { migrations } from "../src/postgres/migrations.ts";
import { openPostgresStore } from "../src/postgres/open-postgres-store.ts";
import { createPostgresBench, type PostgresBench } from "./postgres-bench.ts";
import { created, prompt, sampleFacts } from "./sample-facts.ts";
import { appended, readAll, validReport } from "./store-site.ts";
import { conversation } from "./view-facts.ts";

let bench: PostgresBench;

beforeEach(async () => {
  bench = await createPostgresBench();
});
afterEach(() => bench.dispose());

const holder = (name: string, pid = 1) => ({ boot: name, pid, startedAt: "1" });

test("twenty first starts at once make one schema, and each of them can write", async () => {
  const stores = await Promise.all(Array.from({ length: 20 }, () => bench.open()));
  await Promise.all(stores.map((store, index) => appended(store, `ses_${index}`, [created, prompt("hello")])));
  expect(await bench.database.query("SELECT version FROM kedge.schema_version")).toEqual([
    { version: migrations.length },
  ]);
  expect(await stores[0]?.lastPosition()).toBe(40);
});

test("two stores that append to one session at once number and chain it without a gap", async () => {
  const stores = await Promise.all([bench.open(), bench.open()]);
  const append = async (store: Store, name: string) => {
    for (let turn = 0; turn < 25; turn += 1) await appended(store, "ses_1", [prompt(`${name} ${turn}`)]);
  };
  await Promise.all(stores.map((store, index) => append(store, `writer ${index}`)));
  expect(await stores[0]?.verify("ses_1")).toEqual(validReport("ses_1", 50, 0));
});

test("one of two processes writes a session, and the other is told who", async () => {
  const { url } = bench.database;
  const first = startProcess(url, "ses_1");
  expect(await first.next()).toBe("stored 1");
  const second = startProcess(url, "ses_1");
  expect(await second.next()).toBe(`held by boot-${first.pid}`);
  await first.kill();
  await second.kill();
  const store = await bench.open({ now: Date.now });
  const mine = { boot: "boot-9", durable: false };
  expect(await store.append("ses_1", [prompt("late")], mine)).toMatchObject({ ok: false, reason: "lease-lost" });
});

test("a process that is killed between append and catch-up leaves nothing that the next one does not mend", async () => {
  const dying = startProcess(bench.database.url, "ses_1", 3);
  for (const turn of [1, 2, 3]) expect(await dying.next()).toBe(`stored ${turn}`);
  await dying.kill();
  const store = await bench.open();
  expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 19, 0));
  expect((await store.search({ text: "turn", limit: 9 })).map((hit) => hit.messageId)).toEqual([
    "msg_p3",
    "msg_p2",
    "msg_p1",
  ]);
  expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 19, 0));
});

test("a holder on another machine is not looked at, and loses its lease by time alone", async () => {
  let time = 1_700_000_000_000;
  const world = { now: () => time, isAlive: () => false };
  const here = await bench.open({ ...world, machine: "here" });
  const there = await bench.open({ ...world, machine: "there" });
  expect(await there.acquireLease("ses_1", holder("boot-there"))).toEqual({ ok: true });
  expect(await here.acquireLease("ses_1", holder("boot-here"))).toMatchObject({ ok: false });
  expect([await here.heldSessions(), await there.heldSessions()]).toEqual([["ses_1"], []]);
  time += 31_000;
  expect(await here.acquireLease("ses_1", holder("boot-here"))).toEqual({ ok: true });
});

test("clocks that differ by an hour do not give a lease away", async () => {
  const now = Date.now();
  const here = await bench.open({ now: () => now, machine: "here" });
  const ahead = await bench.open({ now: () => now + 3_600_000, machine: "ahead" });
  await here.acquireLease("ses_1", holder("boot-here"));
  const outcome = await ahead.acquireLease("ses_1", holder("boot-ahead"));
  const left = outcome.ok ? 0 : outcome.expiresAt - (now + 3_600_000);
  expect([outcome.ok, left > 20_000 && left < 40_000]).toEqual([false, true]);
});

test("a reader of the tail misses and swaps nothing while many write", async () => {
  const random = createSeededRandom();
  const writers = await Promise.all(Array.from({ length: 4 }, () => bench.open({ now: Date.now })));
  const reader = await bench.open();
  let writing = writers.length;
  const write = async (store: Store, name: number) => {
    for (let turn = 0; turn < 40; turn += 1) {
      const facts = Array.from({ length: 1 + random.below(4) }, () => prompt("x".repeat(random.below(20_000))));
      await store.append(`ses_${name}`, facts, { boot: "boot-1", durable: random.below(3) === 0 });
    }
    writing -= 1;
  };
  const done = Promise.all(writers.map(write));
  const seen: PlacedRecord[] = [];
  const follow = async () => {
    for await (const placed of reader.tail(seen.at(-1)?.position ?? 0)) seen.push(placed);
  };
  while (writing > 0) await follow();
  await done;
  await follow();
  const positions = seen.map(({ position }) => position);
  expect(positions, `seed ${random.seed}`).toEqual(Array.from({ length: positions.length }, (_, index) => index + 1));
  expect(positions.at(-1)).toBe(await reader.lastPosition());
  for (const [name] of writers.entries()) {
    const own = seen.filter(({ record }) => record.sessionId === `ses_${name}`).map(({ record }) => record);
    expect(own).toEqual(await readAll(reader, `ses_${name}`));
  }
});

test("projections rebuilt from the facts are equal, in slices, at once, anew and in memory", async () => {
  const random = createSeededRandom();
  let time = 1_700_000_000_000;
  const now = () => time;
  const [store, other] = [await bench.open({ now }), await bench.open({ now })];
  const memory = createMemoryStore({ now, randomBytes, isAlive: () => true });
  const sessionIds = ["ses_1", "ses_2"];
  for (const sessionId of sessionIds) {
    const facts = randomSession(random, { steps: 30 });
    for (let at = 0; at < facts.length; ) {
      const batch = facts.slice(at, at + 1 + random.below(6));
      at += batch.length;
      time += 1 + random.below(3);
      await appended(store, sessionId, batch);
      await appended(memory, sessionId, batch);
      if (random.below(8) === 0) await (random.below(4) === 0 ? other : store).catchUp(sessionId);
    }
  }
  const answers = async (asked: Store) => ({
    messages: await Promise.all(sessionIds.map((id) => asked.messages(id, { limit: 10_000 }))),
    hits: await Promise.all(["do", "a", "file", "the answer"].map((text) => asked.search({ text, limit: 50 }))),
    sessions: await asked.sessions({ limit: 9 }),
  });
  const tables = async () =>
    Promise.all(
      [
        "SELECT session, place, id, role, data FROM kedge.message ORDER BY session, place",
        "SELECT session, message, id, time, tool, files, data, words FROM kedge.part ORDER BY session, message, id",
        "SELECT * FROM kedge.todo ORDER BY session, position",
        "SELECT * FROM kedge.usage ORDER BY session, seq",
        "SELECT * FROM kedge.projection ORDER BY session",
      ].map((text) => bench.database.query(text)),
    );
  const inSlices = await answers(store);
  expect(inSlices, `seed ${random.seed}`).toEqual(await answers(memory));
  const before = await tables();
  for (const table of ["projection", "message", "part", "todo", "usage"]) {
    await bench.database.query(`DELETE FROM kedge.${table}`);
  }
  expect(await answers(await bench.open({ now })), `seed ${random.seed}`).toEqual(inSlices);
  expect(await tables(), `seed ${random.seed}`).toEqual(before);
  for (const sessionId of sessionIds) expect(await store.verify(sessionId)).toMatchObject({ valid: true });
});

test("blobs that are stored and then named survive whoever collects all the time", async () => {
  const hour = 3_600_000;
  const write = async (name: string) => {
    let behindMs = 0;
    const store = await bench.open({ now: () => Date.now() - behindMs });
    for (let round = 0; round < 25; round += 1) {
      behindMs = hour;
      await store.putBlob(Buffer.from(`${name} ${round}`));
      await store.putBlob(Buffer.from(`unnamed ${name} ${round}`));
      behindMs = 0;
      const sha256 = await store.putBlob(Buffer.from(`${name} ${round}`));
      await store.append(`ses_${name}`, [prompt(`see ${sha256}`)], { boot: name, durable: false });
      expect(Buffer.from((await store.blob(sha256)) ?? []).toString()).toBe(`${name} ${round}`);
    }
  };
  let ahead = 0;
  const collector = await bench.open({ now: () => Date.now() + ahead });
  let writing = 2;
  const done = Promise.all(["a", "b"].map((name) => write(name).finally(() => (writing -= 1))));
  let collected = 0;
  const collect = async () => {
    collected += (await collector.collectGarbage({ graceMs: 10_000, isDryRun: false })).files;
  };
  while (writing > 0) await collect();
  await done;
  ahead = hour;
  await collect();
  expect(collected).toBeGreaterThanOrEqual(50);
  expect(await bench.database.query("SELECT count(*)::integer AS count FROM kedge.blob")).toEqual([{ count: 50 }]);
});

test("texts that PostgreSQL cannot hold come back as they were, and are found", async () => {
  const store = await bench.open();
  const odd = "zero \0 half \ud800 end";
  const facts: readonly Fact[] = [
    { ...created, directory: `/long/${"d".repeat(3_500)}` },
    ...conversation(1, odd),
    { type: "session.updated", title: odd, titleSource: "user" },
    { type: "todos.replaced", todos: [{ content: odd, status: "pending", priority: "low" }] },
  ];
  await appended(store, "ses_1", facts);
  expect((await readAll(store, "ses_1")).map(({ fact }) => fact)).toEqual(facts);
  expect((await store.messages("ses_1", { limit: 9 })).messages[0]?.parts[0]).toMatchObject({ text: odd });
  expect(await store.session("ses_1")).toMatchObject({ title: odd });
  expect(await store.search({ text: "zero half", limit: 9 })).toMatchObject([{ title: odd, messageId: "msg_p1" }]);
  expect(await store.verify("ses_1")).toEqual(validReport("ses_1", facts.length, 0));
  expect(await store.session("ses\0_1")).toBeUndefined();
  expect(await store.blob("\0")).toBeUndefined();
  expect(await store.search({ text: "zero", file: "\0", tool: "\0", limit: 9 })).toEqual([]);
});

test("a part with more words than an index takes is shown and found", async () => {
  const store = await bench.open();
  const words = Array.from({ length: 9_000 }, (_, index) => `${index}${"ü".repeat(180)}`);
  const files = Array.from({ length: 6_000 }, (_, index) => `${index}/${words[index]}`);
  const input = JSON.stringify({ paths: files });
  const [told, begun, answer, , ended] = conversation(1, "look");
  const call = { callId: "c1", stepId: "s1", tool: "read" };
  const decision = { behavior: "allow", source: "default", reason: "test", rules: [] } as const;
  const facts = [
    ...[created, told, begun, answer],
    { type: "tool.started", ...call, inputText: input, readOnly: true, decision } as const,
    ended,
  ].filter((fact) => fact !== undefined);
  await appended(store, "ses_1", facts);
  expect(await store.search({ text: String(words[7]), limit: 9 })).toHaveLength(1);
  expect(await store.verify("ses_1")).toMatchObject({ valid: true });
});

test("a database of a newer version is read and not written", async () => {
  const store = await bench.open();
  const records = await appended(store, "ses_1", sampleFacts);
  await store.close();
  await bench.database.query("UPDATE kedge.schema_version SET version = 99");
  const world = { now: () => 0, randomBytes, isAlive: () => true, machine: "machine-1" };
  const opened = await openPostgresStore({ url: bench.database.url, ...world });
  if (!opened.ok) throw new Error(opened.failure.message);
  expect(await readAll(opened.store, "ses_1")).toEqual(records);
  expect(opened.notice?.message).toMatch(
    / was written by a newer version of kedge \(schema 99\) and is open read-only\.$/,
  );
  const writing = async () => opened.store.append("ses_1", [created], { boot: "boot-1", durable: false });
  await expect(writing()).rejects.toMatchObject({ failure: opened.notice });
  await opened.store.close();
});

test("a step that is added later runs once, and one that fails changes nothing", async () => {
  const store = await bench.open();
  await appended(store, "ses_1", conversation(1, "kept"));
  const world = { url: bench.database.url, now: () => 0, randomBytes, isAlive: () => true, machine: "machine-1" };
  const broken = [...migrations, "CREATE TABLE kedge.note (text text); SELECT broken"];
  await expect(openPostgresStore(world, broken)).rejects.toThrow(/broken/);
  const more = [...migrations, "CREATE TABLE kedge.note (text text)"];
  const opened = await Promise.all([openPostgresStore(world, more), openPostgresStore(world, more)]);
  for (const found of opened) if (found.ok) await found.store.close();
  expect(opened.map(({ ok }) => ok)).toEqual([true, true]);
  expect(await bench.database.query("SELECT * FROM kedge.note")).toEqual([]);
});

function startProcess(url: string, sessionId: string, turns = 1) {
  const script = join(import.meta.dirname, "postgres-process.ts");
  const child = spawn(process.execPath, [script, url, sessionId, String(turns)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid,
    next: async (): Promise<unknown> => (await lines.next()).value,
    async kill() {
      if (child.exitCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
