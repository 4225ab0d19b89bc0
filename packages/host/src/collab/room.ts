/** A shared session: lets guests in, shows them what was stored, and hands what they want done to whoever checks it. */
import type { FactRecord } from "@kedge/protocol";
import {
  base64UrlOf,
  bytesOfBase64Url,
  everyone,
  type GuestFrameOf,
  type GuestRights,
  type HostKeys,
  helloContent,
  makePairKeys,
  type OpenedFrame,
  type OpenRoomSocket,
  randomBytesOf,
  readGuestFrame,
  sealForPair,
} from "@kedge/protocol/room";
import { createGuestActs } from "./guest-acts.ts";
import type { RoomAccess } from "./room-access.ts";
import { startBroadcast } from "./room-broadcast.ts";
import { connectRoom, type RoomConnection } from "./room-connection.ts";
import { createGuests, type Guest, type Guests } from "./room-guests.ts";
import type { SharedTexts } from "./shared-texts.ts";

export type RoomParts = {
  readonly keys: HostKeys;
  readonly relay: string;
  readonly openSocket: OpenRoomSocket;
  readonly access: RoomAccess;
  readonly texts: SharedTexts;
  readonly hidesPermissions: boolean;
  readonly now: () => number;
  /** Once, for whatever reason but `close`. */
  readonly onEnd: (reason: string) => void;
};

export interface Room {
  /** A sentence where the room could not be opened. */
  readonly opened: Promise<string | undefined>;
  readonly guests: Guests;
  readonly isConnected: () => boolean;
  /** False where there is no such guest. */
  setRights(guest: number, rights: GuestRights): boolean;
  /** Gives these guests the link of another room, which nobody else can read. */
  move(guests: readonly Guest[], link: (rights: GuestRights) => string): Promise<void>;
  close(reason: string): Promise<void>;
}

const batchCharactersMax = 256 * 1024;

export function openRoom(parts: RoomParts): Room {
  const { keys, access, texts, now, hidesPermissions } = parts;
  const guests = createGuests({ now });
  const connection: RoomConnection = connectRoom({
    ...parts,
    onOpen: () => guests.clear(),
    onWord({ type, guest: number }) {
      if (type === "arrived") greet(number);
      else if (type === "left") {
        guests.leave(number);
        broadcast.tellState();
      } else {
        const guest = guests.find(number);
        if (guest !== undefined) guest.isBehind = type === "behind";
      }
    },
    onFrame: hear,
  });
  const { send } = connection;
  const acts = createGuestActs({ keys, access, guests, send, now });
  const broadcast = startBroadcast({ access, texts, guests, send });

  function greet(number: number): void {
    const { challenge } = guests.arrive(number, base64UrlOf(randomBytesOf(16)));
    send(number, { type: "challenge", publicKey: base64UrlOf(keys.publicKey), nonce: challenge });
  }

  async function hear(opened: OpenedFrame): Promise<void> {
    const guest = guests.find(opened.route);
    const read = readGuestFrame(opened.content);
    if (guest === undefined || read.kind === "unknown") return;
    const refuse = (what: string, why: string) => guests.refuse(guest.number, what, why);
    if (read.kind === "broken") return refuse("a message", "it could not be understood");
    const { frame } = read;
    if (frame.type === "hello") {
      const isAnswer = guest.joined === undefined && frame.challenge === guest.challenge;
      return isAnswer ? welcome(guest, frame, opened) : refuse("hello", "it was repeated");
    }
    // Before its `hello` a guest is nobody, and a frame of another connection or an old one is nobody's.
    if (guest.joined === undefined || !guest.guard.passes(opened)) {
      return refuse(frame.type, "it was repeated or sent before joining");
    }
    if (frame.type === "fetch-transcript") return sendTranscript(guest, frame);
    return acts.carryOut(guest, guest.joined, frame);
  }

  async function welcome(guest: Guest, hello: GuestFrameOf<"hello">, opened: OpenedFrame): Promise<void> {
    const { number, challenge } = guest;
    const publicKey = bytesOfBase64Url(hello.publicKey);
    if (publicKey?.length !== 32) return guests.refuse(number, "hello", "its key is not valid");
    const proved = helloContent({ challenge, guest: number, publicKey: hello.publicKey });
    const hasToken = hello.proof !== undefined && (await acts.isProof(hello.proof, proved));
    if (hello.proof !== undefined && !hasToken) guests.refuse(number, "full rights", "its link is not a full one");
    const rights = hasToken ? "full" : "view";
    const name = guests.nameFor(hello.name, number);
    guest.guard.begin(opened.salt, opened.counter);
    const session = await access.describe();
    guest.joined = { name, publicKey, hasToken, rights, nonce: hello.nonce };
    const you = { guest: number, name, rights } as const;
    send(number, { type: "welcome", nonce: hello.nonce, you, session, hidesPermissions });
    await sendRecords(number, hello.after ?? 0);
    send(number, { type: "agents", agents: await access.agents() });
    broadcast.tellState();
  }

  async function sendRecords(route: number, after: number): Promise<void> {
    for await (const { records, isLast } of inBatches(access.facts(access.sessionId, after))) {
      send(route, { type: "entry", records: records.map(texts.record), ...(isLast && { isCaughtUp: true }) });
    }
  }

  async function sendTranscript({ number }: Guest, wish: GuestFrameOf<"fetch-transcript">): Promise<void> {
    const { agent, since } = wish;
    if (agent === "main" || agent === access.sessionId) return sendRecords(number, since);
    if (!access.isAgent(agent)) return guests.refuse(number, "a transcript", "it is not part of this session");
    for await (const { records, isLast } of inBatches(access.facts(agent, since))) {
      send(number, { type: "transcript", agent, records: records.map(texts.record), isComplete: isLast });
    }
  }

  return {
    opened: connection.opened,
    guests,
    isConnected: connection.isOpen,
    setRights(number, rights) {
      const joined = guests.find(number)?.joined;
      if (joined === undefined) return false;
      joined.rights = rights;
      broadcast.tellState();
      return true;
    },
    async move(moved, link) {
      for (const { number, joined } of moved) {
        if (joined === undefined) continue;
        const pair = await makePairKeys();
        // Whoever was lowered must not come back with what it had, and whoever was raised gets no link to pass on.
        const rights = joined.hasToken ? joined.rights : "view";
        const sealed = base64UrlOf(await sealForPair(pair, joined.publicKey, link(rights)));
        send(number, { type: "moved", publicKey: base64UrlOf(pair.publicKey), sealed });
      }
    },
    async close(reason) {
      broadcast.close();
      send(everyone, { type: "bye", reason });
      await connection.close();
    },
  };
}

type Batch = { readonly records: readonly FactRecord[]; readonly isLast: boolean };

/** At least one, so that whoever waits for the last one is told. */
async function* inBatches(facts: AsyncIterable<FactRecord>): AsyncGenerator<Batch, void> {
  let records: FactRecord[] = [];
  let characters = 0;
  for await (const record of facts) {
    records.push(record);
    characters += JSON.stringify(record.fact).length;
    if (characters < batchCharactersMax) continue;
    yield { records, isLast: false };
    [records, characters] = [[], 0];
  }
  yield { records, isLast: true };
}
