/** A client that does not read holds up nobody, costs no more than its share, and finds out what happened. */
import { setTimeout as sleep } from "node:timers/promises";
import type { EventFrame, Fact } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBusyProvider, newFolder, openEventSite, removeFolder } from "./event-site.ts";
import { createFactFold, recordsIn } from "./folding-clients.ts";
import { createStreamClient } from "./stream-client.ts";

let folder: string;

beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

const provider = createBusyProvider(createSeededRandom(), () => sleep(1));
const megabyte = 1024 * 1024;

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 1) {
    if (waited > 2_000) throw new Error(`waited in vain for ${what}`);
    await sleep(5);
  }
}

test("a client that never reads is given up, and the others have everything meanwhile", async () => {
  const site = await openEventSite({ folder, boot: "boot", provider });
  const quick = createFactFold();
  const quickClient = createStreamClient(`${site.url}/event`, quick.take);
  const stalled = createFactFold();
  const frames: EventFrame[] = [];
  const stalledClient = createStreamClient(`${site.url}/event`, (frame) => {
    frames.push(frame);
    stalled.take(frame);
  });
  await Promise.all([quickClient.connect(), stalledClient.connect()]);
  const sessionId = await site.open();
  stalledClient.pause();
  for (let index = 0; index < 40; index += 1) {
    const text = `${index} `.padEnd(megabyte, "x");
    expect(await site.engine.send({ type: "message.add", sessionId, text })).toMatchObject({ ok: true });
    await until(() => quick.sessions.get(sessionId)?.length === index + 2, `note ${index}`);
  }
  expect(stalled.sessions.get(sessionId)?.length ?? 0).toBeLessThan(41);
  stalledClient.resume();
  await stalledClient.ended();
  expect(frames.at(-1)).toMatchObject({ type: "server.resync", properties: { reason: "slow" } });
  await stalledClient.connect();
  await until(() => stalled.sessions.get(sessionId)?.length === 41, "the facts of the client that came back");
  const stored = await recordsIn(site.store, sessionId);
  expect(stalled.sessions.get(sessionId)?.map(({ hash }) => hash)).toEqual(stored.map(({ hash }) => hash));
  quickClient.cut();
  stalledClient.cut();
  await site.close();
});

test("much that another process wrote at once reaches those who read", async () => {
  const site = await openEventSite({ folder, boot: "boot", provider });
  const fold = createFactFold();
  const client = createStreamClient(`${site.url}/event`, fold.take);
  await client.connect();
  const sessionId = await site.open();
  const notes = Array.from({ length: 40 }, (_, index): Fact => {
    return { type: "message.added", messageId: `msg_${index}`, kind: "note", text: "x".repeat(megabyte) };
  });
  await site.store.append(sessionId, notes, { boot: "boot", durable: false });
  await until(() => fold.sessions.get(sessionId)?.length === 41, "the facts");
  expect(fold.seen.resyncs).toBe(0);
  client.cut();
  await site.close();
});
