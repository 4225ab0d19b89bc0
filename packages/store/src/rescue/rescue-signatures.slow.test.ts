/** A damaged database keeps what vouches for its sessions, and what stands in the place of removed content. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { behind, behindSqlite, cutBack } from "../../test/forged-chain.ts";
import { created, prompt } from "../../test/sample-facts.ts";
import { appended, readAll, validReport } from "../../test/store-site.ts";
import { createTestKey } from "../../test/test-journal-key.ts";
import { openSqliteStore } from "../index.ts";
import { markDamaged } from "./rescue-database.ts";

const id = (number: number) => `ses_${String(number).padStart(23, "0")}`;
const kept = id(1);
const projectId = "a".repeat(64);
const journalId = `journal_${projectId}`;
const boot = "boot-1";
const why = { by: "user", boot };
const now = () => 1_700_000_000_000;
const journalKey = createTestKey();
let folder: string;
let path: string;
let store: Store | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-rescue-signatures-"));
  path = join(folder, "kedge.db");
  open();
});
afterEach(async () => {
  await store?.close();
  store = undefined;
  rmSync(folder, { recursive: true, force: true });
});

function open(): { readonly store: Store; readonly notice: string | undefined } {
  const blobsDirectory = join(folder, "blobs");
  const opened = openSqliteStore({ path, blobsDirectory, now, randomBytes, isAlive: () => false, journalKey });
  if (!opened.ok) throw new Error(opened.failure.message);
  store = opened.store;
  return { store, notice: opened.notice?.message };
}

/** Six records, signed. */
async function written(sessionId: string): Promise<readonly string[]> {
  if (store === undefined) throw new Error("the store is open");
  const texts = ["one", "two", "three", "four", "five"].map((text) => prompt(`${text} of ${sessionId}`));
  const records = await appended(store, sessionId, [{ ...created, projectId }, ...texts]);
  await store.signHead(sessionId);
  return records.flatMap(({ digest }) => digest ?? []);
}

async function rescued(damage: () => unknown = () => undefined) {
  await store?.close();
  store = undefined;
  await damage();
  markDamaged(path, now);
  return open();
}

const signed = (records: number, removed = 0, sessionId = kept) => ({
  ...validReport(sessionId, records, removed),
  signature: "valid",
  signedSeq: records,
});

test("signatures, deleted sessions, the journal of their project and replacements are kept", async () => {
  const [, second = "", third = ""] = await written(kept);
  await written(id(2));
  const replacements = new Map([[second, JSON.stringify({ text: "nothing to see" })]]);
  await store?.removeContent(kept, [second, third], { ...why, reason: "scrub", replacements });
  await store?.deleteSession(id(2), why);
  const found = await rescued();
  expect(found.notice).toContain("2 sessions with 16 records were kept, nothing was lost.");
  expect(await found.store.verify(kept)).toEqual(signed(7, 2));
  const texts = (await readAll(found.store, kept)).map(({ fact }) => ("text" in fact ? fact.text : ""));
  expect(texts.slice(1, 6)).toEqual([`one of ${kept}`, "nothing to see", "", `four of ${kept}`, `five of ${kept}`]);
  expect(await found.store.verify(id(2))).toEqual(signed(8, 5, id(2)));
  expect(await found.store.verify(journalId)).toEqual(signed(1, 0, journalId));
  expect((await found.store.sessions({ limit: 9 })).map(({ sessionId }) => sessionId)).toEqual([kept]);
});

test("what was replaced and then removed again does not come back from an old page", async () => {
  const [, second = ""] = await written(kept);
  const replacements = new Map([[second, JSON.stringify({ text: "half a secret" })]]);
  await store?.removeContent(kept, [second], { ...why, reason: "scrub", replacements });
  await store?.removeContent(kept, [second], { ...why, reason: "scrub again" });
  const old = "UPDATE fact SET content = ? WHERE digest = ?";
  const found = await rescued(() =>
    behind(path, (database) => database.prepare(old).run('{"text":"half a secret"}', second)),
  );
  expect((await readAll(found.store, kept))[2]).toMatchObject({ fact: { text: "" }, removed: true });
});

test("a signed record that the damage took is told by the session, which is then signed anew", async () => {
  await written(kept);
  const { store: after } = await rescued(() =>
    behind(path, (database) => database.exec("UPDATE fact SET hash = printf('%064d', 0) WHERE seq = 4")),
  );
  expect(await after.verify(kept)).toEqual({ ...validReport(kept, 4, 0), signature: "none" });
  expect((await readAll(after, kept)).at(-1)?.fact).toEqual({
    type: "journal.recovered",
    what: "the database was damaged; records lost: 3",
  });
  await after.acquireLease(kept, { boot, pid: 1, startedAt: "1" });
  await after.releaseLease(kept, boot);
  expect(await after.verify(kept)).toEqual(signed(4));
});

test("a damaged signature goes, and one that the chain was cut back behind stays", async () => {
  await written(kept);
  await written(id(2));
  const { store: after } = await rescued(async () => {
    behind(path, (database) => {
      const change = "UPDATE signed_head SET signature = '-' || substr(signature, 1, 40) || '_' WHERE session_id = ?";
      database.prepare(change).run(kept);
    });
    await cutBack(behindSqlite(path), id(2), 3);
  });
  expect(await after.verify(kept)).toEqual({ ...validReport(kept, 6, 0), signature: "none" });
  expect(await after.verify(id(2))).toMatchObject({
    valid: false,
    signature: "not-in-chain",
    problem: { seq: 4, what: "records up to the signed record 6 were removed" },
  });
});
