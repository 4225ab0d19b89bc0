/** A guest's connection to a room: checks that the host is the host, proves its rights, reconnects, and moves along. */
import {
  base64UrlOf,
  bytesOfBase64Url,
  createReplayGuard,
  createSealer,
  frameContent,
  type GuestAct,
  type GuestFrame,
  type HostFrame,
  helloContent,
  isKeyOfRoom,
  makePairKeys,
  type OpenedFrame,
  type OpenRoomSocket,
  openForPair,
  openFrame,
  type PairKeys,
  parseRoomLink,
  proofOfToken,
  provedContent,
  type RelayWord,
  type RoomLink,
  type RoomSocket,
  randomBytesOf,
  readHostFrame,
  readWord,
  type Sealer,
} from "@kedge/protocol/room";
import { createGuestPatience } from "./guest-patience.ts";

type UnprovedAct = GuestAct extends infer Act ? (Act extends GuestAct ? Omit<Act, "proof"> : never) : never;

export type GuestState = "connected" | "reconnecting" | "host-away";

type Bytes = ReturnType<typeof randomBytesOf>;

/** A frame of the host that was checked. */
export type ShownFrame = Exclude<HostFrame, { readonly type: "challenge" | "moved" | "bye" }>;

export type GuestConnectionParts = {
  readonly link: RoomLink;
  /** Where the link names none. */
  readonly relay: string;
  readonly name: string;
  readonly openSocket: OpenRoomSocket;
  readonly now: () => number;
  /** The newest fact that the guest has. */
  readonly after: () => number;
  readonly onFrame: (frame: ShownFrame) => void;
  readonly onState: (state: GuestState) => void;
  /** Once, and for good. */
  readonly onEnd: (reason: string) => void;
};

interface GuestConnection {
  send(frame: GuestFrame): Promise<void>;
  /** With the proof that it comes from somebody with the full link. */
  act(act: UnprovedAct): Promise<void>;
  close(): void;
}

type Seat = {
  readonly socket: RoomSocket;
  readonly sealer: Sealer;
  readonly pair: PairKeys;
  readonly nonce: string;
  guest: number;
};

export function connectAsGuest(parts: GuestConnectionParts): GuestConnection {
  const { name, openSocket, now, after, onFrame, onState } = parts;
  let room: RoomLink & { readonly relay: string } = { ...parts.link, relay: parts.link.relay ?? parts.relay };
  let publicKey: Bytes | undefined;
  let seat: Seat | undefined;
  let current: RoomSocket | undefined;
  let guard = createReplayGuard();
  let isOver = false;
  // With a wrong key nothing that the host says can be understood.
  const patience = createGuestPatience(now, () => end("The host is not responding. Check that the link is complete"));
  let reading: Promise<unknown> = Promise.resolve();

  function end(reason: string): void {
    if (isOver) return;
    isOver = true;
    patience.stop();
    current?.close();
    parts.onEnd(reason);
  }

  /** Frames are heard one after the other. What should not happen ends the connection instead of silencing it. */
  function inOrder(work: () => Promise<void> | undefined): void {
    reading = reading.then(work).catch((error: unknown) => end(`Internal error: ${String(error)}`));
  }

  function connect(): void {
    const { relay, room: name } = room;
    const socket: RoomSocket = openSocket(`${relay}/r/${base64UrlOf(name)}?role=guest`, {
      onWord: (text) => hearRelay(socket, readWord<RelayWord>(text)),
      onFrame(frame) {
        inOrder(() => (seat?.socket === socket ? hearFrame(seat, frame) : undefined));
      },
      onClose({ code, reason }) {
        // One that was left for a new room ends unheard.
        if (isOver || current !== socket) return;
        seat = undefined;
        if (patience.retries(code, connect)) onState("reconnecting");
        else end(reason || "The relay cannot be reached");
      },
    });
    current = socket;
  }

  function hearRelay(socket: RoomSocket, word: RelayWord | undefined): void {
    if (word?.type === "joined" && Number.isSafeInteger(word.guest)) takeSeat(socket, word.guest);
    else if (word?.type === "host-away") onState("host-away");
  }

  /** The challenge may be here already; it waits for the keys. */
  function takeSeat(socket: RoomSocket, guest: number): void {
    const made = newSeat(room, socket, guest);
    inOrder(async () => {
      const taken = await made;
      // The connection may have ended meanwhile, and another one begun.
      if (current === socket) seat = taken;
    });
  }

  async function hearFrame(sitting: Seat, bytes: Bytes): Promise<void> {
    const heard = await heardFrame(room, publicKey, bytes);
    if (heard === undefined || ![0, sitting.guest].includes(heard.opened.route)) return;
    const { opened, frame } = heard;
    if (frame.type === "challenge") return answerChallenge(sitting, frame, bytes);
    if (publicKey === undefined) return;
    if (frame.type === "welcome") return beWelcome(sitting, frame, opened);
    if (!guard.passes(opened)) return;
    if (frame.type === "moved") return move(sitting, frame);
    if (frame.type === "bye") return end(frame.reason);
    onFrame(frame);
  }

  async function answerChallenge(sitting: Seat, challenge: Challenge, bytes: Bytes): Promise<void> {
    const key = await keyOfHost(room, challenge, bytes);
    if (key === undefined) return;
    publicKey = key;
    await sendFrom(sitting, await helloFrom(sitting, room.writeToken, { challenge, name, after: after() }));
  }

  function beWelcome(sitting: Seat, frame: Extract<HostFrame, { type: "welcome" }>, opened: OpenedFrame): void {
    // An old welcome answers another nonce.
    if (frame.nonce !== sitting.nonce) return;
    guard = createReplayGuard();
    guard.begin(opened.salt, opened.counter);
    patience.welcomed();
    onFrame(frame);
    onState("connected");
  }

  async function move(sitting: Seat, moved: Moved): Promise<void> {
    const link = await linkIn(sitting.pair, moved);
    if (link === undefined) return;
    const old = current;
    seat = undefined;
    publicKey = undefined;
    room = { ...link, relay: link.relay ?? room.relay };
    onState("reconnecting");
    connect();
    old?.close();
  }

  async function send(frame: GuestFrame): Promise<void> {
    if (seat === undefined) throw new Error("not connected");
    await sendFrom(seat, frame);
  }

  connect();

  return {
    send,
    async act(act) {
      const { nonce = "", guest = 0 } = seat ?? {};
      await send(await provedAct(act, room.writeToken, { nonce, guest }));
    },
    close() {
      isOver = true;
      patience.stop();
      current?.close();
    },
  };
}

