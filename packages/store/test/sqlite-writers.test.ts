/** Two connections that write one database: what one remembers of a session never stands in the way of the other. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { created, prompt } from "./sample-facts.ts";
import { appended, readAll, validReport, writer } from "./store-site.ts";

let folder: string;
let stores: readonly Store[] = [];
let time = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-writers-"));
  time = 1_700_000_000_000;
  stores = [open(), open()];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): Store {
  const opened = openSqliteStore({
    path: join(folder, "kedge.db"),
    blobsDirectory: join(folder, "blobs"),
    now: () => time,
    randomBytes,
    isAlive: () => true,
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.store;
}

function both(): readonly [Store, Store] {
  const [one, other] = stores;
  if (one === undefined || other === undefined) throw new Error("no stores");
  return [one, other];
}

test("writers that take turns chain to each other, however many facts each of them appends", async () => {
  const [one, other] = both();
  await appended(one, "ses_1", [created]);
  let count = 1;
  for (const size of [1, 4, 8, 9, 20]) {
    for (const store of [one, other, other, one]) {
      const facts = Array.from({ length: size }, (_, index) => prompt(`${count} ${index}`, `prm_${count}_${index}`));
      const outcome = await store.append("ses_1", facts, writer);
      count += size;
      expect(outcome.ok && outcome.position).toBe(count);
      expect(outcome.ok && outcome.records.at(-1)?.seq).toBe(count);
    }
  }
  expect((await readAll(other, "ses_1")).map(({ seq }) => seq)).toEqual(
    Array.from({ length: count }, (_, index) => index + 1),
  );
  expect(await one.verify("ses_1")).toMatchObject(validReport("ses_1", count, 0));
});

test("a writer that wrote last is refused once another process took the lease, and nothing of it stays", async () => {
  const [one, other] = both();
  const first = { boot: writer.boot, pid: 1, startedAt: "1" };
  const second = { boot: "boot-2", pid: 2, startedAt: "2" };
  await one.acquireLease("ses_1", first);
  await appended(one, "ses_1", [created]);
  await appended(one, "ses_1", [prompt("mine")]);
  time += 30_001;
  await other.acquireLease("ses_1", second);
  const late = await one.append("ses_1", [prompt("late")], writer);
  expect(late).toEqual({ ok: false, reason: "lease-lost", holder: second });
  expect(await readAll(other, "ses_1")).toHaveLength(2);
  expect(await one.verify("ses_1")).toMatchObject(validReport("ses_1", 2, 0));
});
