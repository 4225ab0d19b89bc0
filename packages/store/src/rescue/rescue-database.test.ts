/** A database damaged in every way: it opens again, keeps each record that could be read, and says what it lost. */
import {
  copyFileSync,
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
import { type Fact, type FactRecord, FailureError, type Store } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowHash } from "../chain.ts";
import { openSqliteStore, type SqliteStoreOptions } from "../index.ts";
import { markDamaged } from "./rescue-database.ts";

const random = createSeededRandom(process.env["KEDGE_TEST_SEED"]);
const sessionIds = Array.from({ length: 12 }, (_, index) => `ses_${String(index).padStart(23, "0")}`);
const bitFlipVariants = 50;
const databaseName = "kedge.db";

let folder: string;
let original: string;
let variants = 0;
const written = new Map<string, readonly FactRecord[]>();

function optionsAt(directory: string, isAlive = false): SqliteStoreOptions {
  return {
    path: join(directory, databaseName),
    blobsDirectory: join(directory, "blobs"),
    now: () => 1_700_000_000_000,
    randomBytes: (size) => Uint8Array.from({ length: size }, () => Math.floor(random.next() * 256)),
    isAlive: () => isAlive,
  };
}

beforeAll(async () => {
  console.log(`seed ${random.seed}`);
  folder = mkdtempSync(join(tmpdir(), "kedge-rescue-"));
  original = join(folder, "original");
  mkdirSync(original);
  const opened = openSqliteStore(optionsAt(original));
  if (!opened.ok) throw new Error(opened.failure.message);
  for (const [index, sessionId] of sessionIds.entries()) await fill(opened.store, sessionId, index);
  await opened.store.messages(sessionIds[0] ?? "", { limit: 10 });
  // While it is open, the newest facts lie in the log; so they do after a crash.
  for (const sessionId of sessionIds) written.set(sessionId, await readAll(opened.store, sessionId));
  const kept = join(folder, "kept");
  copyAll(original, kept);
  await opened.store.close();
  original = kept;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function fill(store: Store, sessionId: string, index: number): Promise<void> {
  const created: Fact = {
    type: "session.created",
    directory: `/project-${index}`,
    projectId: "project",
    model: "mock/model",
    mode: "default",
    kedgeVersion: "0",
    boot: "boot-1",
  };
  await store.append(sessionId, [created], { boot: "boot-1", durable: false });
  for (let turn = 0; turn < 25; turn += 1) {
    const length = turn === 20 && index === 3 ? 300_000 : Math.floor(random.next() ** 4 * 20_000);
    const text = `prompt ${turn} ${"x".repeat(length)}`;
    const prompt: Fact = { type: "prompt.admitted", promptId: `p${turn}`, runId: `r${turn}`, delivery: "steer", text };
    await store.append(sessionId, [prompt, { type: "mode.changed", mode: "plan" }], { boot: "boot-1", durable: true });
  }
}

function copyAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const target = join(to, entry.parentPath.slice(from.length), entry.name);
    if (entry.isDirectory()) mkdirSync(target, { recursive: true });
    else copyFileSync(join(entry.parentPath, entry.name), target);
  }
}

async function readAll(store: Store, sessionId: string): Promise<readonly FactRecord[]> {
  const records: FactRecord[] = [];
  for await (const record of store.read(sessionId, 0)) records.push(record);
  return records;
}

function variant(damage: (database: string) => void): SqliteStoreOptions {
  variants += 1;
  const directory = join(folder, `variant-${variants}`);
  copyAll(original, directory);
  damage(join(directory, databaseName));
  return optionsAt(directory);
}

type Started = { readonly store: Store; readonly notice: string | undefined };

function start(options: SqliteStoreOptions): Started {
  const opened = openSqliteStore(options);
  if (!opened.ok) throw new Error(opened.failure.message);
  const { notice } = opened;
  return { store: opened.store, notice: notice && `${notice.message} ${notice.recovery}` };
}

/** What a person does: goes on with every session; when told to start again, does so, once. */
async function startAndUse(options: SqliteStoreOptions): Promise<Started> {
  const first = start(options);
  try {
    await useAll(first.store);
    return first;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    expect(error.failure.recovery).toBe("Start kedge again: it then keeps everything that can be read.");
    await first.store.close().catch(() => undefined);
    const second = start(options);
    expect(second.notice).toMatch(/^The database was damaged.* The old file is /);
    await useAll(second.store);
    return second;
  }
}

