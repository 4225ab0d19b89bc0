/** However often its connection is cut, a client that goes on from the last id has what the server has. */
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { collectView, type FactRecord, messagesOf } from "@kedge/protocol";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBusyProvider, type EventSite, newFolder, openEventSite, openStore, removeFolder } from "./event-site.ts";
import { createFactFold, createPartsFold, messagesIn, recordsIn } from "./folding-clients.ts";
import { createStreamClient } from "./stream-client.ts";

let folder: string;

beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

const cutsCount = rounds({ usual: 100, long: 1_000 });
const timeoutMs = rounds({ usual: 120_000, long: 1_800_000 });
const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));
const busy = createBusyProvider(random, () => sleep(random.below(3)));
const hint = `seed ${random.seed}`;

async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await expect.poll(isTrue, { interval: 5, message: `${hint}: waited in vain for ${what}` }).toBe(true);
}

/** Sessions that are busy until they are stopped. */
function keepBusy(site: EventSite, sessionIds: readonly string[]) {
  let isStopped = false;
  const runs = sessionIds.map(async (sessionId) => {
    for (let turn = 0; !isStopped; turn += 1) await site.run(sessionId, `Turn ${turn}`);
  });
  return async () => {
    isStopped = true;
    await Promise.all(runs);
  };
}

async function recordAt({ store }: EventSite, { sessionId, seq }: FactRecord): Promise<FactRecord | undefined> {
  for await (const { record } of store.tail((await store.positionOf(sessionId, seq)) - 1, sessionId)) return record;
  return undefined;
}

async function isCaughtUp(site: EventSite, lastId: string | undefined): Promise<boolean> {
  return Number(lastId?.split("-")[0]) === (await site.store.lastPosition());
}

test(
  `facts and signals over ${cutsCount} cuts at random`,
  async () => {
    const site = await openEventSite({ folder, boot: "boot", provider: busy, speed: 40 });
    const fold = createFactFold();
    const client = createStreamClient(`${site.url}/event`, fold.take);
    await client.connect();
    const sessionIds = [await site.open(), await site.open(), await site.open()];
    const stop = keepBusy(site, sessionIds);
    for (let cut = 0; cut < cutsCount; cut += 1) {
      await sleep(random.below(15));
      client.cut();
      if (cut % 10 === 0) await sleep(random.below(40));
      for (const records of fold.sessions.values()) {
        // The hash of a record stands for all before it.
        const last = records.at(-1);
        if (last !== undefined) expect(await recordAt(site, last), `${hint}, cut ${cut}`).toEqual(last);
      }
      await client.connect();
    }
    await stop();
    await until(() => isCaughtUp(site, client.lastId()), "the last fact");
    for (const sessionId of sessionIds) {
      const records = fold.sessions.get(sessionId) ?? [];
      expect(records, hint).toEqual(await recordsIn(site.store, sessionId));
      expect(messagesOf(collectView(sessionId, records)), hint).toEqual(await messagesIn(site.store, sessionId));
    }
    expect(fold.seen.resyncs, hint).toBe(0);
    expect(fold.seen.signals, hint).toBeGreaterThan(cutsCount / 2);
    client.cut();
    await site.close();
  },
  timeoutMs,
);

test(
  `messages and parts over ${cutsCount} cuts at random`,
  async () => {
    const site = await openEventSite({ folder, boot: "boot", provider: busy, speed: 40 });
    const fold = createPartsFold(async (sessionId) => collectView(sessionId, await recordsIn(site.store, sessionId)));
    const client = createStreamClient(`${site.url}/event?view=parts`, fold.take);
    await client.connect();
    const sessionIds = [await site.open(), await site.open()];
    for (let round = 0; round < cutsCount / 10; round += 1) {
      const stop = keepBusy(site, sessionIds);
      for (let cut = 0; cut < 10; cut += 1) {
        await sleep(random.below(15));
        client.cut();
        if (cut === 0) await sleep(random.below(40));
        await client.connect();
      }
      await stop();
      const isEqual = async (sessionId: string) => {
        await fold.settled();
        const shown = messagesOf(fold.sessions.get(sessionId) ?? collectView(sessionId, []));
        return isDeepStrictEqual(shown, await messagesIn(site.store, sessionId));
      };
      for (const sessionId of sessionIds) await until(() => isEqual(sessionId), `the messages of round ${round}`);
    }
    expect(fold.seen.resyncs, hint).toBe(0);
    expect(fold.seen.deltas, hint).toBeGreaterThan(cutsCount / 2);
    client.cut();
    await site.close();
  },
  timeoutMs,
);

test(
  "a client lives through two restarts of the server, in both vocabularies",
  async () => {
    const facts = createFactFold();
    let store = openStore(folder);
    const parts = createPartsFold(async (sessionId) => collectView(sessionId, await recordsIn(store, sessionId)));
    await store.close();
    let ids: readonly (string | undefined)[] = [];
    let sessionId: string | undefined;
    for (const boot of ["boot1", "boot2", "boot3"]) {
      const site = await openEventSite({ folder, boot, provider: busy, speed: 40 });
      store = site.store;
      const clients = [
        createStreamClient(`${site.url}/event${ids[0] === undefined ? "" : `?after=${ids[0]}`}`, facts.take),
        createStreamClient(`${site.url}/event?view=parts${ids[1] === undefined ? "" : `&after=${ids[1]}`}`, parts.take),
      ];
      await Promise.all(clients.map((client) => client.connect()));
      if (sessionId === undefined) sessionId = await site.open();
      else await site.engine.send({ type: "session.resume", sessionId, mode: "bypass" });
      for (let turn = 0; turn < 5; turn += 1) await site.run(sessionId, `Turn ${turn} of ${boot}`);
      await site.close();
      await Promise.all(clients.map((client) => client.ended()));
      ids = clients.map((client) => client.lastId());
      store = openStore(folder);
      await parts.settled();
      expect(facts.sessions.get(sessionId), hint).toEqual(await recordsIn(store, sessionId));
      expect(messagesOf(parts.sessions.get(sessionId) ?? collectView("", [])), hint).toEqual(
        await messagesIn(store, sessionId),
      );
      await store.close();
    }
    expect([facts.seen.resyncs, parts.seen.resyncs]).toEqual([2, 2]);
  },
  timeoutMs,
);

test("facts that another process writes into the same database arrive", async () => {
  const site = await openEventSite({ folder, boot: "boot", provider: busy });
  const fold = createFactFold();
  const client = createStreamClient(`${site.url}/event`, fold.take);
  await client.connect();
  const other = await openEventSite({ folder, boot: "other", provider: busy, speed: 40 });
  const sessionId = await other.open();
  await other.run(sessionId, "Written elsewhere");
  await until(
    async () => fold.sessions.get(sessionId)?.length === (await recordsIn(site.store, sessionId)).length,
    "facts",
  );
  expect(fold.sessions.get(sessionId)).toEqual(await recordsIn(site.store, sessionId));
  client.cut();
  await other.close();
  await site.close();
});
