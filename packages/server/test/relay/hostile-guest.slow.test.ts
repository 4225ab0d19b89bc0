/** Guests with programs of their own: a view link that acts, forged proofs, floods, and what a relay refuses. */
import {
  base64UrlOf,
  createSealer,
  frameContent,
  type GuestFrame,
  type HostFrame,
  makePairKeys,
  openFrame,
  type RelayWord,
  randomBytesOf,
  readHostFrame,
} from "@kedge/protocol/room";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { linkOf, openSharedSite, type SharedSite, until } from "./shared-site.ts";

let shared: SharedSite | undefined;
const sockets: WebSocket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await shared?.close();
  shared = undefined;
});

/** Speaks the protocol by hand, with the key of the link and whatever frames a test wants. */
async function joinByHand(link: string) {
  const { relay, room, key } = linkOf(link);
  const socket = new WebSocket(`${relay}/r/${base64UrlOf(room)}?role=guest`);
  sockets.push(socket);
  const frames: HostFrame[] = [];
  const nonce = base64UrlOf(randomBytesOf(16));
  const sealer = createSealer({ room, key, direction: "to host" });
  let guest = 0;
  socket.on("message", (data, isBinary) => {
    if (!isBinary) {
      const word = JSON.parse(String(data)) as RelayWord;
      if (word.type === "joined") guest = word.guest;
      return;
    }
    void openFrame({ room, key, direction: "to guests" }, new Uint8Array(data as Buffer)).then((opened) => {
      const frame = opened && readHostFrame(opened.content);
      if (frame !== undefined) frames.push(frame);
    });
  });
  const send = async (frame: object) => {
    socket.send(await sealer.seal(guest, frameContent(frame as GuestFrame)));
  };
  const own = base64UrlOf((await makePairKeys()).publicKey);
  await until(() => frames.some(({ type }) => type === "challenge"));
  const challenge = frames.find((frame) => frame.type === "challenge")?.nonce ?? "";
  const hello = { type: "hello", name: "Mallory", nonce, challenge, publicKey: own };
  return { socket, frames, send, hello, guest: () => guest };
}

async function refusalsOf(count: number) {
  await until(async () => ((await shared?.status())?.refusals.length ?? 0) >= count);
  return (await shared?.status())?.refusals ?? [];
}

test("a view link cannot act, whatever proof it invents", async () => {
  shared = await openSharedSite([]);
  const { send, hello, frames } = await joinByHand(shared.links.view.page);
  const proof = base64UrlOf(randomBytesOf(32));
  await send({ ...hello, proof });
  await until(() => frames.some(({ type }) => type === "welcome"));
  expect(frames.find((frame) => frame.type === "welcome")?.you.rights).toBe("view");
  await send({ type: "prompt", act: "a1", proof, text: "Delete everything" });
  await send({ type: "abort", act: "a2", proof });
  await send({ type: "agent-cmd", act: "a3", proof, agent: "ses_other", command: "kill" });
  await send({ type: "fetch-transcript", agent: "ses_of_somebody_else", since: 0 });
  await send({ type: "permission", act: "a4", reply: "once" });
  await send({ type: "prompt", act: "a5", proof, text: "x", extra: { mode: "bypass" } });
  const refusals = await refusalsOf(6);
  expect(refusals.map(({ what, why }) => `${what}: ${why}`)).toEqual([
    "full rights: its link is not a full one",
    "prompt: This link is view-only",
    "abort: This link is view-only",
    "agent-cmd: This link is view-only",
    "a transcript: it is not part of this session",
    "a message: it could not be understood",
  ]);
  expect(shared.site.model.requests).toHaveLength(0);
});

test("a guest who did not say hello is nobody, and one who says it twice stays who it is", async () => {
  shared = await openSharedSite([]);
  const { send, hello, frames } = await joinByHand(shared.links.full.page);
  await send({ type: "fetch-transcript", agent: "main", since: 0 });
  await send({ ...hello, challenge: base64UrlOf(randomBytesOf(16)) });
  await send(hello);
  await until(() => frames.some(({ type }) => type === "welcome"));
  await send({ ...hello, name: "Somebody else" });
  const refusals = await refusalsOf(3);
  expect(refusals.map(({ what }) => what)).toEqual(["fetch-transcript", "hello", "hello"]);
  expect((await shared.status()).guests).toMatchObject([{ name: "Mallory", rights: "view" }]);
});

test("names are short, printable and nobody else's", async () => {
  shared = await openSharedSite([]);
  const names = ["Mallory", "Mallory", "\u202eevil\u0007\n", "", "x".repeat(150)];
  for (const name of names) {
    const { send, hello, frames } = await joinByHand(shared.links.view.page);
    await send({ ...hello, name });
    await until(() => frames.some(({ type }) => type === "welcome"));
  }
  const { guests } = await shared.status();
  expect(guests.map(({ name }) => name)).toEqual(["Mallory", "Mallory 2", "evil", "guest 4", "x".repeat(32)]);
});

test("prompts are limited, and a flood ends the connection of whoever sends it", async () => {
  shared = await openSharedSite(() => ({ text: "Yes." }));
  const guest = await shared.join(shared.links.full.page);
  const { sessionId } = shared;
  const prompt = { type: "prompt.submit", sessionId, text: "Again", delivery: "follow-up", options: {} } as const;
  const answers = [];
  for (let count = 0; count < 12; count++) answers.push((await guest.client.send<"prompt.submit">(prompt)).ok);
  expect(answers).toEqual([...Array(10).fill(true), false, false]);
  const { socket, send, hello } = await joinByHand(shared.links.view.page);
  const closed = new Promise<number>((resolve) => {
    socket.once("close", resolve);
  });
  await send(hello);
  for (let count = 0; count < 300; count++) await send({ type: "fetch-transcript", agent: "main", since: 1_000_000 });
  expect(await closed).toBe(4004);
  expect(guest.you().guest).toBe(1);
});

test("a relay takes sixteen guests, one host, only frames of their own number, and only sizes it allows", async () => {
  shared = await openSharedSite([]);
  const { relay, links } = shared;
  const guests = [];
  for (let count = 0; count < 16; count++) guests.push(await joinByHand(links.view.page));
  const { room } = linkOf(links.view.page);
  const path = `${relay}/r/${base64UrlOf(room)}`;
  expect(await closeCodeOf(`${path}?role=guest`)).toBe(4003);
  expect(
    await closeCodeOf(`${path}?role=host`, JSON.stringify({ type: "proof", publicKey: "AA", signature: "AA" })),
  ).toBe(4008);
  const [first, second] = guests;
  first?.socket.send(Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.alloc(40)]));
  expect(await closedOf(first?.socket)).toBe(4004);
  second?.socket.send(Buffer.alloc(300 * 1024));
  expect(await closedOf(second?.socket)).toBe(1009);
  expect((await fetch(`${relay.replace("ws", "http")}/r/nothing`)).status).toBe(404);
});

function closedOf(socket: WebSocket | undefined): Promise<number> {
  return new Promise((resolve) => {
    socket?.once("close", resolve);
  });
}

function closeCodeOf(url: string, word?: string): Promise<number> {
  const socket = new WebSocket(url);
  sockets.push(socket);
  if (word !== undefined) socket.once("message", () => socket.send(word));
  return closedOf(socket);
}
