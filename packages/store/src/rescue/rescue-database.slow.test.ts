/** A database damaged in every way: it opens again, keeps each record that could be read, and says what it lost. */
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openRescueBench, type RescueBench, sessionIds } from "../../test/rescue-bench.ts";
import { openSqliteStore } from "../index.ts";
import { markDamaged } from "./rescue-database.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));
const bitFlipVariants = rounds({ usual: 15, long: 300 });

let bench: RescueBench;

beforeAll(async () => {
  bench = await openRescueBench(random);
});

afterAll(() => bench.close());

test("an undamaged one is opened as it is", async () => {
  expect(await bench.expectSurvives(() => undefined)).toEqual({ kept: bench.wholeCount(), notice: undefined });
});

test("cut off at ten places", { timeout: 120_000 }, async () => {
  for (let index = 0; index < 10; index += 1) {
    await bench.expectSurvives((path) => truncateSync(path, Math.floor(random.next() * statSync(path).size)));
  }
});

test(`bits flipped on random pages, ${bitFlipVariants} times`, { timeout: 900_000 }, async () => {
  let rescued = 0;
  let kept = 0;
  for (let index = 0; index < bitFlipVariants; index += 1) {
    const found = await bench.expectSurvives((path) => flipBits(path));
    if (found.notice !== undefined) rescued += 1;
    kept += found.kept;
  }
  console.log(
    `rescued ${rescued} of ${bitFlipVariants}, kept ${((kept / bitFlipVariants / bench.wholeCount()) * 100).toFixed(1)} %`,
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
  const found = await bench.expectSurvives((path) => {
    emptyLog(path);
    writeFileSync(path, readFileSync(path).fill(0, 0, 100));
  });
  expect(found.kept).toBe(bench.wholeCount());
  expect(found.notice).toContain("12 sessions with 612 records were kept, nothing was lost.");
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
  const hash = bench.written.get(sessionId)?.[29]?.hash ?? "";
  const options = bench.variant((path) => replaceBytes(path, hash, "0".repeat(64)));
  markDamaged(options.path, options.now);
  const { store, notice } = bench.start(options);
  expect(notice).toBe(
    `The database was damaged and has been rebuilt: 12 sessions with 590 records were kept, 22 records could not be read. The old file was moved to ${options.path}.damaged-20231114T221320.`,
  );
  const records = await bench.readAll(store, sessionId);
  expect(records.slice(0, 29)).toEqual(bench.written.get(sessionId)?.slice(0, 29));
  expect(records.slice(29).map(({ fact }) => fact)).toEqual([
    { type: "journal.recovered", what: "the database was damaged; records lost: 22" },
  ]);
  for (const id of sessionIds) expect(await store.verify(id)).toMatchObject({ valid: true });
  await store.close();
});

test("a record whose content alone is damaged stays, without it", async () => {
  const sessionId = sessionIds[7] ?? "";
  const { digest } = bench.written.get(sessionId)?.[3] ?? {};
  const options = bench.variant((path) => {
    emptyLog(path);
    const database = new DatabaseSync(path);
    database.prepare("UPDATE fact SET content = content || ' ' WHERE digest = ?").run(digest ?? "");
    database.close();
  });
  markDamaged(options.path, options.now);
  const { store, notice } = bench.start(options);
  expect(notice).toContain("612 records were kept, the contents of 1 record could not be read.");
  const records = await bench.readAll(store, sessionId);
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
  const seq =
    bench.written.get(sessionId)?.find(({ fact }) => "text" in fact && fact.text.length > 256 * 1024)?.seq ?? 0;
  const { digest = "" } = bench.written.get(sessionId)?.[seq - 1] ?? {};
  for (const damage of [(path: string) => truncateSync(path, 1000), (path: string) => rmSync(path)]) {
    const options = bench.variant(() => undefined);
    damage(join(options.blobsDirectory, digest.slice(0, 2), `${digest}.payload`));
    const { store, notice } = bench.start(options);
    expect(notice).toBeUndefined();
    const records = await bench.readAll(store, sessionId);
    expect(records.filter(({ removed }) => removed).map((record) => record.seq)).toEqual([seq]);
    const problem = { seq, what: "the content of the record is missing" };
    expect(await store.verify(sessionId)).toMatchObject({ valid: false, problem });
    await store.close();
  }
});

test("a torn last record is taken away by whoever writes next, and the session says so", async () => {
  const sessionId = sessionIds[5] ?? "";
  const options = bench.variant((path) => {
    const database = new DatabaseSync(path);
    const torn =
      "UPDATE fact SET data = substr(data, 1, 5) WHERE seq = 51 AND session = (SELECT key FROM session WHERE id = ?)";
    database.prepare(torn).run(sessionId);
    database.close();
  });
  const { store } = bench.start(options);
  expect(await store.verify(sessionId)).toMatchObject({ valid: false, truncated: true });
  await store.acquireLease(sessionId, { boot: "boot-2", pid: 2, startedAt: "" });
  expect(await store.verify(sessionId)).toMatchObject({ valid: true, truncated: false, records: 51 });
  const records = await bench.readAll(store, sessionId);
  expect(records.slice(0, 50)).toEqual(bench.written.get(sessionId)?.slice(0, 50));
  expect(records.slice(50).map(({ fact }) => fact)).toEqual([
    { type: "journal.recovered", what: "record 51 was truncated by a crash and is lost" },
  ]);
  await store.close();
});

test("a log cut off keeps what was committed before the cut", async () => {
  const found = await bench.expectSurvives((path) =>
    truncateSync(`${path}-wal`, Math.floor(statSync(`${path}-wal`).size / 2)),
  );
  expect(found.kept).toBeGreaterThan(0);
});

test("an empty file beside its log is not taken for a new one", async () => {
  const found = await bench.expectSurvives((path) => truncateSync(path, 0));
  expect(found.notice).toContain("The database was damaged and has been rebuilt");
});

test("garbage is put aside", async () => {
  const found = await bench.expectSurvives((path) => {
    writeFileSync(path, Buffer.from(Array.from({ length: 50_000 }, () => Math.floor(random.next() * 256))));
    rmSync(`${path}-wal`);
  });
  expect(found).toMatchObject({ kept: 0 });
  expect(found.notice).toMatch(
    /^The database was damaged and unreadable\. A new one was created\. The old file was moved to /,
  );
});

test("one that a living process still uses is left to it", () => {
  const options = bench.variant((path) => {
    const database = new DatabaseSync(path);
    database.exec("INSERT INTO lease VALUES ('ses_x', 'boot-9', 4321, '1', 1800000000000)");
    database.close();
    writeFileSync(path, readFileSync(path).fill(0, 0, 100));
  });
  const opened = openSqliteStore({ ...options, isAlive: () => true });
  expect(opened).toMatchObject({
    ok: false,
    failure: { message: `${options.path} is damaged, and another kedge process (pid 4321) is using it.` },
  });
  expect(bench.start(options).notice).toContain("12 sessions");
});

test("a rescue that broke off anywhere is done again from the beginning", async () => {
  const options = bench.variant((path) => writeFileSync(path, readFileSync(path).fill(0, 0, 100)));
  markDamaged(options.path, options.now);
  const aside = readFileSync(`${options.path}.damaged`, "utf8");
  // As after a crash once the old files had been set aside and the log was taken away.
  for (const suffix of ["", "-wal"]) copyFileSync(options.path + suffix, aside + suffix);
  rmSync(`${options.path}-wal`);
  writeFileSync(`${options.path}.rescued`, "half a database");
  const started = bench.start(options);
  expect(await bench.expectSound(started, new Map())).toBe(bench.wholeCount());
  await started.store.close();
  expect(readdirSync(join(options.path, "..")).filter((name) => /rescue|\.damaged$/.test(name))).toEqual([]);
});
