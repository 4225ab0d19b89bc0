/** What every store promises, as one suite that runs on each of them. */
import { randomBytes } from "node:crypto";
import {
  applyRecord,
  emptySession,
  type Fact,
  type FactRecord,
  type JournalRow,
  type LeaseHolder,
  type PlacedRecord,
  type PlacedRow,
  type Store,
} from "@kedge/protocol";
import { createSeededRandom, randomSession } from "@kedge/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { payloadDigest, rowHash } from "../src/chain.ts";
import { created, prompt, sampleFacts } from "./sample-facts.ts";

/** The world a store is opened in; tests move its clock and end its processes. */
export type StoreWorld = { time: number; readonly dead: Set<number>; randomBytes: (size: number) => Uint8Array };

export type OpenedForTest = { readonly store: Store; readonly dispose: () => Promise<void> };

export type OpenStore = (world: StoreWorld) => Promise<OpenedForTest>;

const startTime = 1_700_000_000_000;
const writer = { boot: "boot-1", durable: false };
const nothing = { ok: true, records: [], position: 0 };
const first: LeaseHolder = { boot: "boot-1", pid: 101, startedAt: "1" };
const second: LeaseHolder = { boot: "boot-2", pid: 102, startedAt: "2" };

export async function readAll(store: Store, sessionId: string, afterSeq = 0): Promise<readonly FactRecord[]> {
  const records: FactRecord[] = [];
  for await (const record of store.read(sessionId, afterSeq)) records.push(record);
  return records;
}

async function tailOf(store: Store, afterPosition: number, sessionId?: string): Promise<readonly PlacedRecord[]> {
  const placed: PlacedRecord[] = [];
  for await (const item of store.tail(afterPosition, sessionId)) placed.push(item);
  return placed;
}

export async function appended(
  store: Store,
  sessionId: string,
  facts: readonly Fact[],
): Promise<readonly FactRecord[]> {
  const outcome = await store.append(sessionId, facts, writer);
  if (!outcome.ok) throw new Error("the lease was lost");
  return outcome.records;
}

