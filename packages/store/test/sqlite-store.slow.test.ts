/** What only the SQLite store promises: its file, its migrations, its honesty about tampering, disks and other processes. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { Fact, Store } from "@kedge/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore, type SqliteStoreOptions } from "../src/index.ts";
import { migrations } from "../src/sqlite/migrations.ts";
import { openDatabase } from "../src/sqlite/open-database.ts";
import { createSqliteStore } from "../src/sqlite/sqlite-store.ts";
import { created, prompt, sampleFacts } from "./sample-facts.ts";
import { storeContract } from "./store-contract.ts";
import { appended, type OpenStore, readAll, validReport } from "./store-site.ts";
import { redactForTest, viewContract } from "./view-contract.ts";

const writer = { boot: "boot-1", durable: false };
let folder: string;
let options: SqliteStoreOptions;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-store-"));
  options = {
    path: join(folder, "data", "kedge.db"),
    blobsDirectory: join(folder, "data", "blobs"),
    now: () => 1_700_000_000_000,
    randomBytes,
    isAlive: () => true,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function openStore(): Store {
  const opened = openSqliteStore(options);
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.store;
}

/** Changes the file behind the store's back. */
function tamper(statement: string): void {
  const database = new DatabaseSync(options.path, { enableForeignKeyConstraints: false });
  database.exec(statement);
  database.close();
}

const open: OpenStore = async (world) => {
  const opened = openSqliteStore({
    ...options,
    now: () => world.time,
    randomBytes: (size) => world.randomBytes(size),
    isAlive: (holder) => !world.dead.has(holder.pid),
    redact: redactForTest,
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  return { store: opened.store, dispose: () => opened.store.close() };
};

storeContract("sqlite", open);
viewContract("sqlite", open);

describe("the file", () => {
  test("has the promised pragmas", () => {
    const opened = openDatabase(options.path, migrations, randomBytes);
    if (!opened.ok) throw new Error(opened.failure.message);
    const read = (name: string) => Object.values(opened.database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    const names = [
      ...["journal_mode", "synchronous", "busy_timeout", "cache_size", "foreign_keys", "wal_autocheckpoint"],
      "secure_delete",
    ];
    expect(Object.fromEntries(names.map((name) => [name, read(name)]))).toEqual({
      journal_mode: "wal",
      synchronous: 1,
      busy_timeout: 5000,
      cache_size: -64000,
      foreign_keys: 1,
      wal_autocheckpoint: 1000,
      secure_delete: 1,
    });
    opened.database.close();
  });

  test("waits for the disk in durable transactions only", async () => {
    const opened = openDatabase(options.path, migrations, randomBytes);
    if (!opened.ok) throw new Error(opened.failure.message);
    const store = createSqliteStore(opened.database, undefined, options);
    const levels: unknown[] = [];
    for (const durable of [false, true, true, false]) {
      await store.append("ses_1", [created], { boot: "boot-1", durable });
      levels.push(opened.database.prepare("PRAGMA synchronous").get()?.["synchronous"]);
    }
    expect(levels).toEqual([1, 2, 2, 1]);
    await store.close();
  });

  test("is readable by its owner only, with everything beside it", async () => {
    const store = openStore();
    await appended(store, "ses_1", [created, prompt("x".repeat(300_000))]);
    await store.putBlob(randomBytes(10));
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(join(folder, "data"))).toBe("700");
    expect(["", "-wal", "-shm"].map((suffix) => mode(options.path + suffix))).toEqual(["600", "600", "600"]);
    const stored = readdirSync(options.blobsDirectory, { recursive: true, withFileTypes: true });
    const modes = stored.map((entry) => [entry.isFile(), mode(join(entry.parentPath, entry.name))]);
    expect(new Set(modes.map(String))).toEqual(new Set(["true,600", "false,700"]));
    await store.close();
  });

  test("gives identical records when it is opened again", async () => {
    const store = openStore();
    const records = await appended(store, "ses_1", [...sampleFacts, prompt("y".repeat(300_000))]);
    const summary = await store.session("ses_1");
    await store.close();
    const again = openStore();
    expect(await readAll(again, "ses_1")).toEqual(records);
    expect(await again.session("ses_1")).toEqual(summary);
    expect(await again.verify("ses_1")).toEqual(validReport("ses_1", 8, 0));
    await again.close();
  });

  test("holds nothing of removed content, large or small", async () => {
    const store = openStore();
    const small = "the small secret 4711";
    const records = await appended(store, "ses_1", [created, prompt(small), prompt("z".repeat(300_000))]);
    const spill = join(options.blobsDirectory, String(records[2]?.digest).slice(0, 2), `${records[2]?.digest}.payload`);
    expect(existsSync(spill)).toBe(true);
    expect(readFileSync(`${options.path}-wal`).includes(small)).toBe(true);
    const digests = records.flatMap((record) => record.digest ?? []);
    await store.removeContent("ses_1", digests, { reason: "scrub", by: "user", boot: "boot-1" });
    expect(existsSync(spill)).toBe(false);
    for (const suffix of ["", "-wal"]) expect(readFileSync(options.path + suffix).includes(small)).toBe(false);
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 4, 2));
    await store.close();
  });
});

