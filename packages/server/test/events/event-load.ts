/** Many clients on many busy sessions: what each of them got, and how long after it was published. */
import { setTimeout as sleep } from "node:timers/promises";
import type { EventFrame } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { createBusyProvider, type EventSite, newFolder, openEventSite, removeFolder } from "./event-site.ts";
import { createFactFold } from "./folding-clients.ts";
import { createStreamClient } from "./stream-client.ts";

type LoadSize = {
  readonly sessions: number;
  readonly turns: number;
  /** Between two or three pieces of an answer, on the average. */
  readonly pauseMs: number;
};

export type LoadReport = {
  readonly facts: number;
  readonly frames: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
};

/** The same clock in all processes of a machine. */
function wallClockMs(): number {
  return performance.timeOrigin + performance.now();
}

type BusyServer = {
  readonly site: EventSite;
  /** Resolves when every session has had its turns; with the time at which each fact was published, by its hash. */
  run(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
};

export async function openBusyServer({ sessions, turns, pauseMs }: LoadSize): Promise<BusyServer> {
  const folder = newFolder();
  const random = createSeededRandom();
  const provider = createBusyProvider(random, () => sleep(random.below(2 * pauseMs)));
  const site = await openEventSite({ folder, boot: "boot", provider, speed: 10 });
  const published = new Map<string, number>();
  site.engine.subscribeAll((_sessionId, event) => {
    if (event.kind === "fact") published.set(event.record.hash, wallClockMs());
  });
  return {
    site,
    async run() {
      const sessionIds = await Promise.all(Array.from({ length: sessions }, () => site.open()));
      await Promise.all(
        sessionIds.map(async (sessionId) => {
          for (let turn = 0; turn < turns; turn += 1) await site.run(sessionId, `Turn ${turn}`);
        }),
      );
      return published;
    },
    async close() {
      await site.close();
      removeFolder(folder);
    },
  };
}

type LoadClients = {
  /** Waits until every client has so many facts. */
  report(published: ReadonlyMap<string, number>): Promise<LoadReport>;
};

/** Each checks that nothing is missing, repeated or out of order. */
export async function connectClients(url: string, count: number): Promise<LoadClients> {
  const seen = Array.from({ length: count }, () => new Map<string, number>());
  let frames = 0;
  const clients = seen.map((arrivals) => {
    const fold = createFactFold();
    const take = (frame: EventFrame) => {
      if (frame.hash !== undefined) arrivals.set(frame.hash, wallClockMs());
      fold.take(frame);
    };
    // All clients share one process, so they read no more than they check.
    return createStreamClient(`${url}/event`, take, (json) => {
      frames += 1;
      return json.includes('"hash":');
    });
  });
  await Promise.all(clients.map((client) => client.connect()));
  return {
    async report(published) {
      for (let waited = 0; seen.some((arrivals) => arrivals.size < published.size); waited += 1) {
        if (waited > 1_000) throw new Error(`clients have ${seen.map(({ size }) => size)} of ${published.size} facts`);
        await sleep(10);
      }
      for (const client of clients) client.cut();
      const delays = seen
        .flatMap((arrivals) => [...arrivals].map(([hash, at]) => at - (published.get(hash) ?? Number.NaN)))
        .sort((left, right) => left - right);
      const at = (share: number) => Math.max(0, delays[Math.floor((delays.length - 1) * share)] ?? Number.NaN);
      return { facts: published.size, frames, p50: at(0.5), p95: at(0.95), max: at(1) };
    },
  };
}
