/** The order, the ids, the ring and the words of the server, with a hand on the clock. */
import type { Event, Store } from "@kedge/protocol";
import { expect, test } from "vitest";
import { unstoredMax } from "../../src/events/event-log.ts";
import { replicate } from "../../src/events/replicate.ts";
import { joinEngines } from "../../src/places/process-events.ts";
import { created, delta, openSite, reader, stepEnded, stepStarted, typesOf } from "./hub-site.ts";

test("signals keep their place between facts, and ids say where a stream goes on", async () => {
  const site = openSite();
  const stream = reader(site);
  expect(await stream.next(1)).toEqual([
    { id: "0-boot.lfls-0", type: "server.connected", directory: "/project", properties: { boot: "boot.lfls" } },
  ]);
  await site.append("ses_a", created, stepStarted("stp_1"));
  site.signal(delta("ses_a", "stp_1", "One"));
  site.signal(delta("ses_a", "stp_1", " two"));
  await site.append("ses_a", stepEnded("stp_1", "One two"));
  site.signal({ type: "notice", sessionId: "ses_a", text: "Done." });
  const frames = await stream.next(6);
  expect(frames.map(({ id, type, seq }) => [id, type, seq])).toEqual([
    ["1-boot.lfls-0", "session.created", 1],
    ["2-boot.lfls-0", "step.started", 2],
    ["2-boot.lfls-1", "text.delta", undefined],
    ["2-boot.lfls-2", "text.delta", undefined],
    ["3-boot.lfls-2", "step.ended", 3],
    ["3-boot.lfls-3", "notice", undefined],
  ]);
  expect(frames[2]).toEqual({
    id: "2-boot.lfls-1",
    type: "text.delta",
    directory: "/project",
    sessionId: "ses_a",
    properties: { stepId: "stp_1", text: "One" },
  });
  for (const [index, { id }] of frames.entries()) {
    const resumed = reader(site, { after: id });
    expect(await resumed.next(6 - index)).toMatchObject([{ type: "server.connected", id }, ...frames.slice(index + 1)]);
    resumed.end();
  }
  stream.end();
});

test("the store is read only for what others wrote, which comes in the order in which it is stored", async () => {
  const site = openSite();
  const stream = reader(site);
  await stream.next(1);
  await site.append("ses_a", created, stepStarted("stp_1"));
  await site.append("ses_a", stepEnded("stp_1", "One"));
  await stream.next(3);
  expect(site.reads).toEqual([]);
  await site.write("ses_b", created);
  const publishStart = await site.write("ses_a", stepStarted("stp_2"));
  const publishEnd = await site.write("ses_a", stepEnded("stp_2", "Two"));
  site.signal({ type: "notice", sessionId: "ses_a", text: "Before." });
  publishStart();
  site.signal(delta("ses_a", "stp_2", "Two"));
  publishEnd();
  const frames = await stream.next(5);
  expect(frames.map(({ id, type, sessionId }) => [id, type, sessionId])).toEqual([
    ["3-boot.lfls-1", "notice", "ses_a"],
    ["4-boot.lfls-1", "session.created", "ses_b"],
    ["5-boot.lfls-1", "step.started", "ses_a"],
    ["5-boot.lfls-2", "text.delta", "ses_a"],
    ["6-boot.lfls-2", "step.ended", "ses_a"],
  ]);
  expect(site.reads).toEqual([3]);
  // What nobody knows the position of is looked for.
  const outcome = await site.store.append("ses_a", [stepStarted("stp_3")], { boot: "boot", durable: false });
  const [record] = outcome.ok ? outcome.records : [];
  if (record !== undefined) site.publish("ses_a", { kind: "fact", record });
  expect(typesOf(await stream.next(1))).toEqual(["step.started"]);
  expect(site.reads).toEqual([3, 6]);
  stream.end();
});

test("a client of another boot gets every fact and is told that signals are missing", async () => {
  const site = openSite();
  await site.append("ses_a", created, stepStarted("stp_1"), stepEnded("stp_1", "One"));
  const stream = reader(site, { after: "1-boot.other-7" });
  expect(typesOf(await stream.next(4))).toEqual(["server.connected", "server.resync", "step.started", "step.ended"]);
  await site.append("ses_a", stepStarted("stp_2"));
  expect(typesOf(await stream.next(1))).toEqual(["step.started"]);
  stream.end();
});