async function useAll(store: Store): Promise<void> {
  for (const { sessionId } of await store.sessions({ limit: 100 })) {
    await readAll(store, sessionId);
    await store.messages(sessionId, { limit: 5 });
  }
  await store.search({ text: "prompt", limit: 5 });
}

/** How many records of each session SQLite itself still reads as they were, from the first one on. */
function readableWithSqlite(options: SqliteStoreOptions): ReadonlyMap<string, number> {
  const copy = join(folder, "looked-at");
  rmSync(copy, { recursive: true, force: true });
  copyAll(join(options.path, ".."), copy);
  const readable = new Map<string, number>();
  try {
    const database = new DatabaseSync(join(copy, databaseName));
    const statement = database.prepare(
      "SELECT f.seq, f.time, f.type, f.version, f.data, f.prev, f.hash FROM fact f JOIN session s ON s.key = f.session WHERE s.id = ? AND f.seq = ?",
    );
    for (const sessionId of sessionIds) readable.set(sessionId, prefixOf(sessionId, statement));
    database.close();
  } catch (error) {
    if (!(error instanceof Error && "errcode" in error)) throw error;
  }
  return readable;
}

function prefixOf(
  sessionId: string,
  statement: { get(...values: (string | number)[]): Record<string, unknown> | undefined },
) {
  let seq = 0;
  for (const record of written.get(sessionId) ?? []) {
    try {
      const row = statement.get(sessionId, record.seq);
      // The columns of a table that SQLite has read.
      if (row === undefined || rowHash(row as Parameters<typeof rowHash>[0]) !== record.hash) break;
      if (row["hash"] !== record.hash) break;
    } catch {
      break;
    }
    seq = record.seq;
  }
  return seq;
}

/** Every session is whole or a verified beginning of what it was, and says so; it can be written to again. */
async function expectSound({ store }: Started, readable: ReadonlyMap<string, number>): Promise<number> {
  let kept = 0;
  const listed = new Set((await store.sessions({ limit: 100 })).map(({ sessionId }) => sessionId));
  for (const sessionId of sessionIds) {
    const least = readable.get(sessionId) ?? 0;
    if (!listed.has(sessionId)) {
      expect({ sessionId, least }).toEqual({ sessionId, least: 0 });
      continue;
    }
    expect(await store.verify(sessionId)).toMatchObject({ sessionId, valid: true });
    const before = written.get(sessionId) ?? [];
    const records = await readAll(store, sessionId);
    const added = records.filter(({ fact }) => fact.type === "journal.recovered" || fact.type === "content.removed");
    const own = records.slice(0, records.length - added.length);
    expect(own.map(({ hash }) => hash)).toEqual(before.slice(0, own.length).map(({ hash }) => hash));
    expect(own.filter(({ removed }) => !removed)).toEqual(
      before.filter(({ seq }) => own[seq - 1] && !own[seq - 1]?.removed),
    );
    expect(own.length).toBeGreaterThanOrEqual(least);
    // What a cut log takes with it leaves no trace; what is known to be missing is said.
    if (own.some(({ removed }) => removed) || added.length > 0)
      expect(added.at(-1)?.fact.type).toBe("journal.recovered");
    kept += own.length;
    const holder = { boot: "boot-2", pid: 2, startedAt: "" };
    expect(await store.acquireLease(sessionId, holder)).toEqual({ ok: true });
    const resumed: Fact = { type: "session.resumed", boot: "boot-2", mode: "default" };
    expect(await store.append(sessionId, [resumed], { boot: "boot-2", durable: false })).toMatchObject({ ok: true });
    expect(await store.verify(sessionId)).toMatchObject({ valid: true });
  }
  return kept;
}

const wholeCount = () => [...written.values()].reduce((sum, records) => sum + records.length, 0);

async function expectSurvives(
  damage: (database: string) => void,
): Promise<{ kept: number; notice: string | undefined }> {
  const options = variant(damage);
  const readable = readableWithSqlite(options);
  let used = await startAndUse(options);
  const reports = await Promise.all(sessionIds.map((sessionId) => used.store.verify(sessionId)));
  if (used.notice === undefined && reports.some(({ valid }) => !valid)) {
    // Changed without SQLite noticing: verify names it, and a rescue deals with it as well.
    await used.store.close();
    markDamaged(options.path, options.now);
    used = start(options);
  }
  const kept = await expectSound(used, readable);
  await used.store.close();
  if (used.notice !== undefined) {
    const aside = /The old file is (.*)\.$/.exec(used.notice)?.[1] ?? "";
    expect(statSync(aside).isFile()).toBe(true);
  }
  rmSync(join(options.path, ".."), { recursive: true });
  return { kept, notice: used.notice };
}