describe("opening", () => {
  test.each([
    ["below a file", () => join(folder, "occupied", "data", "kedge.db")],
    ["in place of a folder", () => folder],
  ])("says in one sentence that it cannot open a path %s", (_, path) => {
    writeFileSync(join(folder, "occupied"), "");
    const opened = openSqliteStore({ ...options, path: path() });
    expect(opened).toEqual({
      ok: false,
      failure: {
        code: "storage",
        message: `${path()} cannot be opened.`,
        recovery: "Check that its directory exists, or set KEDGE_HOME to another directory.",
        retryable: false,
      },
    });
  });

  test("leaves a database alone that is not ours", () => {
    const foreign = join(folder, "foreign.db");
    const database = new DatabaseSync(foreign);
    database.exec("CREATE TABLE other (x)");
    database.close();
    const refused = openSqliteStore({ ...options, path: foreign });
    expect(!refused.ok && refused.failure.message).toBe(`${foreign} is not a kedge database.`);
  });

  test("migrates an older database in one step and backs it up before", () => {
    const open = (steps: readonly string[]) => {
      const opened = openDatabase(options.path, steps, randomBytes);
      if (!opened.ok) throw new Error(opened.failure.message);
      return opened.database;
    };
    const old = open(["CREATE TABLE note (text TEXT)"]);
    old.exec("INSERT INTO note VALUES ('kept')");
    old.close();
    expect(readdirSync(join(folder, "data"))).toEqual(["kedge.db"]);

    const steps = [
      "CREATE TABLE note (text TEXT)",
      "ALTER TABLE note ADD COLUMN size INTEGER",
      "UPDATE note SET size = 4",
    ];
    const migrated = open(steps);
    expect(migrated.prepare("SELECT * FROM note").all()).toEqual([{ text: "kept", size: 4 }]);
    expect(migrated.prepare("PRAGMA user_version").get()).toEqual({ user_version: 3 });
    migrated.close();
    expect(readdirSync(join(folder, "data")).sort()).toEqual(["kedge.db", "kedge.db.version-1.backup"]);
    const backup = new DatabaseSync(`${options.path}.version-1.backup`);
    expect(backup.prepare("SELECT * FROM note").all()).toEqual([{ text: "kept" }]);
    expect(backup.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    backup.close();
    expect(statSync(`${options.path}.version-1.backup`).mode & 0o777).toBe(0o600);

    expect(() => open([...steps, "INSERT INTO note (text) VALUES ('half'); SELECT broken"])).toThrow(/broken/);
    const unchanged = open(steps);
    expect(unchanged.prepare("SELECT text FROM note").all()).toEqual([{ text: "kept" }]);
    unchanged.close();
  });

  test("reads a database of a newer version and refuses to write it", async () => {
    const store = openStore();
    const records = await appended(store, "ses_1", sampleFacts);
    await store.close();
    tamper("PRAGMA user_version = 99");
    const opened = openSqliteStore(options);
    if (!opened.ok) throw new Error(opened.failure.message);
    expect(await readAll(opened.store, "ses_1")).toEqual(records);
    expect(await opened.store.verify("ses_1")).toEqual(validReport("ses_1", 7, 0));
    const failure = {
      code: "storage",
      message: `${options.path} was written by a newer version of kedge (schema 99) and is open read-only.`,
      recovery: "Update kedge to continue these sessions.",
      retryable: false,
    };
    expect(opened.notice).toEqual(failure);
    await expect(opened.store.append("ses_1", [created], writer)).rejects.toMatchObject({ failure });
    await opened.store.close();
  });
});

describe("tampering", () => {
  const what = async (statement: string) => {
    const store = openStore();
    await appended(store, "ses_1", sampleFacts);
    await appended(store, "ses_2", sampleFacts);
    await store.close();
    tamper(statement);
    const again = openStore();
    const report = await again.verify("ses_1");
    expect(await again.verify("ses_2")).toEqual(validReport("ses_2", 7, 0));
    await again.close();
    return report;
  };
  const bad = (seq: number, problem: string, records = seq - 1) => ({
    ...{ sessionId: "ses_1", valid: false, records, payloadsRemoved: 0, truncated: false },
    problem: { seq, what: problem },
  });

  test("finds a changed byte in a record", async () => {
    expect(await what(`UPDATE fact SET data = replace(data, '"mode":"plan"', '"mode":"auto"') WHERE pos = 7`)).toEqual(
      bad(7, "the record does not match its hash"),
    );
  });

  test("finds a changed time", async () => {
    expect(await what("UPDATE fact SET time = time + 1 WHERE pos = 3")).toEqual(
      bad(3, "the record does not match its hash"),
    );
  });

  test("finds changed content", async () => {
    expect(await what("UPDATE fact SET content = replace(content, 'bug', 'bag') WHERE pos = 2")).toEqual(
      bad(2, "the content does not match its digest"),
    );
  });

  test("finds a record that points to other content", async () => {
    expect(await what("UPDATE fact SET digest = NULL WHERE pos = 2")).toEqual(
      bad(2, "the record points to other content"),
    );
  });

  test("finds content that is missing without a record of its removal", async () => {
    expect(await what("UPDATE fact SET salt = NULL, content = NULL WHERE pos = 4")).toEqual(
      bad(4, "the content of the record is missing", 7),
    );
  });

  test("finds two records that changed places", async () => {
    const swap = "UPDATE fact SET seq = 100 WHERE pos = 3; UPDATE fact SET seq = 3 WHERE pos = 4;";
    expect(await what(`${swap} UPDATE fact SET seq = 4 WHERE pos = 3`)).toEqual(
      bad(3, "the record does not follow the previous one"),
    );
  });

  test("finds a record removed from the middle", async () => {
    expect(await what("DELETE FROM fact WHERE pos = 4")).toEqual(bad(4, "the record is missing"));
  });

  test("finds records removed from the end", async () => {
    expect(await what("DELETE FROM fact WHERE pos IN (6, 7)")).toEqual(bad(6, "records were removed from the end"));
  });

  test("finds a listing that its records do not bear out", async () => {
    expect(await what("UPDATE session SET title = 'another' WHERE key = 1")).toEqual(
      bad(7, "the session's listing does not match its records", 7),
    );
  });

  test("calls a torn last record a truncation", async () => {
    expect(await what("UPDATE fact SET data = substr(data, 1, 5) WHERE pos = 7")).toEqual({
      ...bad(7, "the last record is incomplete"),
      truncated: true,
    });
  });

  test("reading a damaged record fails with a sentence", async () => {
    await what("UPDATE fact SET data = 'x' WHERE pos = 2");
    const store = openStore();
    await expect(readAll(store, "ses_1")).rejects.toThrow("Record 2 of session ses_1 is damaged.");
    await store.close();
  });
});

test("a full disk fails the append and leaves the session readable", async () => {
  const opened = openDatabase(options.path, migrations, randomBytes);
  if (!opened.ok) throw new Error(opened.failure.message);
  const store = createSqliteStore(opened.database, undefined, options);
  const records = await appended(store, "ses_1", sampleFacts);
  const pages = opened.database.prepare("PRAGMA page_count").get()?.["page_count"];
  opened.database.exec(`PRAGMA max_page_count = ${Number(pages) + 1}`);
  await expect(appended(store, "ses_1", [prompt("x".repeat(100_000))])).rejects.toMatchObject({
    failure: {
      code: "storage",
      message: `The disk is full: ${options.path} cannot grow.`,
      recovery: "Free some space and try again.",
      retryable: false,
    },
  });
  expect(await readAll(store, "ses_1")).toEqual(records);
  opened.database.exec("PRAGMA max_page_count = 100000");
  await appended(store, "ses_1", [prompt("again")]);
  expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 8, 0));
  await store.close();
});