test("facts between signals that a client cannot get are not lost with them", async () => {
  const site = openSite();
  const present = reader(site);
  await present.next(1);
  await site.append("ses_a", created, stepStarted("stp_1"));
  await present.next(2);
  site.signal(delta("ses_a", "stp_1", "One"));
  await site.append("ses_a", stepEnded("stp_1", "One"));
  site.signal({ type: "notice", sessionId: "ses_a", text: "Done." });
  await present.next(3);
  const other = reader(site, { after: "1-boot.other-7" });
  expect(typesOf(await other.next(4))).toEqual(["server.connected", "server.resync", "step.started", "step.ended"]);
  const since = reader(site, { sessionId: "ses_a", afterSeq: 1 });
  expect(typesOf(await since.next(3))).toEqual(["server.connected", "step.started", "step.ended"]);
  for (const stream of [present, other, since]) stream.end();
});

test("after more signals than are kept, facts are whole and the client is told", async () => {
  const site = openSite();
  const stream = reader(site);
  await stream.next(1);
  await site.append("ses_a", created, stepStarted("stp_1"));
  const [, last] = await stream.next(2);
  for (let count = 0; count <= unstoredMax; count += 1) site.signal(delta("ses_a", "stp_1", "x"));
  await site.append("ses_a", stepEnded("stp_1", "One"));
  const late = reader(site, { after: String(last?.id) });
  const frames = await late.next(3);
  expect(typesOf(frames)).toEqual(["server.connected", "server.resync", "step.ended"]);
  expect(frames[0]?.id).toBe(last?.id);
  late.end();
  // One that was only slow to read, too.
  expect(typesOf(await stream.next(1))).toEqual(["server.resync"]);
  stream.end();
});

test("whoever has much to read gets no deltas until what they were is sent whole", async () => {
  const site = openSite();
  const slow = reader(site);
  await slow.next(1);
  await site.append("ses_a", created, stepStarted("stp_1"));
  const quick = reader(site);
  await quick.next(1);
  for (let count = 0; count < 8; count += 1) {
    site.signal(delta("ses_a", "stp_1", "x".repeat(1_000_000)));
    expect(typesOf(await quick.next(1))).toEqual(["text.delta"]);
  }
  await site.append("ses_a", stepEnded("stp_1", "One"), stepStarted("stp_2"));
  expect(typesOf(await slow.next(4))).toEqual(["session.created", "step.started", "step.ended", "step.started"]);
  site.signal(delta("ses_a", "stp_2", "Two"));
  expect(typesOf(await slow.next(1))).toEqual(["text.delta"]);
  slow.end();
  quick.end();
});

test("only sessions of the project are told of, and of one session only its own", async () => {
  const site = openSite();
  const all = reader(site);
  const one = reader(site, { sessionId: "ses_b" });
  await Promise.all([all.next(1), one.next(1)]);
  await site.append("ses_x", { ...created, projectId: "elsewhere" });
  site.signal({ type: "notice", sessionId: "ses_x", text: "Elsewhere." });
  await site.append("ses_a", created);
  await site.append("ses_b", created);
  expect((await all.next(2)).map(({ sessionId }) => sessionId)).toEqual(["ses_a", "ses_b"]);
  expect((await one.next(1)).map(({ sessionId, id }) => [sessionId, id])).toEqual([["ses_b", "3-boot.lfls-0"]]);
  await site.append("ses_b", stepStarted("stp_1"), stepEnded("stp_1", "One"));
  const since = reader(site, { sessionId: "ses_b", afterSeq: 1 });
  expect(typesOf(await since.next(3))).toEqual(["server.connected", "step.started", "step.ended"]);
  const everywhere = openSite({ projectId: undefined });
  const process = reader(everywhere);
  await process.next(1);
  await everywhere.append("ses_x", { ...created, projectId: "elsewhere", directory: "/elsewhere" });
  expect((await process.next(1)).map(({ directory }) => directory)).toEqual(["/elsewhere"]);
  for (const stream of [all, one, since, process]) stream.end();
});

test("heartbeats come with the clock, facts of nobody are found by looking, and the end is said", async () => {
  const site = openSite();
  const stream = reader(site);
  await stream.next(1);
  site.tick(10_000);
  expect(typesOf(await stream.next(1))).toEqual(["server.heartbeat"]);
  await site.store.append("ses_a", [created], { boot: "other", durable: false });
  site.tick(500);
  expect(typesOf(await stream.next(1))).toEqual(["session.created"]);
  await site.hub.close();
  expect(typesOf(await stream.next(2))).toEqual(["server.instance.disposed"]);
  expect(site.listeners.size).toBe(0);
  expect(typesOf(await reader(site).next(3))).toEqual(["server.connected", "server.instance.disposed"]);
});

