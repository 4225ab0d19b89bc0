/** What is removed is gone and what stands in its place is read; files that nobody names go, unless somebody may yet. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemoryStore, openSqliteStore } from "../src/index.ts";
import { removalContract } from "./removal-contract.ts";
import { created, prompt } from "./sample-facts.ts";
import { appended, readAll } from "./store-site.ts";

const boot = "boot-1";
const hour = 3_600_000;
const secret = "hunter2-long-and-secret";
let folder: string;
let time: number;
let opened: Store[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-removal-"));
  time = Date.now();
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const world = { now: () => time, randomBytes, isAlive: () => true };

function openStore(now: () => number = world.now): Store {
  const place = { path: join(folder, "kedge.db"), blobsDirectory: join(folder, "blobs") };
  const found = openSqliteStore({ ...world, ...place, now });
  if (!found.ok) throw new Error(found.failure.message);
  opened.push(found.store);
  return found.store;
}

const why = { reason: "it held a secret", by: "user", boot };

removalContract("sqlite", async ({ now }) => openStore(now));
removalContract("memory", async ({ now }) => createMemoryStore({ ...world, now }));

test("nothing of a replaced content is left in any file, not even of one that lay in a file of its own", async () => {
  const store = openStore();
  const long = `${secret} `.repeat(20_000);
  const records = await appended(store, "ses_1", [created, prompt(`a ${secret}`), prompt(long)]);
  await store.search({ text: "hunter2", limit: 1 });
  const replacements = new Map(records.slice(1).map(({ digest }) => [String(digest), '{"text":"gone"}']));
  await store.removeContent("ses_1", [...replacements.keys()], { ...why, replacements });
  await store.search({ text: "gone", limit: 1 });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const holding = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(secret));
  expect(holding.map(({ name }) => name)).toEqual([]);
  expect(await store.verify("ses_1")).toMatchObject({ valid: true, payloadsRemoved: 2 });
});

test("many removals at once leave nothing behind either, once the garbage is collected", async () => {
  const store = openStore();
  for (const sessionId of ["ses_1", "ses_2"]) {
    await appended(store, sessionId, [created, prompt(`a ${secret}`)]);
    await store.catchUp(sessionId);
    await store.deleteSession(sessionId, { by: "user", boot, isOneOfMany: true });
  }
  await store.collectGarbage({ graceMs: 0, isDryRun: false });
  const holding = readdirSync(folder).filter((name) => /kedge\.db/.test(name) && holds(name, secret));
  expect(holding).toEqual([]);
});

function holds(name: string, text: string): boolean {
  return readFileSync(join(folder, name)).includes(text);
}

test("room is given back to the disk when much of it is free", async () => {
  const store = openStore();
  const text = randomBytes(100_000).toString("base64");
  for (let index = 0; index < 120; index += 1) await appended(store, `ses_${index}`, [created, prompt(text)]);
  for (let index = 1; index < 120; index += 1)
    await store.deleteSession(`ses_${index}`, { by: "user", boot, isOneOfMany: true });
  const before = await store.storageUse();
  expect(before.freeBytes).toBeGreaterThan(8_000_000);
  const { bytesFreed } = await store.collectGarbage({ graceMs: hour, isDryRun: false });
  const after = await store.storageUse();
  expect(bytesFreed).toBeGreaterThan(8_000_000);
  expect(after.databaseBytes).toBeLessThan(2_000_000);
  expect((await readAll(store, "ses_0"))[1]?.fact).toEqual(prompt(text));
  expect(await store.verify("ses_5")).toMatchObject({ valid: true, payloadsRemoved: 1 });
});

test("a lost file is counted", async () => {
  const store = openStore();
  await appended(store, "ses_1", [created, prompt("long ".repeat(60_000))]);
  await store.putBlob(Buffer.from("bytes"));
  expect((await store.storageUse()).filesMissing).toBe(0);
  rmSync(join(folder, "blobs"), { recursive: true });
  expect((await store.storageUse()).filesMissing).toBe(2);
});

/** Stores blobs that look old, then stores them again, and names them a moment later. */
const writer = `
import { randomBytes } from "node:crypto";
import { openSqliteStore } from ${JSON.stringify(join(import.meta.dirname, "../src/index.ts"))};
const [folder, name] = process.argv.slice(2);
let behindMs = 0;
const opened = openSqliteStore({ path: folder + "/kedge.db", blobsDirectory: folder + "/blobs",
  now: () => Date.now() - behindMs, randomBytes, isAlive: () => true });
if (!opened.ok) throw new Error(opened.failure.message);
const { store } = opened;
for (let round = 0; round < 60; round += 1) {
  behindMs = ${hour};
  await store.putBlob(Buffer.from(name + round));
  await store.putBlob(Buffer.from("unnamed " + name + round));
  behindMs = 0;
  await new Promise((resolve) => setTimeout(resolve, round % 4));
  const sha256 = await store.putBlob(Buffer.from(name + round));
  await new Promise((resolve) => setTimeout(resolve, round % 3));
  const fact = { type: "prompt.admitted", promptId: "prm_" + round, runId: "run", delivery: "steer", text: sha256 };
  await store.append("ses_" + name + round, [fact], { boot: name, durable: false });
  if ((await store.blob(sha256)) === undefined) throw new Error("lost " + round);
}
process.stdout.write("done");
`;

test("two processes that store and name blobs lose none to a third that collects all the time", async () => {
  const store = openStore();
  const run = (name: string) =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, ["--input-type=module", "-", folder, name]);
      let said = "";
      child.stdout.on("data", (chunk) => (said += chunk));
      child.stderr.on("data", (chunk) => (said += chunk));
      child.on("close", () => resolve(said));
      child.stdin.end(writer);
    });
  let isOver = false;
  const ended = Promise.all([run("a"), run("b")]).finally(() => {
    isOver = true;
  });
  let collected = 0;
  while (!isOver) {
    time = Date.now();
    collected += (await store.collectGarbage({ graceMs: 10_000, isDryRun: false })).files;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await ended).toEqual(["done", "done"]);
  for (const { sessionId } of await store.sessions({ limit: 1_000 })) {
    for await (const { fact } of store.read(sessionId, 0)) {
      const sha256 = fact.type === "prompt.admitted" ? fact.text : "";
      expect([sessionId, (await store.blob(sha256)) === undefined]).toEqual([sessionId, false]);
    }
  }
  time = Date.now() + hour;
  collected += (await store.collectGarbage({ graceMs: 10_000, isDryRun: false })).files;
  // Every unnamed one, and now and then one that was stored again.
  expect(collected).toBeGreaterThanOrEqual(120);
});
