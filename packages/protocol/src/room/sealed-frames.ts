/**
 * Frames between the host of a room and its guests, sealed so that the relay can neither read nor change, repeat, turn
 * around or reassign them. On the wire: route (4 bytes) ‖ salt (4) ‖ counter (8) ‖ AES-256-GCM of the content.
 */
import {
  type Bytes,
  joinBytes,
  randomBytesOf,
  type SubtleKey,
  uint32At,
  uint32Bytes,
  uint64At,
  uint64Bytes,
  utf8Bytes,
} from "./bytes.ts";
import { isSignedBy, signWith } from "./room-keys.ts";

export type Direction = "to guests" | "to host";

/** The route of a frame to all guests; any other number is that of one guest. */
export const everyone = 0;

const signatureBytes = 64;
const headBytes = 16;
const purpose = utf8Bytes("kedge room 1");

type Room = { readonly room: Bytes; readonly key: Bytes };

type Place = { readonly direction: Direction; readonly route: number; readonly counter: bigint };

/** Everything that must be as it was when the frame was sealed. */
function boundTo({ room }: Room, { direction, route, counter }: Place): Bytes {
  const way = Uint8Array.of(direction === "to guests" ? 1 : 2);
  // The host has the number of everyone; a guest sends under its own number.
  const sender = uint32Bytes(direction === "to guests" ? everyone : route);
  return joinBytes(purpose, room, way, sender, uint32Bytes(route), uint64Bytes(counter));
}

function keyOf({ key }: Room): Promise<SubtleKey> {
  return crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
}

export type Sealer = {
  /** In the order of the calls, whatever their lengths. */
  seal(route: number, content: Bytes): Promise<Bytes>;
};

/** One per connection: the salt is new with each, and the counter never comes twice. */
export function createSealer(room: Room & { readonly direction: Direction; readonly signingKey?: SubtleKey }): Sealer {
  const { direction, signingKey } = room;
  const salt = randomBytesOf(4);
  const imported = keyOf(room);
  let counter = 0n;
  let last: Promise<unknown> = Promise.resolve();

  async function sealAt(place: Place, content: Bytes): Promise<Bytes> {
    const iv = joinBytes(salt, uint64Bytes(place.counter));
    const bound = boundTo(room, place);
    const signature = signingKey === undefined ? new Uint8Array(0) : await signWith(signingKey, bound, iv, content);
    const algorithm = { name: "AES-GCM", iv, additionalData: bound };
    const sealed = await crypto.subtle.encrypt(algorithm, await imported, joinBytes(signature, content));
    return joinBytes(uint32Bytes(place.route), iv, new Uint8Array(sealed));
  }

  return {
    seal(route, content) {
      counter += 1n;
      const place = { direction, route, counter };
      const frame = Promise.all([sealAt(place, content), last]).then(([sealed]) => sealed);
      last = frame.catch(() => undefined);
      return frame;
    },
  };
}

export type OpenedFrame = {
  readonly route: number;
  readonly salt: number;
  readonly counter: bigint;
  readonly content: Bytes;
};

/** Undefined for whatever was not sealed for this room and this direction by somebody with its key. */
export async function openFrame(
  room: Room & { readonly direction: Direction; readonly publicKey?: Bytes },
  frame: Bytes,
): Promise<OpenedFrame | undefined> {
  if (frame.length < headBytes) return undefined;
  const [route, salt, counter] = [uint32At(frame, 0), uint32At(frame, 4), uint64At(frame, 8)];
  const iv = frame.slice(4, headBytes);
  const bound = boundTo(room, { direction: room.direction, route, counter });
  const algorithm = { name: "AES-GCM", iv, additionalData: bound };
  const opened = await crypto.subtle
    .decrypt(algorithm, await keyOf(room), frame.slice(headBytes))
    .catch(() => undefined);
  if (opened === undefined) return undefined;
  const whole = new Uint8Array(opened);
  if (room.direction === "to host") return { route, salt, counter, content: whole };
  const signature = whole.slice(0, signatureBytes);
  const content = whole.slice(signatureBytes);
  // Every guest has the key of the room, so the signature is what tells the host from a guest.
  const isHosts = room.publicKey === undefined || (await isSignedBy(room.publicKey, signature, bound, iv, content));
  return isHosts ? { route, salt, counter, content } : undefined;
}

export type ReplayGuard = {
  /** From now on only frames of this connection count. */
  begin(salt: number, counter: bigint): void;
  /** False for a frame of another connection, and for one that came before. */
  passes(frame: { readonly salt: number; readonly counter: bigint }): boolean;
};

/** Of one sender. */
export function createReplayGuard(): ReplayGuard {
  let current: { readonly salt: number; counter: bigint } | undefined;
  return {
    begin(salt, counter) {
      current = { salt, counter };
    },
    passes({ salt, counter }) {
      if (current === undefined || salt !== current.salt || counter <= current.counter) return false;
      current.counter = counter;
      return true;
    },
  };
}
