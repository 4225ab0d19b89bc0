/** A relay that reads, drops, repeats, reorders, turns around, forges and swaps: it learns nothing and changes nothing. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { base64UrlOf, createSealer, frameContent, type HostFrame } from "@kedge/protocol/room";
import { joinRoom } from "@kedge/sdk/room";
import { afterEach, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { roomSocketWith } from "../../src/relay/room-socket.ts";
import { linkOf, openSharedSite, type SharedSite, until } from "./shared-site.ts";

/** What the relay does with a frame on its way; an empty list drops it. */
type Meddle = (frame: Buffer, way: "to guest" | "to host") => readonly Buffer[];

type Proxy = {
  readonly url: string;
  readonly seen: Buffer[];
  meddle: Meddle;
  /** Ends all connections without a word. */
  cut(): void;
  close(): Promise<void>;
};

/** Stands between a guest and the real relay, so that it is the relay as far as the guest can tell. */
async function startProxy(target: string): Promise<Proxy> {
  const server: Server = createServer();
  const sockets = new WebSocketServer({ server });
  const proxy: Proxy = {
    url: "",
    seen: [],
    meddle: (frame) => [frame],
    cut() {
      for (const client of sockets.clients) client.terminate();
    },
    close: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.terminate();
        server.close(() => resolve());
      }),
  };
  sockets.on("connection", (guest, request) => {
    const relay = new WebSocket(`${target}${request.url}`);
    const early: [Buffer, boolean][] = [];
    guest.on("message", (data, isBinary) => {
      if (relay.readyState !== WebSocket.OPEN) early.push([data as Buffer, isBinary]);
      else pass(relay, data as Buffer, isBinary, "to host");
    });
    relay.on("open", () => {
      for (const [data, isBinary] of early) pass(relay, data, isBinary, "to host");
    });
    relay.on("message", (data, isBinary) => pass(guest, data as Buffer, isBinary, "to guest"));
    guest.on("close", () => relay.terminate());
    relay.on("close", (code) => guest.close(code >= 4000 ? code : 1001));
    relay.on("error", () => guest.terminate());
  });
  function pass(to: WebSocket, data: Buffer, isBinary: boolean, way: "to guest" | "to host"): void {
    proxy.seen.push(data);
    if (!isBinary) to.send(String(data));
    else for (const frame of proxy.meddle(data, way)) to.send(frame);
  }
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return Object.assign(proxy, { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

let shared: SharedSite | undefined;
let proxy: Proxy | undefined;

afterEach(async () => {
  await shared?.close();
  await proxy?.close();
  shared = undefined;
  proxy = undefined;
});

async function joinThroughProxy(link: string, meddle?: Meddle) {
  if (shared === undefined) throw new Error("nothing is shared");
  proxy ??= await startProxy(shared.relay);
  if (meddle !== undefined) proxy.meddle = meddle;
  const through = { ...linkOf(link), relay: proxy.url };
  const joined = await joinRoom({ link: through, name: "Ada", now: Date.now, openSocket: roomSocketWith({}) });
  if (!joined.ok) throw new Error(joined.problem);
  return joined.room;
}

async function messagesSeen(room: Awaited<ReturnType<typeof joinThroughProxy>>): Promise<string> {
  return JSON.stringify((await room.client.messages(room.session.sessionId, { limit: 100 })).messages);
}

async function ask(text: string): Promise<void> {
  await shared?.site.call("POST", `/session/${shared.sessionId}/prompt`, { body: { text } });
}

test("what passes a relay contains neither texts nor keys", async () => {
  shared = await openSharedSite([{ text: "The answer is pomegranate." }]);
  const room = await joinThroughProxy(shared.links.full.page);
  await ask("Which fruit, kumquat?");
  await until(async () => (await messagesSeen(room)).includes("pomegranate"));
  const passed = Buffer.concat(proxy?.seen ?? []).toString("latin1");
  const { key, writeToken } = linkOf(shared.links.full.page);
  for (const secret of [key, writeToken ?? key]) {
    expect(passed).not.toContain(Buffer.from(secret).toString("latin1"));
    expect(passed).not.toContain(base64UrlOf(secret));
  }
  for (const word of ["pomegranate", "kumquat", "Ada", "prompt.admitted"]) expect(passed).not.toContain(word);
});

test("frames that come twice, in another order, or not at all leave the guest with what the host has", async () => {
  shared = await openSharedSite(Array.from({ length: 4 }, (_, index) => ({ text: `Answer ${index}.` })));
  const held: Buffer[] = [];
  let count = 0;
  const room = await joinThroughProxy(shared.links.view.page);
  if (proxy === undefined) throw new Error("no proxy");
  proxy.meddle = (frame, way) => {
    if (way === "to host") return [frame];
    count += 1;
    // Every fifth is lost, every third comes late, every one comes twice.
    if (count % 5 === 0) return [];
    if (count % 3 === 0) {
      held.push(frame);
      return [];
    }
    return [frame, frame, ...held.splice(0)];
  };
  for (const index of [0, 1, 2]) await ask(`Question ${index}`);
  proxy.meddle = (frame) => [frame];
  await ask("Question 3");
  const own = JSON.parse(JSON.stringify(await shared.ownMessages()));
  await until(async () => isDeepStrictEqual(JSON.parse(await messagesSeen(room)), own));
  expect(count).toBeGreaterThan(10);
});

test("a host frame that a guest forges is not shown", async () => {
  shared = await openSharedSite([{ text: "True answer." }]);
  const { room: name, key } = linkOf(shared.links.view.page);
  const forger = createSealer({ room: name, key, direction: "to guests" });
  const bye: HostFrame = { type: "bye", reason: "forged" };
  const forged = Buffer.from(await forger.seal(0, Buffer.concat([Buffer.alloc(64), frameContent(bye)]) as never));
  let isForged = false;
  const room = await joinThroughProxy(shared.links.view.page, (frame, way) => {
    if (way === "to host") return [frame];
    isForged = true;
    return [forged, frame];
  });
  await ask("Is it true?");
  await until(async () => (await messagesSeen(room)).includes("True answer."));
  expect(isForged).toBe(true);
  const ended = await Promise.race([room.ended, Promise.resolve("still there")]);
  expect(ended).toBe("still there");
});

test("a frame turned around, or of another guest or room, is nobody's", async () => {
  shared = await openSharedSite([{ text: "Only once." }]);
  const full = await joinThroughProxy(shared.links.full.page);
  const { sessionId } = shared;
  const mine: Buffer[] = [];
  if (proxy === undefined) throw new Error("no proxy");
  proxy.meddle = (frame, way) => {
    if (way === "to guest") return [frame];
    mine.push(frame);
    // Again at once, and turned to another number.
    const other = Buffer.from(frame);
    other.writeUInt32BE(frame.readUInt32BE(0) + 1, 0);
    return [frame, frame];
  };
  const prompt = { type: "prompt.submit", sessionId, text: "Once", delivery: "follow-up", options: {} } as const;
  expect(await full.client.send<"prompt.submit">(prompt)).toMatchObject({ ok: true });
  await until(async () => (await messagesSeen(full)).includes("Only once."));
  const { refusals } = await shared.status();
  expect(refusals).toMatchObject([{ what: "prompt", why: "it was repeated or sent before joining" }]);
  const own = JSON.stringify(await shared.ownMessages());
  expect(own.match(/"text":"Once"/g)).toHaveLength(1);
  expect(mine).not.toHaveLength(0);
});

test("a connection that is cut is taken up again without a gap or a repetition", async () => {
  shared = await openSharedSite(Array.from({ length: 6 }, (_, index) => ({ text: `Answer ${index}.` })));
  const room = await joinThroughProxy(shared.links.view.page);
  const seen: number[] = [];
  const abort = new AbortController();
  const reading = (async () => {
    for await (const event of room.client.events(room.session.sessionId, 0, abort.signal)) {
      if (event.kind === "fact") seen.push(event.record.seq);
    }
  })();
  for (const index of [0, 1, 2, 3, 4, 5]) {
    if (index % 2 === 1) proxy?.cut();
    await ask(`Question ${index}`);
  }
  await until(async () => (await messagesSeen(room)).includes("Answer 5."));
  abort.abort();
  await reading;
  expect(seen).toEqual(seen.map((_, index) => index + 1));
});
