/** Who changes, cuts or rewrites a signed session is found out; what was removed on purpose is not called a change. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fact, JournalKey, Store, VerifyReport } from "@kedge/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMemoryStore, openSqliteStore } from "../src/index.ts";
import { behind, behindSqlite, cutBack, keyOf, writeAnew } from "./forged-chain.ts";
import { prompt, sampleFacts } from "./sample-facts.ts";
import { signed, signedHeadsContract } from "./signed-heads-contract.ts";
import { appended, validReport } from "./store-site.ts";
import { createTestKey } from "./test-journal-key.ts";

const holder = { boot: "boot-1", pid: 101, startedAt: "1" };
const why = { by: "user", boot: "boot-1" };
const world = { now: () => 1_700_000_000_000, randomBytes, isAlive: () => true };
const journalId = "journal_project-1";
let folder: string;
let path: string;
let opened: Store[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-signed-"));
  path = join(folder, "kedge.db");
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const key = createTestKey();

function openStore(given: { readonly journalKey?: JournalKey } = { journalKey: key }): Store {
  const found = openSqliteStore({ ...world, path, blobsDirectory: join(folder, "blobs"), ...given });
  if (!found.ok) throw new Error(found.failure.message);
  opened.push(found.store);
  return found.store;
}

signedHeadsContract("sqlite", async (journalKey) => openStore({ journalKey }));
signedHeadsContract("memory", async (journalKey) => createMemoryStore({ ...world, journalKey }));

describe("tampering", () => {
  const prepared = async (facts: readonly Fact[] = sampleFacts) => {
    const store = openStore();
    await appended(store, "ses_1", facts);
    await store.signHead("ses_1");
  };
  const reopened = async (): Promise<Store> => {
    for (const store of opened.splice(0)) await store.close();
    return openStore();
  };
  const cutOff = (records: number): VerifyReport => ({
    ...{ sessionId: "ses_1", valid: false, records, payloadsRemoved: 0, truncated: false },
    ...{ tampered: true, signature: "not-in-chain", signedSeq: 7 },
    problem: { seq: records + 1, what: "records up to the signed record 7 were removed" },
  });

  test("a chain cut back behind its signed head is found, and going on does not hide it", async () => {
    await prepared();
    await cutBack(behindSqlite(path), "ses_1", 4);
    const store = await reopened();
    expect(await store.verify("ses_1")).toEqual(cutOff(4));
    await store.acquireLease("ses_1", holder);
    await appended(
      store,
      "ses_1",
      Array.from({ length: 5 }, () => prompt("on we go")),
    );
    await store.releaseLease("ses_1", "boot-1");
    expect(await store.verify("ses_1")).toEqual({
      ...cutOff(9),
      problem: {
        seq: 7,
        what: "the signed record was replaced: the chain was rewritten",
      },
    });
  });

  test("a tampered session can be read, and is nothing that a rescue would mend", async () => {
    await prepared();
    await cutBack(behindSqlite(path), "ses_1", 4);
    const store = await reopened();
    for await (const record of store.read("ses_1", 0)) if (record.seq === 2) break;
    expect(existsSync(`${path}.damaged`)).toBe(false);
  });

  test("a chain cut back to a torn record is no truncation", async () => {
    await prepared();
    await cutBack(behindSqlite(path), "ses_1", 4);
    behind(path, (database) => database.exec("UPDATE fact SET data = substr(data, 1, 5) WHERE seq = 4"));
    expect(await (await reopened()).verify("ses_1")).toEqual({ ...cutOff(3), problem: cutOff(4).problem });
  });

  test("a signed record torn by a crash is a truncation, is mended, and the session is signed anew", async () => {
    await prepared();
    behind(path, (database) => database.exec("UPDATE fact SET data = substr(data, 1, 5) WHERE seq = 7"));
    const store = await reopened();
    expect(await store.verify("ses_1")).toMatchObject({ valid: false, truncated: true, signature: "valid" });
    await store.acquireLease("ses_1", holder);
    expect(await store.verify("ses_1")).toMatchObject({ valid: true, signature: "none" });
    await store.releaseLease("ses_1", "boot-1");
    expect(await store.verify("ses_1")).toEqual(signed(7));
  });

  test("without the key a signature says nothing, and another key takes over", async () => {
    await prepared();
    for (const store of opened.splice(0)) await store.close();
    expect(await openStore({}).verify("ses_1")).toEqual(validReport("ses_1", 7, 0));
    const other = openStore({ journalKey: createTestKey("key-2") });
    expect(await other.verify("ses_1")).toEqual({ ...signed(7), signature: "unknown-key" });
    await appended(other, "ses_1", [prompt("more")]);
    await other.signHead("ses_1");
    expect(await other.verify("ses_1")).toEqual(signed(8));
  });

  describe("of deleted sessions", () => {
    const deleted = async () => {
      await prepared();
      await opened[0]?.deleteSession("ses_1", why);
    };

    test("a bare chain that was written anew and signed by nobody differs from the journal of its project", async () => {
      await deleted();
      await writeAnew(behindSqlite(path), "ses_1", 3);
      behind(path, (database) => database.exec("DELETE FROM signed_head WHERE session_id = 'ses_1'"));
      const store = await reopened();
      expect(await store.verify("ses_1")).toMatchObject({
        valid: false,
        tampered: true,
        signature: "none",
        problem: { seq: 9, what: "the deleted session does not end as the journal of its project says" },
      });
      expect((await store.verify(journalId)).problem).toEqual({
        seq: 1,
        what: "the end of the deleted session ses_1 does not match the record",
      });
    });

    test("a bare chain that is gone is missed by the journal of its project", async () => {
      await deleted();
      behind(path, (database) => {
        database.prepare("DELETE FROM fact WHERE session = ?").run(keyOf(database, "ses_1"));
        database.exec("DELETE FROM session WHERE id = 'ses_1'; DELETE FROM signed_head WHERE session_id = 'ses_1'");
      });
      expect(await (await reopened()).verify(journalId)).toMatchObject({
        valid: false,
        tampered: true,
        problem: { seq: 1, what: "the last record of the deleted session ses_1 is gone" },
      });
    });

    test("a journal of a project that was cut back is found like a session", async () => {
      await deleted();
      const [store] = opened;
      if (store === undefined) throw new Error("the store is open");
      await appended(store, "ses_2", sampleFacts);
      await store.deleteSession("ses_2", why);
      await cutBack(behindSqlite(path), journalId, 1);
      const report = await (await reopened()).verify(journalId);
      expect(report).toMatchObject({ valid: false, signature: "not-in-chain", problem: { seq: 2 } });
    });
  });
});

test("a database of the second schema is taken over, with the sessions deleted then", async () => {
  const dump = readFileSync(new URL("./fixtures/schema-2.sql", import.meta.url), "utf8");
  behind(path, (database) => database.exec(dump));
  const store = openStore();
  expect(existsSync(`${path}.version-2.backup`)).toBe(true);
  expect(await store.unlistedChains()).toEqual(["ses_old2"]);
  const unsigned = { signature: "none" } as const;
  expect(await store.verify("ses_old1")).toEqual({ ...validReport("ses_old1", 4, 0), ...unsigned });
  expect(await store.verify("ses_old2")).toEqual({ ...validReport("ses_old2", 6, 2), ...unsigned });
  await store.signHead("ses_old1");
  expect(await store.verify("ses_old1")).toEqual(signed(4, 0, 4, "ses_old1"));
});
