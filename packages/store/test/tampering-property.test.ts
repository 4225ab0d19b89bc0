/** A signed session, changed at random in every way that the file allows: each change is named as what it is. */
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Fact, Store, VerifyReport } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { behind, cutBack, keyOf, writeAnew } from "./forged-chain.ts";
import { created, prompt } from "./sample-facts.ts";
import { appended, validReport } from "./store-contract.ts";
import { createTestKey } from "./test-journal-key.ts";
import { conversation } from "./view-facts.ts";

const random = createSeededRandom(process.env["KEDGE_TEST_SEED"]);
const rounds = 40;
const journalKey = createTestKey();
const sessionId = "ses_1";
let folder: string;
let copies = 0;

beforeAll(() => {
  console.log(`seed ${random.seed}`);
  folder = mkdtempSync(join(tmpdir(), "kedge-tampering-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function openStore(path: string): Store {
  const world = { now: () => 1_700_000_000_000, randomBytes, isAlive: () => true };
  const found = openSqliteStore({ ...world, path, blobsDirectory: join(folder, "blobs"), journalKey });
  if (!found.ok) throw new Error(found.failure.message);
  return found.store;
}

type Journal = {
  readonly path: string;
  readonly records: number;
  readonly signedSeq: number;
  readonly digests: readonly string[];
};

function randomFacts(): readonly Fact[] {
  const facts: Fact[] = [];
  for (let turn = random.below(4); turn >= 0; turn -= 1) {
    facts.push(...conversation(random.below(1_000_000), `words ${random.below(1_000_000)}`));
    if (random.below(3) === 0) facts.push({ type: "mode.changed", mode: "plan" }, prompt("another"));
  }
  return facts;
}

/** Signed at its end, or before some records that came later. */
async function writeJournal(): Promise<Journal> {
  copies += 1;
  const path = join(folder, `written-${copies}.db`);
  const store = openStore(path);
  const first = await appended(store, sessionId, [created, ...randomFacts()]);
  await store.signHead(sessionId);
  const rest = random.below(2) === 0 ? [] : await appended(store, sessionId, randomFacts());
  if (random.below(2) === 0) await store.catchUp(sessionId);
  await store.close();
  const records = [...first, ...rest];
  return {
    path,
    records: records.length,
    signedSeq: first.length,
    digests: records.flatMap(({ digest }) => digest ?? []),
  };
}

async function verified(journal: Journal, change: (path: string) => void): Promise<VerifyReport> {
  copies += 1;
  const path = join(folder, `changed-${copies}.db`);
  copyFileSync(journal.path, path);
  change(path);
  const store = openStore(path);
  const report = await store.verify(sessionId);
  await store.close();
  return report;
}

/** Another character at a random place of a text. */
function changedText(text: string): string {
  const at = random.below(text.length);
  const other = text[at] === "0" ? "1" : "0";
  return text.slice(0, at) + other + text.slice(at + 1);
}

function changeColumn(database: DatabaseSync, seq: number, column: string): void {
  const where = [keyOf(database, sessionId), seq] as const;
  const value = database.prepare(`SELECT ${column} AS value FROM fact WHERE session = ? AND seq = ?`).get(...where)?.[
    "value"
  ];
  const changed = typeof value === "number" ? value + 1 : changedText(String(value));
  database.prepare(`UPDATE fact SET ${column} = ? WHERE session = ? AND seq = ?`).run(changed, ...where);
}

function columnsAt(path: string, seq: number): readonly string[] {
  const text = "SELECT digest, salt FROM fact WHERE session = ? AND seq = ?";
  const row = behind(path, (database) => database.prepare(text).get(keyOf(database, sessionId), seq));
  const sealed = row?.["digest"] === null || row?.["salt"] === null ? [] : ["digest", "salt", "content"];
  return ["time", "type", "version", "data", "prev", "hash", ...sealed];
}

/** In whole: a torn end excuses nothing but the very last record. */
function expectBadAt(report: VerifyReport, seq: number, journal: Journal): void {
  const { valid, problem, truncated, signature, signedSeq } = report;
  expect({ valid, seq: problem?.seq, signature, signedSeq }).toEqual({
    valid: false,
    seq,
    signature: expect.stringMatching(/^(valid|not-in-chain)$/),
    signedSeq: journal.signedSeq,
  });
  expect(truncated && seq < journal.records).toBe(false);
}

test("changed bytes, swapped and removed records are named by their number", { timeout: 60_000 }, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const journal = await writeJournal();
    const seq = 1 + random.below(journal.records);
    const columns = columnsAt(journal.path, seq);
    const column = columns[random.below(columns.length)] ?? "hash";
    const changed = await verified(journal, (path) => behind(path, (database) => changeColumn(database, seq, column)));
    expectBadAt(changed, seq, journal);

    const [low = 1, high = 2] = random
      .shuffle(Array.from({ length: journal.records }, (_, index) => index + 1))
      .slice(0, 2)
      .sort((left, right) => left - right);
    const swapped = await verified(journal, (path) =>
      behind(path, (database) => {
        const move = database.prepare("UPDATE fact SET seq = ? WHERE session = ? AND seq = ?");
        const key = keyOf(database, sessionId);
        for (const [to, from] of [
          [0, low],
          [low, high],
          [high, 0],
        ] as const)
          move.run(to, key, from);
      }),
    );
    expectBadAt(swapped, low, journal);

    const count = 1 + random.below(3);
    const removed = await verified(journal, (path) =>
      behind(path, (database) => {
        const text = "DELETE FROM fact WHERE session = ? AND seq >= ? AND seq < ?";
        database.prepare(text).run(keyOf(database, sessionId), seq, seq + count);
      }),
    );
    expectBadAt(removed, seq, journal);
  }
});

test("contents that are removed in the right way leave a valid and signed session", { timeout: 60_000 }, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { path, records, digests } = await writeJournal();
    const store = openStore(path);
    const chosen = random.shuffle(digests).slice(0, 1 + random.below(digests.length));
    await store.removeContent(sessionId, chosen, { reason: "test", by: "user", boot: "boot-1" });
    const valid = { signature: "valid", signedSeq: records + 1 };
    expect(await store.verify(sessionId)).toEqual({ ...validReport(sessionId, records + 1, chosen.length), ...valid });
    await store.close();
    behind(path, (database) => changeColumn(database, records + 1, "hash"));
    const again = openStore(path);
    expect(await again.verify(sessionId)).toMatchObject({ valid: false, problem: { seq: records + 1 } });
    await again.close();
  }
});

