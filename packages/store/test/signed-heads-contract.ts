/** What every store promises about signatures: who signs, what is covered, and where the end of a deleted session stands. */
import type { Fact, JournalKey, Store, VerifyReport } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { created, prompt, sampleFacts } from "./sample-facts.ts";
import { appended, readAll, validReport } from "./store-site.ts";
import { createTestKey } from "./test-journal-key.ts";

const holder = { boot: "boot-1", pid: 101, startedAt: "1" };
const why = { by: "user", boot: "boot-1" };
const journalId = "journal_project-1";

export const signed = (records: number, removed = 0, signedSeq = records, sessionId = "ses_1"): VerifyReport => ({
  ...validReport(sessionId, records, removed),
  signature: "valid",
  signedSeq,
});

/** `openStore` gives an empty store with this key. */
export function signedHeadsContract(name: string, openStore: (key: JournalKey) => Promise<Store>): void {
  describe(name, () => {
    const open = () => openStore(createTestKey());

    test("a session is unsigned until its head is signed, and what comes later is not covered", async () => {
      const store = await open();
      await appended(store, "ses_1", sampleFacts);
      expect(await store.verify("ses_1")).toEqual({ ...validReport("ses_1", 7, 0), signature: "none" });
      await store.signHead("ses_1");
      expect(await store.verify("ses_1")).toEqual(signed(7));
      await appended(store, "ses_1", [prompt("more")]);
      expect(await store.verify("ses_1")).toEqual(signed(8, 0, 7));
      await store.signHead("ses_1");
      expect(await store.verify("ses_1")).toEqual(signed(8));
      await store.signHead("ses_unknown");
      expect(await store.unlistedChains()).toEqual([]);
    });

    test("whoever gives a session free signs it, and nobody else does", async () => {
      const store = await open();
      await store.acquireLease("ses_1", holder);
      await appended(store, "ses_1", sampleFacts);
      await store.releaseLease("ses_1", "boot-2");
      expect(await store.verify("ses_1")).toMatchObject({ signature: "none" });
      await store.releaseLease("ses_1", "boot-1");
      expect(await store.verify("ses_1")).toEqual(signed(7));
    });

    test("removing content signs the record of the removal", async () => {
      const store = await open();
      const records = await appended(store, "ses_1", sampleFacts);
      const digests = records.flatMap(({ digest }) => digest ?? []).slice(0, 2);
      await store.removeContent("ses_1", digests, { ...why, reason: "scrub" });
      expect(await store.verify("ses_1")).toEqual(signed(8, 2));
    });

    test("a deleted session is listed nowhere, and its end stands in the journal of its project", async () => {
      const store = await open();
      await appended(store, "ses_1", [created, prompt("the lighthouse")]);
      await appended(store, "ses_2", [created, prompt("the harbour")]);
      const outcome = await store.deleteSession("ses_1", why);
      const last = outcome.ok ? outcome.records.at(-1) : undefined;
      expect(last?.fact).toEqual({ type: "session.deleted", by: "user" });
      const facts = (await readAll(store, journalId)).map(({ fact }) => fact);
      const closed: Fact = { type: "chain.closed", sessionId: "ses_1", lastSeq: 4, hash: last?.hash ?? "" };
      expect(facts).toEqual([closed]);
      expect(await store.verify("ses_1")).toEqual(signed(4, 1));
      expect(await store.verify(journalId)).toEqual(signed(1, 0, 1, journalId));
      expect(await store.deleteSession("ses_2", why)).toMatchObject({ ok: true });
      expect(await store.verify(journalId)).toEqual(signed(2, 0, 2, journalId));
      expect([...(await store.unlistedChains())].sort()).toEqual([journalId, "ses_1", "ses_2"]);

      expect(await store.sessions({ limit: 9 })).toEqual([]);
      expect(await store.sessions({ projectId: "", limit: 9 })).toEqual([]);
      expect(await store.search({ text: "ses", limit: 9 })).toEqual([]);
      expect(await store.session(journalId)).toBeUndefined();
      expect(await store.storageUse({ largestMax: 9 })).toMatchObject({ sessions: 0, largest: [] });
      expect(await store.messages(journalId, { limit: 9 })).toEqual({ messages: [] });
    });
  });
}