test("an undamaged one is opened as it is", async () => {
  expect(await expectSurvives(() => undefined)).toEqual({ kept: wholeCount(), notice: undefined });
});

test("cut off at ten places", { timeout: 120_000 }, async () => {
  for (let index = 0; index < 10; index += 1) {
    await expectSurvives((path) => truncateSync(path, Math.floor(random.next() * statSync(path).size)));
  }
});

test(`bits flipped on random pages, ${bitFlipVariants} times`, { timeout: 120_000 }, async () => {
  let rescued = 0;
  let kept = 0;
  for (let index = 0; index < bitFlipVariants; index += 1) {
    const found = await expectSurvives((path) => flipBits(path));
    if (found.notice !== undefined) rescued += 1;
    kept += found.kept;
  }
  console.log(
    `rescued ${rescued} of ${bitFlipVariants}, kept ${((kept / bitFlipVariants / wholeCount()) * 100).toFixed(1)} %`,
  );
  expect(rescued).toBeGreaterThan(0);
});

/** One to three pages, one to two hundred bytes on each, in the database or in its log. */
function flipBits(path: string): void {
  const target = random.next() < 0.8 ? path : `${path}-wal`;
  const bytes = readFileSync(target);
  const pages = 1 + Math.floor(random.next() * 3);
  for (let page = 0; page < pages; page += 1) {
    const start = Math.floor((random.next() * bytes.length) / 4096) * 4096;
    const flips = 1 + Math.floor(random.next() * 200);
    for (let flip = 0; flip < flips; flip += 1) {
      const at = Math.min(start + Math.floor(random.next() * 4096), bytes.length - 1);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random.next() * 8));
    }
  }
  writeFileSync(target, bytes);
}

test("a header of zeros costs nothing", async () => {
  const found = await expectSurvives((path) => {
    emptyLog(path);
    writeFileSync(path, readFileSync(path).fill(0, 0, 100));
  });
  expect(found.kept).toBe(wholeCount());
  expect(found.notice).toContain("12 sessions with 612 records were kept, nothing that it held was lost.");
});

/** Brings everything into the database file. */
function emptyLog(path: string): void {
  const database = new DatabaseSync(path);
  database.prepare("SELECT max(pos) FROM fact").get();
  database.close();
}

/** Changes every place where the text stands, so that only the records that hold it are concerned. */
function replaceBytes(path: string, text: string, by: string): void {
  emptyLog(path);
  const bytes = readFileSync(path);
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) bytes.write(by, at, "latin1");
  writeFileSync(path, bytes);
}

test("a session ends before its first bad record and says so; the others stay whole", async () => {
  const sessionId = sessionIds[7] ?? "";
  const hash = written.get(sessionId)?.[29]?.hash ?? "";
  const options = variant((path) => replaceBytes(path, hash, "0".repeat(64)));
  markDamaged(options.path, options.now);
  const { store, notice } = start(options);
  expect(notice).toBe(
    `The database was damaged and has been rebuilt: 12 sessions with 590 records were kept, 22 records could not be read. The old file is ${options.path}.damaged-20231114T221320.`,
  );
  const records = await readAll(store, sessionId);
  expect(records.slice(0, 29)).toEqual(written.get(sessionId)?.slice(0, 29));
  expect(records.slice(29).map(({ fact }) => fact)).toEqual([
    { type: "journal.recovered", what: "the database was damaged; records lost: 22" },
  ]);
  for (const id of sessionIds) expect(await store.verify(id)).toMatchObject({ valid: true });
  await store.close();
});

test("a record whose content alone is damaged stays, without it", async () => {
  const sessionId = sessionIds[7] ?? "";
  const { digest } = written.get(sessionId)?.[3] ?? {};
  const options = variant((path) => {
    emptyLog(path);
    const database = new DatabaseSync(path);
    database.prepare("UPDATE fact SET content = content || ' ' WHERE digest = ?").run(digest ?? "");
    database.close();
  });
  markDamaged(options.path, options.now);
  const { store, notice } = start(options);
  expect(notice).toContain("612 records were kept, the contents of 1 record could not be read.");
  const records = await readAll(store, sessionId);
  expect(records).toHaveLength(53);
  expect(records[3]).toMatchObject({ digest, removed: true, fact: { type: "prompt.admitted", text: "" } });
  expect(records.slice(51).map(({ fact }) => fact)).toEqual([
    { type: "content.removed", digests: [digest], reason: "the database was damaged", by: "kedge" },
    { type: "journal.recovered", what: "the database was damaged; records without their content: 1" },
  ]);
  expect(await store.verify(sessionId)).toMatchObject({ valid: true, payloadsRemoved: 1 });
  await store.close();
});

