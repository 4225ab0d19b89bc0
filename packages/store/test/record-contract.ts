/** What every store promises about records: numbered, in order, whole, and chained. */
import {
  applyRecord,
  emptySession,
  type JournalRow,
  type PlacedRecord,
  type PlacedRow,
  type Store,
} from "@kedge/protocol";
import { createSeededRandom, randomSession } from "@kedge/testing";
import { expect, test } from "vitest";
import { payloadDigest, rowHash } from "../src/chain.ts";
import { created, prompt, sampleFacts } from "./sample-facts.ts";
import { appended, readAll, type StoreSite, startTime, validReport, writer } from "./store-site.ts";

async function tailOf(store: Store, afterPosition: number, sessionId?: string): Promise<readonly PlacedRecord[]> {
  const placed: PlacedRecord[] = [];
  for await (const item of store.tail(afterPosition, sessionId)) placed.push(item);
  return placed;
}

export function recordContract(site: () => StoreSite): void {
  test("gives back every fact whole, numbered and in order", async () => {
    const { store } = site();
    const records = await appended(store, "ses_1", sampleFacts);
    expect(records.map((record) => record.fact)).toEqual(sampleFacts);
    expect(records.map((record) => record.seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await readAll(store, "ses_1")).toEqual(records);
    expect(await readAll(store, "ses_1", 5)).toEqual(records.slice(5));
    expect(await readAll(store, "ses_1", 7)).toEqual([]);
  });

  test("keeps numbering across appends and keeps sessions apart", async () => {
    const { store, world } = site();
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
    const { store } = site();
    const facts = Array.from({ length: 600 }, (_, index) => prompt(`prompt ${index}`));
    const records = await appended(store, "ses_1", facts);
    expect(await readAll(store, "ses_1")).toEqual(records);
  });

  test("gives the records of all sessions in the order they were stored", async () => {
    const { store } = site();
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
    const { store } = site();
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
    const { store } = site();
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
    const { store } = site();
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
    const { store } = site();
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
    const { store } = site();
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
    const { store } = site();
    await store.append("ses_1", [created, prompt("one")], { ...writer, times: [1000, 2000] });
    await appended(store, "ses_1", [prompt("two")]);
    expect((await readAll(store, "ses_1")).map((record) => record.time)).toEqual([1000, 2000, startTime]);
    expect(await store.session("ses_1")).toMatchObject({ createdAt: 1000, updatedAt: startTime });
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 3, 0));
  });

  test("a batch that fails stores nothing", async () => {
    const { store, world } = site();
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
}
