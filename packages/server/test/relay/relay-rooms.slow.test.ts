/** What a relay allows to rooms and connections: one host, a time for everything, and no more than it can hold. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { base64UrlOf, type HostKeys, hostClaim, makeHostKeys, relayCodes, signWith } from "@kedge/protocol/room";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createRelay, type Relay } from "../../src/relay/relay.ts";

let relay: Relay;
let url: string;
let now: number;
let beat: () => void;
let keys: HostKeys;
const sockets: WebSocket[] = [];

beforeEach(async () => {
  now = 1_000_000;
  relay = createRelay({
    now: () => now,
    page: async () => undefined,
    onBeat(call) {
      beat = call;
      return () => undefined;
    },
  });
  relay.server.listen(0, "127.0.0.1");
  await once(relay.server, "listening");
  url = `ws://127.0.0.1:${(relay.server.address() as AddressInfo).port}`;
  keys = await makeHostKeys();
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await relay.close();
});

type Line = { readonly socket: WebSocket; readonly words: string[]; readonly closed: Promise<number> };

function dial(role: "host" | "guest"): Line {
  const socket = new WebSocket(`${url}/r/${base64UrlOf(keys.room)}?role=${role}`);
  sockets.push(socket);
  const words: string[] = [];
  socket.on("message", (data, isBinary) => void (isBinary || words.push(String(data))));
  socket.on("error", () => undefined);
  return { socket, words, closed: new Promise((resolve) => socket.once("close", resolve)) };
}

/** With the key that the room is named after, or another one. */
async function dialAsHost({ signingKey, publicKey } = keys): Promise<Line> {
  const line = dial("host");
  await expect.poll(() => line.words.length).toBe(1);
  const { nonce } = JSON.parse(line.words[0] ?? "") as { readonly nonce: string };
  const signature = base64UrlOf(await signWith(signingKey, hostClaim(nonce)));
  line.socket.send(JSON.stringify({ type: "proof", publicKey: base64UrlOf(publicKey), signature }));
  return line;
}

const typesOf = ({ words }: Line) => words.map((word) => (JSON.parse(word) as { readonly type: string }).type);
const has = (line: Line, type: string) => expect.poll(() => typesOf(line)).toContain(type);
const minute = 60_000;

test("a room has one host: whoever has another key, or comes while it lives, is refused", async () => {
  const host = await dialAsHost();
  await has(host, "open");
  expect(await (await dialAsHost()).closed).toBe(relayCodes.roomTaken);
  expect(await (await dialAsHost(await makeHostKeys())).closed).toBe(relayCodes.notHost);
  host.socket.terminate();
  await host.closed;
  await expect.poll(async () => (await count()).rooms).toBe(0);
  await has(await dialAsHost(), "open");
});

async function count(): Promise<{ readonly rooms: number; readonly connections: number }> {
  const answered = await fetch(`${url.replace("ws", "http")}/healthz`);
  // The form in which a relay answers.
  return (await answered.json()) as { readonly rooms: number; readonly connections: number };
}

test("a room whose host is away for a minute, or says nothing for twelve hours, is closed", async () => {
  for (const isAway of [true, false]) {
    keys = await makeHostKeys();
    const host = await dialAsHost();
    await has(host, "open");
    const guest = dial("guest");
    await has(guest, "joined");
    if (isAway) {
      host.socket.terminate();
      await has(guest, "host-away");
    }
    const limit = isAway ? minute : 12 * 60 * minute;
    now += limit - 1;
    beat();
    expect(guest.socket.readyState).toBe(WebSocket.OPEN);
    await once(guest.socket, "ping");
    now += 2;
    beat();
    expect(await guest.closed).toBe(relayCodes.roomClosed);
    expect(await count()).toMatchObject({ rooms: 0, connections: 0 });
  }
});

test("a connection that does not answer between two beats is ended", async () => {
  const host = await dialAsHost();
  await has(host, "open");
  const guest = dial("guest");
  await has(guest, "joined");
  // As a machine that sleeps: nothing is read, so that no ping is answered.
  guest.socket.pause();
  beat();
  await once(host.socket, "ping");
  await expect.poll(async () => (await count()).connections).toBe(2);
  beat();
  await has(host, "left");
  expect(await count()).toMatchObject({ rooms: 1, connections: 1 });
});

test("a guest that does not read is said to be behind at 5 MB, ended at 20 MB, and holds nobody up", async () => {
  const host = await dialAsHost();
  await has(host, "open");
  const quick = dial("guest");
  await has(quick, "joined");
  const slow = dial("guest");
  await has(slow, "joined");
  let received = 0;
  quick.socket.on("message", (data, isBinary) => {
    if (isBinary) received += (data as Buffer).length;
  });
  slow.socket.pause();
  const frame = Buffer.alloc(1024 * 1024);
  let sent = 0;
  while (!typesOf(host).includes("left")) {
    host.socket.send(frame);
    sent += frame.length;
    await expect.poll(() => received).toBe(sent);
    expect(sent).toBeLessThan(64 * frame.length);
  }
  const told = typesOf(host);
  expect(told.filter((type) => type === "behind" || type === "left")).toEqual(["behind", "left"]);
  expect(sent).toBeGreaterThan(20 * frame.length);
  expect(quick.socket.readyState).toBe(WebSocket.OPEN);
});

test("one address opens at most 120 connections in a minute", async () => {
  const host = await dialAsHost();
  await has(host, "open");
  let refused = 0;
  for (let made = 1; made < 125; made += 1) {
    const socket = new WebSocket(`${url}/r/${base64UrlOf(keys.room)}?role=guest`);
    const isRefused = await new Promise<boolean>((resolve) => {
      socket.on("error", () => undefined);
      socket.once("unexpected-response", (_, { statusCode }) => resolve(statusCode === 429));
      socket.once("open", () => resolve(false));
    });
    socket.terminate();
    if (isRefused) refused += 1;
  }
  expect(refused).toBe(5);
  now += minute;
  await has(dial("guest"), "joined");
});