test("a transaction that fails leaves no file of its content behind", async () => {
  const opened = openDatabase(options.path, migrations, randomBytes);
  if (!opened.ok) throw new Error(opened.failure.message);
  const store = createSqliteStore(opened.database, undefined, options);
  await appended(store, "ses_1", [created]);
  const pages = opened.database.prepare("PRAGMA page_count").get()?.["page_count"];
  opened.database.exec(`PRAGMA max_page_count = ${Number(pages)}`);
  const facts = [prompt("x".repeat(300_000)), prompt("y".repeat(100_000))];
  await expect(appended(store, "ses_1", facts)).rejects.toThrow("The disk is full");
  const left = readdirSync(options.blobsDirectory, { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile())).toEqual([]);
  await store.close();
});

test("a database that another process keeps locked is a failure worth retrying", async () => {
  const opened = openDatabase(options.path, migrations, randomBytes);
  if (!opened.ok) throw new Error(opened.failure.message);
  opened.database.exec("PRAGMA busy_timeout = 0");
  const store = createSqliteStore(opened.database, undefined, options);
  const other = new DatabaseSync(options.path);
  other.exec("BEGIN IMMEDIATE");
  await expect(store.append("ses_1", [created], writer)).rejects.toMatchObject({
    failure: { code: "storage", message: `${options.path} is locked by another process.`, retryable: true },
  });
  other.close();
  await store.close();
});