test("a hub that nobody came back to stops listening", async () => {
  const site = openSite();
  const stream = reader(site);
  await stream.next(1);
  stream.end();
  await stream.next(1);
  site.world.time += 9 * 60_000;
  site.tick(10_000);
  expect(site.listeners.size).toBe(1);
  site.world.time += 2 * 60_000;
  site.tick(10_000);
  expect(site.listeners.size).toBe(0);
});

test("the parts view has its own names, and other names for those who ask", async () => {
  const site = openSite();
  const parts = reader(site, { view: "parts" });
  const aliased = reader(site, { view: "parts", hasAliases: true });
  await Promise.all([parts.next(1), aliased.next(1)]);
  await site.append("ses_a", created, stepStarted("stp_1"));
  site.signal(delta("ses_a", "stp_1", "One"));
  await site.append("ses_a", stepEnded("stp_1", "One two"));
  const types = [
    "session.created",
    "message.updated",
    "message.part.updated",
    "session.status",
    "message.part.updated",
    "message.part.delta",
    "message.part.updated",
    "message.part.updated",
    "message.updated",
    "cost.updated",
  ];
  const frames = await parts.next(types.length);
  expect(typesOf(frames)).toEqual(types);
  const streamed = frames
    .slice(4, 7)
    .map(({ properties: { part, partId } }) => partId ?? JSON.parse(JSON.stringify(part)).id);
  expect(new Set(streamed)).toEqual(new Set(["prt_1.00001"]));
  const short = types.map((type) =>
    type.replace("message.part.updated", "part.updated").replace("message.part.delta", "part.delta"),
  );
  expect(typesOf(await aliased.next(types.length))).toEqual(short);
  // Whoever joins in the middle of a text gets no piece of it before all of it.
  await site.append("ses_a", stepStarted("stp_2"));
  site.signal(delta("ses_a", "stp_2", "One"));
  const late = reader(site, { view: "parts" });
  await late.next(1);
  site.signal(delta("ses_a", "stp_2", " two"));
  await site.append("ses_a", {
    type: "step.progressed",
    stepId: "stp_2",
    appended: [{ type: "text", text: "One two" }],
  });
  site.signal(delta("ses_a", "stp_2", " three"));
  expect(typesOf(await late.next(2))).toEqual(["message.part.updated", "message.part.delta"]);
  for (const stream of [parts, aliased, late]) stream.end();
});

test("the replication stream has every record as it is chained, from a position or from known numbers", async () => {
  const site = openSite({ projectId: undefined });
  await site.append("ses_a", created, stepStarted("stp_1"));
  await site.append("ses_b", created);
  const end = new AbortController();
  const all = replicate(site.hub, 0, end.signal);
  const first = await all.next();
  expect(first.value).toEqual(await rowsOf(site.store));
  const waiting = all.next();
  await site.append("ses_a", stepEnded("stp_1", "One"));
  expect(listOf(await waiting).map(({ sessionId, seq, position }) => [sessionId, seq, position])).toEqual([
    ["ses_a", 3, 4],
  ]);
  const known = replicate(site.hub, new Map([["ses_a", 2]]), end.signal);
  const missing = listOf(await known.next());
  expect(missing.map(({ sessionId, seq }) => [sessionId, seq])).toEqual([
    ["ses_b", 1],
    ["ses_a", 3],
  ]);
  end.abort();
});

function listOf<Row>({ value }: IteratorResult<readonly Row[], unknown>): readonly Row[] {
  return Array.isArray(value) ? value : [];
}

async function rowsOf(store: Store) {
  const rows = [];
  for await (const { position, sessionId, row } of store.tailRows(0)) rows.push({ position, sessionId, ...row });
  return rows;
}

test("several engines are heard as one", () => {
  const joined = joinEngines();
  const heard: string[] = [];
  const listeners = new Set<(sessionId: string, event: Event) => void>();
  const engine = {
    subscribeAll(listener: (sessionId: string, event: Event) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const leave = joined.add(engine);
  const stop = joined.subscribeAll((sessionId) => heard.push(sessionId));
  const event: Event = { kind: "signal", signal: { type: "notice", sessionId: "ses_a", text: "Hello." } };
  for (const listener of listeners) listener("ses_a", event);
  leave();
  stop();
  expect([heard, listeners.size]).toEqual([["ses_a"], 0]);
});
