/** Readers in process and over HTTP hear the same of sessions that work at the same time, until the server is closed. */
import type { Event, EventFrame } from "@kedge/protocol";
import { createClient } from "@kedge/sdk";
import { expect, test } from "vitest";
import { scriptedAnswers } from "./scripted-answers.ts";
import { openSite } from "./server-site.ts";

const sessionCount = 6;
const promptCount = 5;

/** Reads until the last run of every session has ended, or the stream does; `pause` makes a reader slow. */
async function readFacts(frames: AsyncIterable<EventFrame>, pause: () => Promise<void>): Promise<readonly string[]> {
  const facts: string[] = [];
  let runs = 0;
  for await (const frame of frames) {
    await pause();
    if (frame.hash === undefined) continue;
    facts.push(`${frame.sessionId} ${frame.hash}`);
    if (frame.type === "run.ended") runs += 1;
    if (runs === sessionCount * promptCount) break;
  }
  return facts;
}

async function readEvents(events: AsyncIterable<Event>, until: number): Promise<readonly string[]> {
  const seen: string[] = [];
  let runs = 0;
  for await (const event of events) {
    if (event.kind !== "fact") continue;
    seen.push(event.record.hash);
    if (event.record.fact.type === "run.ended") runs += 1;
    if (runs === until) break;
  }
  return seen;
}

/** From where all readers begin. */
async function firstId(frames: AsyncIterable<EventFrame>): Promise<string> {
  for await (const { id } of frames) if (id !== undefined) return id;
  throw new Error("the stream ended before it began");
}

const atOnce = async () => undefined;
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

test("the facts of busy sessions come in one order to every reader, in process, over HTTP and slow", async () => {
  const site = await openSite({ script: scriptedAnswers });
  const stop = new AbortController();
  const sessionIds = await Promise.all(Array.from({ length: sessionCount }, () => site.newSession()));
  const [inProcess] = site.clients;
  if (inProcess === undefined) throw new Error("no place of work was opened");
  const overHttp = createClient({ url: site.server.url, token: site.server.token });
  const { signal } = stop;
  const begin = await firstId(overHttp.follow({ signal }));
  const readers = [inProcess, overHttp].flatMap((client) => [
    readFacts(client.follow({ signal, after: begin }), atOnce),
    readFacts(client.follow({ signal, after: begin }), later),
  ]);
  const single = [inProcess, overHttp].map((client) =>
    readEvents(client.events(sessionIds[0] ?? "", 0, signal), promptCount),
  );
  await Promise.all(
    sessionIds.map(async (sessionId) => {
      for (let at = 0; at < promptCount; at += 1) {
        await inProcess.send({
          type: "prompt.submit",
          sessionId,
          text: `Prompt ${at}`,
          delivery: "follow-up",
          options: {},
        });
      }
    }),
  );
  const heard = await Promise.all(readers);
  const [first = []] = heard;
  expect(new Set(first).size).toBe(first.length);
  for (const facts of heard) expect(facts).toEqual(first);
  const [near, far] = await Promise.all(single);
  expect(far).toEqual(near);
  stop.abort();
  await site.close();
  expect(site.bugs).toEqual([]);
});

test("a server that is closed while it is read ends every stream", async () => {
  const site = await openSite({ script: scriptedAnswers });
  const sessionId = await site.newSession();
  const [inProcess] = site.clients;
  if (inProcess === undefined) throw new Error("no place of work was opened");
  const overHttp = createClient({ url: site.server.url, token: site.server.token });
  const stop = new AbortController();
  const { signal } = stop;
  const first = Promise.withResolvers<void>();
  const read = async (items: AsyncIterable<unknown>) => {
    for await (const _ of items) first.resolve();
  };
  const reading = [read(overHttp.events(sessionId, 0, signal)), read(overHttp.follow({ signal }))];
  await first.promise;
  await inProcess.send({ type: "prompt.submit", sessionId, text: "go", delivery: "steer", options: {} });
  await site.close();
  stop.abort();
  await Promise.allSettled(reading);
  expect(site.bugs).toEqual([]);
});