test("a damaged or lost blob is not passed off as the bytes", async () => {
  const store = openStore();
  const sha256 = await store.putBlob(Buffer.from("bytes"));
  writeFileSync(join(options.blobsDirectory, sha256.slice(0, 2), sha256), "other");
  await expect(store.blob(sha256)).rejects.toThrow(`The stored file ${sha256} is damaged or missing.`);
  await store.close();
});

test("twenty processes create and fill one database at once", async () => {
  const program = fileURLToPath(new URL("./fixtures/append-facts.ts", import.meta.url));
  const sessionIds = Array.from({ length: 20 }, (_, index) => `ses_${index}`);
  const children = sessionIds.map((sessionId) =>
    spawn(process.execPath, [program, options.path, options.blobsDirectory, sessionId, "20"], {
      stdio: ["ignore", "ignore", "inherit"],
    }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, "close"))[0]));
  expect(codes).toEqual(sessionIds.map(() => 0));
  const store = openStore();
  for (const sessionId of sessionIds) {
    expect(await store.verify(sessionId)).toEqual(validReport(sessionId, 40, 0));
    const facts: readonly Fact[] = (await readAll(store, sessionId)).map((record) => record.fact);
    expect(facts.at(-2)).toMatchObject({ type: "prompt.admitted", text: "prompt 19" });
  }
  await store.close();
});