export function storeContract(name: string, open: OpenStore): void {
  describe(`${name}: the store contract`, () => {
    let world: StoreWorld;
    let opened: OpenedForTest;
    let store: Store;

    beforeEach(async () => {
      world = { time: startTime, dead: new Set(), randomBytes };
      opened = await open(world);
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    test("gives back every fact whole, numbered and in order", async () => {
      const records = await appended(store, "ses_1", sampleFacts);
      expect(records.map((record) => record.fact)).toEqual(sampleFacts);
      expect(records.map((record) => record.seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(await readAll(store, "ses_1")).toEqual(records);
      expect(await readAll(store, "ses_1", 5)).toEqual(records.slice(5));
      expect(await readAll(store, "ses_1", 7)).toEqual([]);
    });

    test("keeps numbering across appends and keeps sessions apart", async () => {
      await appended(store, "ses_1", [created, prompt("one")]);
      await appended(store, "ses_2", [created]);
      world.time += 5;
      const [third] = await appended(store, "ses_1", [prompt("two")]);
      expect([third?.seq, third?.time]).toEqual([3, startTime + 5]);
      expect((await readAll(store, "ses_1")).map((record) => record.sessionId)).toEqual(["ses_1", "ses_1", "ses_1"]);
      expect((await readAll(store, "ses_2")).map((record) => record.seq)).toEqual([1]);
      expect(await readAll(store, "ses_3")).toEqual([]);
    });

    test("reads a session longer than one page", async () => {
      const facts = Array.from({ length: 600 }, (_, index) => prompt(`prompt ${index}`));
      const records = await appended(store, "ses_1", facts);
      expect(await readAll(store, "ses_1")).toEqual(records);
    });

    test("gives the records of all sessions in the order they were stored", async () => {
      expect([await store.lastPosition(), await tailOf(store, 0)]).toEqual([0, []]);
      const one = await appended(store, "ses_1", [created, prompt("one")]);
      const two = await appended(store, "ses_2", [created]);
      const three = await appended(store, "ses_1", [prompt("two")]);
      const all = await tailOf(store, 0);
      expect(all.map(({ record }) => record)).toEqual([...one, ...two, ...three]);
      const places = all.map(({ position }) => position);
      expect(places).toEqual([...places].sort((left, right) => left - right));
      expect(await store.lastPosition()).toBe(places.at(-1));
      expect(await tailOf(store, places[1] ?? 0)).toEqual(all.slice(2));
      expect(await tailOf(store, 0, "ses_1")).toEqual(all.filter(({ record }) => record.sessionId === "ses_1"));
      expect(await tailOf(store, places[1] ?? 0, "ses_1")).toEqual(all.slice(3));
      expect(await tailOf(store, 0, "ses_3")).toEqual([]);
      expect(await tailOf(store, places.at(-1) ?? 0)).toEqual([]);
      // Whoever is told the place of the last one knows where those before it are.
      const four = await store.append("ses_2", [prompt("three"), prompt("four")], writer);
      const added = (await tailOf(store, places.at(-1) ?? 0)).map(({ position }) => position);
      expect(four.ok && [four.position - 1, four.position]).toEqual(added);
    });

    test("gives a tail longer than one page, and the content that is left", async () => {
      const facts = Array.from({ length: 600 }, (_, index) =>
        prompt(`prompt ${index} ${"x".repeat(index === 5 ? 300_000 : 0)}`),
      );
      const records = await appended(store, "ses_1", facts);
      await appended(store, "ses_2", [created]);
      await store.removeContent("ses_1", [String(records[3]?.digest)], { reason: "scrub", by: "user", boot: "boot-1" });
      const now = await readAll(store, "ses_1");
      expect(now[3]?.removed).toBe(true);
      expect((await tailOf(store, 0, "ses_1")).map(({ record }) => record)).toEqual(now);
      const others = (await tailOf(store, 0)).filter(({ record }) => record.sessionId === "ses_1");
      expect(others.map(({ record }) => record)).toEqual(now);
    });

    test("gives the chained rows of all sessions with their places", async () => {
      await appended(store, "ses_1", sampleFacts);
      await appended(store, "ses_2", [created, prompt("one")]);
      const rows: PlacedRow[] = [];
      for await (const row of store.tailRows(0)) rows.push(row);
      expect(rows.map(({ position }) => position)).toEqual((await tailOf(store, 0)).map(({ position }) => position));
      for (const sessionId of ["ses_1", "ses_2"]) {
        const chained: JournalRow[] = [];
        for await (const row of store.rows(sessionId)) chained.push(row);
        expect(rows.filter((row) => row.sessionId === sessionId).map(({ row }) => row)).toEqual(chained);
      }
    });

    test("knows the place of a number, and where what is missing begins", async () => {
      await appended(store, "ses_1", [created, prompt("one")]);
      await appended(store, "ses_2", [created]);
      await appended(store, "ses_1", [prompt("two")]);
      const places = (await tailOf(store, 0)).map(({ position }) => position);
      const placeOf = (sessionId: string, seq: number) => store.positionOf(sessionId, seq);
      expect(
        await Promise.all([placeOf("ses_1", 0), placeOf("ses_1", 2), placeOf("ses_1", 9), placeOf("ses_3", 1)]),
      ).toEqual([0, places[1], places[3], 0]);
      const before = (known: Record<string, number>) => store.positionBefore(new Map(Object.entries(known)));
      expect(await before({})).toBe((places[0] ?? 0) - 1);
      expect(await before({ ses_1: 2 })).toBe((places[2] ?? 0) - 1);
      expect(await before({ ses_1: 2, ses_2: 1 })).toBe((places[3] ?? 0) - 1);
      expect(await before({ ses_1: 3, ses_2: 1, ses_9: 7 })).toBe(places[3]);
    });

    test("gives the records as they are chained, with the content that is left", async () => {
      const records = await appended(store, "ses_1", sampleFacts);
      const first = String(records[1]?.digest);
      await store.removeContent("ses_1", [first], { reason: "scrub", by: "user", boot: "boot-1" });
      let prev = "";
      const sealed: unknown[] = [];
      for await (const row of store.rows("ses_1")) {
        if (row.seq > 1) expect(row.prev).toBe(prev);
        expect(rowHash(row)).toBe(row.hash);
        const { salt = "", content = "" } = row.payload ?? {};
        if (row.payload !== undefined) expect(payloadDigest({ salt, content })).toBe(row.digest);
        if (row.digest !== undefined) sealed.push([row.digest === first, row.payload === undefined]);
        prev = row.hash;
      }
      expect(sealed).toEqual([[true, true], ...Array.from({ length: sealed.length - 1 }, () => [false, false])]);
      expect(prev).toBe((await readAll(store, "ses_1")).at(-1)?.hash);
      for await (const row of store.rows("ses_9")) throw new Error(`there is no record ${row.seq}`);
    });

    test("folds a session to what applying each of its records gives, whatever was removed", async () => {
      const random = createSeededRandom();
      for (const sessionId of ["ses_1", "ses_2", "ses_3"]) {
        const facts = randomSession(random, { steps: 10 + random.below(30) });
        const middle = random.below(facts.length);
        await appended(store, sessionId, facts.slice(0, middle));
        const midway = emptySession(sessionId);
        await store.fold(midway);
        const records = await appended(store, sessionId, facts.slice(middle));
        await store.fold(midway);
        const digests = records.flatMap(({ digest }) => (digest === undefined || random.below(6) > 0 ? [] : [digest]));
        const folds = [midway];
        for (const removed of [[], digests]) {
          await store.removeContent(sessionId, removed, { reason: "test", by: "test", boot: "boot-1" });
          const [folded, applied] = [folds.pop() ?? emptySession(sessionId), emptySession(sessionId)];
          await store.fold(folded);
          for await (const record of store.read(sessionId, 0)) applyRecord(applied, record);
          expect(folded, `seed ${random.seed}`).toEqual(applied);
        }
      }
      const unknown = emptySession("ses_9");
      await store.fold(unknown);
      expect(unknown).toEqual(emptySession("ses_9"));
    });

    test("keeps the times of facts that happened elsewhere", async () => {
      await store.append("ses_1", [created, prompt("one")], { ...writer, times: [1000, 2000] });
      await appended(store, "ses_1", [prompt("two")]);
      expect((await readAll(store, "ses_1")).map((record) => record.time)).toEqual([1000, 2000, startTime]);
      expect(await store.session("ses_1")).toMatchObject({ createdAt: 1000, updatedAt: startTime });
      expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 3, 0));
    });

    test("a batch that fails stores nothing", async () => {
      const before = await appended(store, "ses_1", [created]);
      const healthy = world.randomBytes;
      let draws = 0;
      world.randomBytes = (size) => {
        draws += 1;
        if (draws === 2) throw new RangeError("no randomness left");
        return healthy(size);
      };
      await expect(store.append("ses_1", [prompt("one"), prompt("two")], writer)).rejects.toThrow(RangeError);
      expect(await readAll(store, "ses_1")).toEqual(before);
      expect((await store.session("ses_1"))?.lastSeq).toBe(1);
      world.randomBytes = healthy;
      expect((await appended(store, "ses_1", [prompt("three")]))[0]?.seq).toBe(2);
      expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 2, 0));
    });

    test("refuses a second holder and names the first", async () => {
      expect(await store.acquireLease("ses_1", first)).toEqual({ ok: true });
      const refused = { ok: false, holder: first, expiresAt: startTime + 30_000 };
      expect(await store.acquireLease("ses_1", second)).toEqual(refused);
      expect(await store.acquireLease("ses_2", second)).toEqual({ ok: true });
      await store.releaseLease("ses_1", second.boot);
      expect(await store.acquireLease("ses_1", second)).toEqual(refused);
      await store.releaseLease("ses_1", first.boot);
      expect(await store.acquireLease("ses_1", second)).toEqual({ ok: true });
    });

    test("lets a holder renew, and gives an expired lease to the next", async () => {
      await store.acquireLease("ses_1", first);
      world.time += 29_000;
      expect(await store.acquireLease("ses_1", first)).toEqual({ ok: true });
      world.time += 29_999;
      expect((await store.acquireLease("ses_1", second)).ok).toBe(false);
      world.time += 1;
      expect(await store.acquireLease("ses_1", second)).toEqual({ ok: true });
    });

    test("takes over from a holder that no longer lives", async () => {
      await store.acquireLease("ses_1", first);
      world.dead.add(first.pid);
      expect(await store.acquireLease("ses_1", second)).toEqual({ ok: true });
    });

    test("names the sessions that a living process holds", async () => {
      expect(await store.heldSessions()).toEqual([]);
      await store.acquireLease("ses_2", second);
      await store.acquireLease("ses_1", first);
      await store.acquireLease("ses_3", first);
      await store.releaseLease("ses_3", first.boot);
      expect(await store.heldSessions()).toEqual(["ses_1", "ses_2"]);
      world.dead.add(first.pid);
      expect(await store.heldSessions()).toEqual(["ses_2"]);
      world.time += 30_000;
      expect(await store.heldSessions()).toEqual([]);
    });

    test("refuses to append once another process holds the lease", async () => {
      await store.acquireLease("ses_1", first);
      await appended(store, "ses_1", [created]);
      world.time += 30_000;
      await store.acquireLease("ses_1", second);
      expect(await store.append("ses_1", [prompt("late")], writer)).toEqual({
        ok: false,
        reason: "lease-lost",
        holder: second,
      });
      expect(await readAll(store, "ses_1")).toHaveLength(1);
    });

    test("lists sessions newest first, by directory and by project", async () => {
      await appended(store, "ses_1", [{ ...created, directory: "/a", projectId: "p" } as Fact, prompt("first")]);
      world.time += 1;
      await appended(store, "ses_2", [{ ...created, directory: "/b", projectId: "p" } as Fact]);
      world.time += 1;
      await appended(store, "ses_3", [{ ...created, directory: "/a", projectId: "q" } as Fact]);
      world.time += 1;
      await appended(store, "ses_1", [{ type: "model.changed", model: "mock/large" }]);
      const ids = async (filter: { directory?: string; projectId?: string; limit: number }) =>
        (await store.sessions(filter)).map((summary) => summary.sessionId);
      expect(await ids({ limit: 10 })).toEqual(["ses_1", "ses_3", "ses_2"]);
      expect(await ids({ limit: 2 })).toEqual(["ses_1", "ses_3"]);
      expect(await ids({ directory: "/a", limit: 10 })).toEqual(["ses_1", "ses_3"]);
      expect(await ids({ projectId: "p", limit: 10 })).toEqual(["ses_1", "ses_2"]);
      expect(await ids({ directory: "/b", projectId: "q", limit: 10 })).toEqual([]);
      const summary = {
        sessionId: "ses_1",
        isArchived: false,
        projectId: "p",
        directory: "/a",
        title: "first",
        model: "mock/large",
        createdAt: startTime,
        updatedAt: startTime + 3,
        lastSeq: 3,
      };
      expect(await store.session("ses_1")).toEqual(summary);
      expect((await store.sessions({ limit: 1 }))[0]).toEqual(summary);
      expect(await store.session("ses_9")).toBeUndefined();
    });

    test("takes the title from the first prompt", async () => {
      const title = async () => (await store.session("ses_1"))?.title;
      await appended(store, "ses_1", [created]);
      expect(await title()).toBe("");
      await appended(store, "ses_1", [prompt(`  ${"ä".repeat(60)}\nmore`), prompt("other")]);
      expect(await title()).toBe("ä".repeat(50));
    });

    test("removes content but not records, and with it the title it gave", async () => {
      const records = await appended(store, "ses_1", sampleFacts);
      const digests = [records[1]?.digest, records[3]?.digest].map(String);
      world.time += 1;
      const outcome = await store.removeContent("ses_1", [...digests, "0".repeat(64)], {
        reason: "secret",
        by: "user",
        boot: "boot-1",
      });
      expect(outcome.ok && outcome.records.map((record) => record.fact)).toEqual([
        { type: "content.removed", digests, reason: "secret", by: "user" },
      ]);
      const after = await readAll(store, "ses_1");
      expect(after[1]).toEqual({ ...records[1], fact: { ...records[1]?.fact, text: "" }, removed: true });
      expect(after[3]).toEqual({ ...records[3], fact: { ...records[3]?.fact, content: [] }, removed: true });
      expect(after.filter((_, index) => index !== 1 && index !== 3)).toEqual([
        ...records.filter((_, index) => index !== 1 && index !== 3),
        ...(outcome.ok ? outcome.records : []),
      ]);
      expect((await store.session("ses_1"))?.title).toBe("");
      expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 8, 2));
      await appended(store, "ses_1", [{ type: "mode.changed", mode: "plan" }]);
      expect((await store.session("ses_1"))?.title).toBe("");
      expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 9, 2));
      expect(await store.removeContent("ses_1", digests, { reason: "again", by: "user", boot: "boot-1" })).toEqual(
        nothing,
      );
    });

    test("refuses to remove content without the lease", async () => {
      const [, record] = await appended(store, "ses_1", sampleFacts);
      await store.acquireLease("ses_1", second);
      const why = { reason: "secret", by: "user", boot: "boot-1" };
      expect(await store.removeContent("ses_1", [String(record?.digest)], why)).toEqual({
        ok: false,
        reason: "lease-lost",
        holder: second,
      });
      expect((await readAll(store, "ses_1"))[1]).toEqual(record);
    });

    test("stays valid whatever content is removed", async () => {
      const { seed, next: random } = createSeededRandom();
      for (let round = 0; round < 10; round += 1) {
        const sessionId = `ses_${round}`;
        const facts = Array.from({ length: 1 + Math.floor(random() * 30) }, () => {
          return sampleFacts[Math.floor(random() * sampleFacts.length)] as Fact;
        });
        const records = await appended(store, sessionId, facts);
        const sealed = records.flatMap((record) => record.digest ?? []);
        const chosen = sealed.filter(() => random() < 0.4);
        await store.removeContent(sessionId, chosen, { reason: "thinning", by: "test", boot: "boot-1" });
        const count = records.length + (chosen.length === 0 ? 0 : 1);
        expect(await store.verify(sessionId), `seed ${seed}`).toEqual(validReport(sessionId, count, chosen.length));
      }
    });

    test("says of an unknown session that it is not there", async () => {
      expect(await store.verify("ses_9")).toEqual({
        sessionId: "ses_9",
        valid: false,
        records: 0,
        payloadsRemoved: 0,
        truncated: false,
        problem: { seq: 0, what: "there is no session with this id" },
      });
    });

    test("stores the same bytes once and gives them back", async () => {
      const bytes = randomBytes(3000);
      const sha256 = await store.putBlob(bytes);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(await store.putBlob(Uint8Array.from(bytes))).toBe(sha256);
      expect(Buffer.from((await store.blob(sha256)) ?? [])).toEqual(bytes);
      expect(await store.blob("f".repeat(64))).toBeUndefined();
      expect(await store.blob("../../etc/passwd")).toBeUndefined();
    });
  });
}

export function validReport(sessionId: string, records: number, payloadsRemoved: number) {
  return { sessionId, valid: true, records, payloadsRemoved, truncated: false };
}