test("a chain that is cut back or written anew with right hashes is tampering", { timeout: 60_000 }, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const journal = await writeJournal();
    const { signedSeq } = journal;
    const lastSeq = 1 + random.below(signedSeq - 1);
    const facts = {
      sessionId,
      valid: false,
      payloadsRemoved: 0,
      truncated: false,
      tampered: true,
      signature: "not-in-chain",
      signedSeq,
    };
    expect(await verified(journal, (path) => cutBack(path, sessionId, lastSeq))).toEqual({
      ...facts,
      records: lastSeq,
      problem: { seq: lastSeq + 1, what: `records up to the signed one, number ${signedSeq}, were cut off` },
    });
    const seq = 1 + random.below(signedSeq);
    expect(await verified(journal, (path) => writeAnew(path, sessionId, seq))).toEqual({
      ...facts,
      records: journal.records,
      problem: {
        seq: signedSeq,
        what: "another record stands in the place of the signed one, so the chain was written anew",
      },
    });
  }
});

test("a signature that was changed is wrong, and one of another key says nothing", { timeout: 60_000 }, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const journal = await writeJournal();
    const { records, signedSeq } = journal;
    const column = ["seq", "hash", "signature", "key_id"][random.below(4)] ?? "seq";
    const report = await verified(journal, (path) =>
      behind(path, (database) => {
        const value = database.prepare(`SELECT ${column} AS value FROM signed_head`).get()?.["value"];
        // The last character of a signature has bits that say nothing.
        const text =
          column === "signature" ? `${changedText(String(value).slice(0, -1))}A` : changedText(String(value));
        const changed = column === "seq" ? Number(value) - 1 : text;
        database.prepare(`UPDATE signed_head SET ${column} = ?`).run(changed);
      }),
    );
    const named = column === "seq" ? signedSeq - 1 : signedSeq;
    const what = "the signature does not fit the record it names";
    expect(report).toEqual(
      column === "key_id"
        ? { ...validReport(sessionId, records, 0), signature: "unknown-key", signedSeq }
        : {
            ...validReport(sessionId, records, 0),
            valid: false,
            tampered: true,
            signature: "wrong",
            signedSeq: named,
            problem: { seq: named, what },
          },
    );
  }
});