test("a content file that is cut off or gone counts as removed, and verify names the record", async () => {
  const sessionId = sessionIds[3] ?? "";
  const seq = written.get(sessionId)?.find(({ fact }) => "text" in fact && fact.text.length > 256 * 1024)?.seq ?? 0;
  const { digest = "" } = written.get(sessionId)?.[seq - 1] ?? {};
  for (const damage of [(path: string) => truncateSync(path, 1000), (path: string) => rmSync(path)]) {
    const options = variant(() => undefined);
    damage(join(options.blobsDirectory, digest.slice(0, 2), `${digest}.payload`));
    const { store, notice } = start(options);
    expect(notice).toBeUndefined();
    const records = await readAll(store, sessionId);
    expect(records.filter(({ removed }) => removed).map((record) => record.seq)).toEqual([seq]);
    const problem = { seq, what: "the content of the record is missing" };
    expect(await store.verify(sessionId)).toMatchObject({ valid: false, problem });
    await store.close();
  }
});

test("a torn last record is taken away by whoever writes next, and the session says so", async () => {
  const sessionId = sessionIds[5] ?? "";
  const options = variant((path) => {
    const database = new DatabaseSync(path);
    const torn =
      "UPDATE fact SET data = substr(data, 1, 5) WHERE seq = 51 AND session = (SELECT key FROM session WHERE id = ?)";
    database.prepare(torn).run(sessionId);
    database.close();
  });
  const { store } = start(options);
  expect(await store.verify(sessionId)).toMatchObject({ valid: false, truncated: true });
  await store.acquireLease(sessionId, { boot: "boot-2", pid: 2, startedAt: "" });
  expect(await store.verify(sessionId)).toMatchObject({ valid: true, truncated: false, records: 51 });
  const records = await readAll(store, sessionId);
  expect(records.slice(0, 50)).toEqual(written.get(sessionId)?.slice(0, 50));
  expect(records.slice(50).map(({ fact }) => fact)).toEqual([
    { type: "journal.recovered", what: "record 51 was torn by a crash and is lost" },
  ]);
  await store.close();
});

test("a log cut off keeps what was committed before the cut", async () => {
  const found = await expectSurvives((path) =>
    truncateSync(`${path}-wal`, Math.floor(statSync(`${path}-wal`).size / 2)),
  );
  expect(found.kept).toBeGreaterThan(0);
});

test("an empty file beside its log is not taken for a new one", async () => {
  const found = await expectSurvives((path) => truncateSync(path, 0));
  expect(found.notice).toContain("The database was damaged and has been rebuilt");
});

test("garbage is put aside", async () => {
  const found = await expectSurvives((path) => {
    writeFileSync(path, Buffer.from(Array.from({ length: 50_000 }, () => Math.floor(random.next() * 256))));
    rmSync(`${path}-wal`);
  });
  expect(found).toMatchObject({ kept: 0 });
  expect(found.notice).toMatch(
    /^The database was damaged, and nothing in it could be read; this one is new\. The old file is /,
  );
});

test("one that a living process still uses is left to it", () => {
  const options = variant((path) => {
    const database = new DatabaseSync(path);
    database.exec("INSERT INTO lease VALUES ('ses_x', 'boot-9', 4321, '1', 1800000000000)");
    database.close();
    writeFileSync(path, readFileSync(path).fill(0, 0, 100));
  });
  const opened = openSqliteStore({ ...options, isAlive: () => true });
  expect(opened).toMatchObject({
    ok: false,
    failure: { message: `${options.path} is damaged, and another kedge (process 4321) still uses it.` },
  });
  expect(start(options).notice).toContain("12 sessions");
});

test("a rescue that broke off anywhere is done again from the beginning", async () => {
  const options = variant((path) => writeFileSync(path, readFileSync(path).fill(0, 0, 100)));
  markDamaged(options.path, options.now);
  const aside = readFileSync(`${options.path}.damaged`, "utf8");
  // As after a crash once the old files had been set aside and the log was taken away.
  for (const suffix of ["", "-wal"]) copyFileSync(options.path + suffix, aside + suffix);
  rmSync(`${options.path}-wal`);
  writeFileSync(`${options.path}.rescued`, "half a database");
  const started = start(options);
  expect(await expectSound(started, new Map())).toBe(wholeCount());
  await started.store.close();
  expect(readdirSync(join(options.path, "..")).filter((name) => /rescue|\.damaged$/.test(name))).toEqual([]);
});
