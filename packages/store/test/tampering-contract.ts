/** A signed session, changed at random in every way that its tables allow: each change is named as what it is. */
import type { Fact, JournalKey, Store, VerifyReport } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { type Behind, cutBack, writeAnew } from "./forged-chain.ts";
import { created, prompt } from "./sample-facts.ts";
import { appended, validReport } from "./store-site.ts";
import { createTestKey } from "./test-journal-key.ts";
import { conversation } from "./view-facts.ts";

/** Where one store lies; it can be opened again and again. */
export type ForgedPlace = {
  open(key: JournalKey): Promise<Store>;
  readonly behind: Behind;
  /** The same as it is now, in another place. */
  copy(): Promise<ForgedPlace>;
};

type Journal = {
  readonly place: ForgedPlace;
  readonly records: number;
  readonly signedSeq: number;
  readonly digests: readonly string[];
};

const sessionId = "ses_1";

export function tamperingContract(name: string, rounds: number, newPlace: () => Promise<ForgedPlace>): void {
  const random = createSeededRandom();
  const journalKey = createTestKey();
  describe(name, () => {
    beforeAll(() => console.log(`seed ${random.seed}`));

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
      const place = await newPlace();
      const store = await place.open(journalKey);
      const first = await appended(store, sessionId, [created, ...randomFacts()]);
      await store.signHead(sessionId);
      const rest = random.below(2) === 0 ? [] : await appended(store, sessionId, randomFacts());
      if (random.below(2) === 0) await store.catchUp(sessionId);
      await store.close();
      const records = [...first, ...rest];
      const digests = records.flatMap(({ digest }) => digest ?? []);
      return { place, records: records.length, signedSeq: first.length, digests };
    }

    async function verified(journal: Journal, change: (forged: Behind) => Promise<void>): Promise<VerifyReport> {
      const copy = await journal.place.copy();
      await change(copy.behind);
      const store = await copy.open(journalKey);
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

    async function changeColumn(forged: Behind, seq: number, column: string): Promise<void> {
      const row = (await forged.rows(sessionId))[seq - 1];
      const values: Record<string, unknown> = { ...row, ...row?.payload };
      const value = values[column];
      const changed = typeof value === "number" ? value + 1 : changedText(String(value));
      await forged.changeRows(sessionId, [{ at: seq, columns: { [column]: changed } }]);
    }

    async function columnsAt({ place }: Journal, seq: number): Promise<readonly string[]> {
      const row = (await place.behind.rows(sessionId))[seq - 1];
      const sealed = row?.payload === undefined ? [] : ["digest", "salt", "content"];
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
        const columns = await columnsAt(journal, seq);
        const column = columns[random.below(columns.length)] ?? "hash";
        const changed = await verified(journal, (forged) => changeColumn(forged, seq, column));
        expectBadAt(changed, seq, journal);

        const [low = 1, high = 2] = random
          .shuffle(Array.from({ length: journal.records }, (_, index) => index + 1))
          .slice(0, 2)
          .sort((left, right) => left - right);
        const swapped = await verified(journal, (forged) =>
          forged.changeRows(sessionId, [
            { at: low, columns: { seq: 0 } },
            { at: high, columns: { seq: low } },
            { at: 0, columns: { seq: high } },
          ]),
        );
        expectBadAt(swapped, low, journal);

        const count = 1 + random.below(3);
        const removed = await verified(journal, (forged) => forged.deleteRows(sessionId, seq, seq + count));
        expectBadAt(removed, seq, journal);
      }
    });

    test("contents that are removed in the right way leave a valid and signed session", {
      timeout: 60_000,
    }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { place, records, digests } = await writeJournal();
        const store = await place.open(journalKey);
        const chosen = random.shuffle(digests).slice(0, 1 + random.below(digests.length));
        await store.removeContent(sessionId, chosen, { reason: "test", by: "user", boot: "boot-1" });
        const valid = { signature: "valid", signedSeq: records + 1 };
        expect(await store.verify(sessionId)).toEqual({
          ...validReport(sessionId, records + 1, chosen.length),
          ...valid,
        });
        await store.close();
        await changeColumn(place.behind, records + 1, "hash");
        const again = await place.open(journalKey);
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
        expect(await verified(journal, (forged) => cutBack(forged, sessionId, lastSeq))).toEqual({
          ...facts,
          records: lastSeq,
          problem: { seq: lastSeq + 1, what: `records up to the signed record ${signedSeq} were removed` },
        });
        const seq = 1 + random.below(signedSeq);
        expect(await verified(journal, (forged) => writeAnew(forged, sessionId, seq))).toEqual({
          ...facts,
          records: journal.records,
          problem: {
            seq: signedSeq,
            what: "the signed record was replaced: the chain was rewritten",
          },
        });
      }
    });

    test("a signature that was changed is wrong, and one of another key says nothing", {
      timeout: 60_000,
    }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const journal = await writeJournal();
        const { records, signedSeq } = journal;
        const column = ["seq", "hash", "signature", "key_id"][random.below(4)] ?? "seq";
        const report = await verified(journal, async (forged) => {
          const value = (await forged.signedHead(sessionId))[column];
          // The last character of a signature has bits that say nothing.
          const text =
            column === "signature" ? `${changedText(String(value).slice(0, -1))}A` : changedText(String(value));
          await forged.changeSignedHead(sessionId, { [column]: column === "seq" ? Number(value) - 1 : text });
        });
        const named = column === "seq" ? signedSeq - 1 : signedSeq;
        const what = "the signature does not match its record";
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
  });
}
