/** What is removed is gone and what stands in its place is read; files that nobody names go, unless somebody may yet. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fact, Store } from "@kedge/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMemoryStore, openSqliteStore } from "../src/index.ts";
import { created, prompt } from "./sample-facts.ts";
import { appended, readAll } from "./store-contract.ts";
import { conversation } from "./view-facts.ts";

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

const kinds = {
  sqlite: (): Store => {
    const found = openSqliteStore({ ...world, path: join(folder, "kedge.db"), blobsDirectory: join(folder, "blobs") });
    if (!found.ok) throw new Error(found.failure.message);
    opened.push(found.store);
    return found.store;
  },
  memory: (): Store => createMemoryStore(world),
};

const why = { reason: "it held a secret", by: "user", boot };

async function replace(store: Store, digest: string, text: string): Promise<void> {
  const replacements = new Map([[digest, JSON.stringify({ text })]]);
  expect(await store.removeContent("ses_1", [digest], { ...why, replacements })).toMatchObject({ ok: true });
}

describe.each(Object.entries(kinds))("%s", (_, open) => {
  test("a replaced content reads as its replacement, counts as removed, and the chain holds", async () => {
    const store = open();
    const [told, ...rest] = conversation(1, `the key is ${secret}`);
    const records = await appended(store, "ses_1", [created, ...(told === undefined ? [] : [told]), ...rest]);
    const digest = String(records[1]?.digest);
    expect(await store.search({ text: "hunter2", limit: 9 })).toHaveLength(1);
    await replace(store, digest, "the key is [REDACTED]");
    const [, first, ...others] = await readAll(store, "ses_1");
    expect(first).toEqual({ ...records[1], fact: { ...told, text: "the key is [REDACTED]" }, removed: true });
    expect(others.slice(0, -1)).toEqual(records.slice(2));
    expect(others.at(-1)?.fact).toEqual({ type: "content.removed", digests: [digest], reason: why.reason, by: "user" });
    expect(await store.verify("ses_1")).toMatchObject({ valid: true, payloadsRemoved: 1 });
    expect(await store.search({ text: "hunter2", limit: 9 })).toEqual([]);
    expect(await store.session("ses_1")).toMatchObject({ title: "the key is [REDACTED]" });
    expect((await store.messages("ses_1", { limit: 9 })).messages[0]?.parts[0]).toMatchObject({
      text: "the key is [REDACTED]",
    });
    expect(await store.verify("ses_1")).toMatchObject({ valid: true, payloadsRemoved: 1 });
  });

  test("what stands in the place of a content can be replaced again, and goes with the session", async () => {
    const store = open();
    const digest = String((await appended(store, "ses_1", [created, prompt(secret)]))[1]?.digest);
    await replace(store, digest, "half of it: hunter2");
    await replace(store, digest, "nothing of it");
    expect((await readAll(store, "ses_1"))[1]?.fact).toEqual(prompt("nothing of it"));
    expect(await store.deleteSession("ses_1", { by: "user", boot })).toMatchObject({ ok: true });
    expect((await readAll(store, "ses_1"))[1]).toMatchObject({ fact: prompt(""), removed: true });
    expect(await store.verify("ses_1")).toMatchObject({ valid: true, payloadsRemoved: 1 });
  });

  test("a replacement is exported without salt, because nothing can check it", async () => {
    const store = open();
    const digest = String((await appended(store, "ses_1", [created, prompt(secret)]))[1]?.digest);
    await replace(store, digest, "gone");
    const payloads: unknown[] = [];
    for await (const { payload } of store.rows("ses_1")) if (payload !== undefined) payloads.push(payload);
    expect(payloads).toEqual([{ content: '{"text":"gone"}' }]);
  });

  test("a blob that no fact names goes after the grace, one that is named or was stored again stays", async () => {
    const store = open();
    const [named, again, unnamed] = await Promise.all(
      ["named", "again", "unnamed"].map((text) => store.putBlob(Buffer.from(text))),
    );
    await appended(store, "ses_1", [created, prompt(`see ${named}`)]);
    expect(await store.collectGarbage({ graceMs: hour, isDryRun: false })).toMatchObject({ files: 0 });
    time += 2 * hour;
    expect(await store.putBlob(Buffer.from("again"))).toBe(again);
    expect(await store.collectGarbage({ graceMs: hour, isDryRun: true })).toEqual({ files: 1, bytesFreed: 7 });
    expect(await store.collectGarbage({ graceMs: hour, isDryRun: false })).toMatchObject({ files: 1 });
    expect(await Promise.all([named, again, unnamed].map((sha256) => store.blob(String(sha256))))).toEqual(
      [new Uint8Array(Buffer.from("named")), new Uint8Array(Buffer.from("again")), undefined].map(
        (bytes) => bytes && expect.objectContaining({ length: bytes.length }),
      ),
    );
    // One that was collected can be stored again.
    expect(await store.putBlob(Buffer.from("unnamed"))).toBe(unnamed);
    expect(Buffer.from((await store.blob(String(unnamed))) ?? []).toString()).toBe("unnamed");
  });

  test("storage is told with the largest sessions first", async () => {
    const store = open();
    await appended(store, "ses_1", [created, prompt("short")]);
    await appended(store, "ses_2", [created, prompt("long ".repeat(1_000))]);
    await appended(store, "ses_3", [created]);
    await store.deleteSession("ses_3", { by: "user", boot });
    const use = await store.storageUse({ largestMax: 2 });
    expect(use).toMatchObject({ sessions: 2, filesMissing: 0 });
    expect(use.largest.map(({ sessionId, bytes }) => [sessionId, bytes > 4_000])).toEqual([
      ["ses_2", true],
      ["ses_1", false],
    ]);
    expect((await store.storageUse()).largest).toEqual([]);
  });

  test.each([0, 3, 5, 99])(
    "thinning leaves what is shown as it is, with a view made after %i facts",
    async (viewed) => {
      const store = open();
      const [told, begun, whole, ...rest] = conversation(1, "say something long");
      const pieces = ["one ", "two ", "three "].map((text): Fact => {
        return { type: "step.progressed", stepId: "s1", appended: [{ type: "text", text: text.repeat(50) }] };
      });
      const facts = [created, told, begun, ...pieces, whole, ...rest].filter((fact) => fact !== undefined);
      await appended(store, "ses_1", facts.slice(0, viewed));
      await store.catchUp("ses_1");
      await appended(store, "ses_1", facts.slice(viewed));
      const other = open === kinds.memory ? open() : kinds.memory();
      await appended(other, "ses_1", facts);
      if (viewed === 99) await store.catchUp("ses_1");
      const { messages } = await other.messages("ses_1", { limit: 99 });
      expect(await store.thin("ses_1", { by: "kedge", boot })).toEqual({ ok: true, bytesFreed: expect.any(Number) });
      expect((await store.messages("ses_1", { limit: 99 })).messages).toEqual(
        messages.map((message) => ({
          ...message,
          parts: message.parts.map((part) => ({ ...part, time: expect.any(Number) })),
        })),
      );
      expect(await store.verify("ses_1")).toMatchObject({ valid: true, payloadsRemoved: 3 });
      expect(await store.thin("ses_1", { by: "kedge", boot })).toEqual({ ok: true, bytesFreed: 0 });
      await appended(store, "ses_1", conversation(2, "and more"));
      expect((await store.messages("ses_1", { limit: 99 })).messages).toHaveLength(messages.length + 2);
      expect(await store.verify("ses_1")).toMatchObject({ valid: true });
    },
  );
});

test("nothing of a replaced content is left in any file, not even of one that lay in a file of its own", async () => {
  const store = kinds.sqlite();
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
  const store = kinds.sqlite();
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
  const store = kinds.sqlite();
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
  const store = kinds.sqlite();
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
  const store = kinds.sqlite();
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
}, 60_000);