/** What a connection that ended in the meantime is given to send goes nowhere. */
async function sendFrom({ socket, sealer, guest }: Seat, frame: GuestFrame): Promise<void> {
  socket.send(await sealer.seal(guest, frameContent(frame)));
}

/** Undefined for what nobody in the room could have sealed, and for what is not understood. */
async function heardFrame(room: RoomLink, publicKey: Bytes | undefined, bytes: Bytes) {
  const sealed = { ...room, direction: "to guests", ...(publicKey !== undefined && { publicKey }) } as const;
  const opened = await openFrame(sealed, bytes);
  const frame = opened && readHostFrame(opened.content);
  return opened === undefined || frame === undefined ? undefined : { opened, frame };
}

async function provedAct(
  act: UnprovedAct,
  writeToken: Bytes | undefined,
  place: { readonly nonce: string; readonly guest: number },
): Promise<GuestFrame> {
  const proof = base64UrlOf(await proofOfToken(writeToken ?? randomBytesOf(16), provedContent(act, place)));
  // The proof completes it.
  return { ...act, proof } as GuestAct;
}

type Challenge = Extract<HostFrame, { type: "challenge" }>;

/** Whoever has the link could have sealed the challenge; only the host could have signed it with the room's key. */
async function keyOfHost(room: RoomLink, { publicKey: text }: Challenge, bytes: Bytes): Promise<Bytes | undefined> {
  const publicKey = bytesOfBase64Url(String(text));
  if (publicKey === undefined || !(await isKeyOfRoom(publicKey, room.room))) return undefined;
  const opened = await openFrame({ ...room, direction: "to guests", publicKey }, bytes);
  return opened && publicKey;
}

type Greeting = { readonly challenge: Challenge; readonly name: string; readonly after: number };

async function helloFrom(
  { guest, nonce, pair }: Seat,
  writeToken: Bytes | undefined,
  { challenge, name, after }: Greeting,
): Promise<GuestFrame> {
  const publicKey = base64UrlOf(pair.publicKey);
  const proved = helloContent({ challenge: challenge.nonce, guest, publicKey });
  const proof = writeToken && base64UrlOf(await proofOfToken(writeToken, proved));
  return {
    ...{ v: 1, type: "hello", name, nonce, challenge: challenge.nonce, publicKey, after },
    ...(proof !== undefined && { proof }),
  };
}

type Moved = Extract<HostFrame, { type: "moved" }>;

/** Sealed for this guest alone. */
async function linkIn(pair: PairKeys, { publicKey, sealed }: Moved): Promise<RoomLink | undefined> {
  const [key, bytes] = [bytesOfBase64Url(String(publicKey)), bytesOfBase64Url(String(sealed))];
  const text = key && bytes && (await openForPair(pair, key, bytes));
  const parsed = text === undefined ? undefined : parseRoomLink(text);
  return parsed?.ok ? parsed.link : undefined;
}

async function newSeat({ room, key }: RoomLink, socket: RoomSocket, guest: number): Promise<Seat> {
  const sealer = createSealer({ room, key, direction: "to host" });
  return { socket, sealer, pair: await makePairKeys(), nonce: base64UrlOf(randomBytesOf(16)), guest };
}
