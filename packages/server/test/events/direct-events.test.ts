/** Whoever follows in the same process gets the facts as the engine published them: nothing is read back or encoded. */
import type { Event, EventFrame, FactRecord, Store } from "@kedge/protocol";
import { connectInProcess } from "@kedge/sdk";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Follower } from "../../src/events/follower.ts";
import { bytesOf, type SentFrame } from "../../src/events/sent-frame.ts";
import { createBusyProvider, type EventSite, newFolder, openEventSite, removeFolder } from "./event-site.ts";

const provider = createBusyProvider(createSeededRandom(), async () => undefined);

let folder: string;
let site: EventSite;
/** The sessions that facts were read of. */
const reads: (string | undefined)[] = [];
const stop = new AbortController();

beforeEach(async () => {
  folder = newFolder();
  site = await openEventSite({ folder, boot: "boot", provider, watchStore: countReads });
});
afterEach(async () => {
  stop.abort();
  await site.close();
  removeFolder(folder);
});

function countReads(store: Store): Store {
  return {
    ...store,
    tail(afterPosition, sessionId) {
      reads.push(sessionId);
      return store.tail(afterPosition, sessionId);
    },
    read(sessionId, afterSeq) {
      reads.push(sessionId);
      return store.read(sessionId, afterSeq);
    },
  };
}

async function collect<Item>(items: AsyncIterable<Item>, isLast: (item: Item) => boolean): Promise<readonly Item[]> {
  const seen: Item[] = [];
  for await (const item of items) {
    seen.push(item);
    if (isLast(item)) break;
  }
  return seen;
}

const isLastFrame = ({ type }: EventFrame) => type === "run.ended";

/** But for the word that a connection begins with. */
async function sentTo({ batches }: Follower): Promise<readonly SentFrame[]> {
  const all = (await collect(batches, (batch) => batch.some(({ frame }) => isLastFrame(frame)))).flat();
  return all.filter(({ frame }) => frame.sessionId !== undefined);
}

test("a run that clients in process follow is neither read from the store nor made into bytes", async () => {
  const { engine, hub, store } = site;
  const unanswered = { ok: false, failure: { code: "unknown", message: "nobody asks", retryable: false } } as const;
  const client = connectInProcess(
    { send: async () => unanswered, ask: async () => unanswered, subscribe: engine.subscribe, follow: hub.follow },
    store,
  );
  const followers = [await hub.open({ signal: stop.signal }), await hub.open({ signal: stop.signal })];
  const published: FactRecord[] = [];
  engine.subscribeAll((_, event) => {
    if (event.kind === "fact") published.push(event.record);
  });
  const sessionId = await site.open();
  const isEnd = (event: Event) => event.kind === "fact" && event.record.fact.type === "run.ended";
  const streams = Promise.all([
    collect(client.events(sessionId, "newest", stop.signal), isEnd),
    collect(client.follow({ signal: stop.signal }), isLastFrame),
    Promise.all(followers.map(sentTo)),
  ]);
  reads.length = 0;
  await site.run(sessionId, "Go");
  const [events, frames, [sent = [], sentTwice = []]] = await streams;
  expect(reads).toEqual([]);
  const heard = events.flatMap((event) => (event.kind === "fact" ? [event.record] : []));
  const ofRun = published.slice(1);
  expect(heard.length).toBe(ofRun.length);
  for (const [index, record] of ofRun.entries()) expect(heard[index]).toBe(record);
  expect(frames.filter(({ hash }) => hash !== undefined).map(({ hash }) => hash)).toEqual(
    ofRun.map(({ hash }) => hash),
  );
  expect(sent.length).toBeGreaterThan(ofRun.length);
  expect(sent.filter(({ bytes }) => bytes !== undefined)).toEqual([]);
  // Those on a wire share the bytes that the first of them has made.
  expect(sentTwice.map(bytesOf).every((bytes, index) => bytes === sent[index]?.bytes)).toBe(true);
  for (const follower of followers) follower.close();
});
