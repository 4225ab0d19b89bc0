/** The keys of a room: made by the host, spread by links, and checked against the room's name. */
import { type Bytes, joinBytes, randomBytesOf, type SubtleKey, utf8Bytes } from "./bytes.ts";

const roomBytes = 16;

type KeyPair = { readonly publicKey: SubtleKey; readonly privateKey: SubtleKey };

export type HostKeys = {
  /** The name of the room: the beginning of the digest of the public key, so that nobody else can be its host. */
  readonly room: Bytes;
  readonly key: Bytes;
  readonly writeToken: Bytes;
  readonly publicKey: Bytes;
  readonly signingKey: SubtleKey;
};

export async function makeHostKeys(): Promise<HostKeys> {
  const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
  // The algorithm has two keys; the types allow for others that have one.
  const { publicKey: verifying, privateKey: signingKey } = pair as KeyPair;
  const publicKey = new Uint8Array(await crypto.subtle.exportKey("raw", verifying));
  return {
    room: await roomOf(publicKey),
    key: randomBytesOf(32),
    writeToken: randomBytesOf(16),
    publicKey,
    signingKey,
  };
}

async function roomOf(publicKey: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", publicKey)).slice(0, roomBytes);
}

export async function isKeyOfRoom(publicKey: Bytes, room: Bytes): Promise<boolean> {
  return equalBytes(await roomOf(publicKey), room);
}

export async function signWith(signingKey: SubtleKey, ...parts: readonly Bytes[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign("Ed25519", signingKey, joinBytes(...parts)));
}

export async function isSignedBy(publicKey: Bytes, signature: Bytes, ...parts: readonly Bytes[]): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]).catch(() => undefined);
  return key !== undefined && crypto.subtle.verify("Ed25519", key, signature, joinBytes(...parts));
}

/** Proof that somebody has the write token, which itself never travels. */
export async function proofOfToken(writeToken: Bytes, ...parts: readonly Bytes[]): Promise<Bytes> {
  const key = await crypto.subtle.importKey("raw", writeToken, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, joinBytes(...parts)));
}

/** In the same time wherever the two differ. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  return left.reduce((difference, byte, index) => difference | (byte ^ (right[index] ?? 0)), 0) === 0;
}

export type PairKeys = { readonly publicKey: Bytes; readonly privateKey: SubtleKey };

/** For what only two of the room may read: all of them have the key of the room. */
export async function makePairKeys(): Promise<PairKeys> {
  const pair = await crypto.subtle.generateKey("X25519", false, ["deriveBits"]);
  const { publicKey, privateKey } = pair as KeyPair;
  return { publicKey: new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)), privateKey };
}

async function pairSecret(own: PairKeys, other: Bytes): Promise<SubtleKey> {
  const publicKey = await crypto.subtle.importKey("raw", other, "X25519", false, []);
  const bits = await crypto.subtle.deriveBits({ name: "X25519", public: publicKey }, own.privateKey, 256);
  const secret = await crypto.subtle.digest("SHA-256", joinBytes(utf8Bytes("kedge pair 1"), new Uint8Array(bits)));
  return crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** Sealed for the other one alone. Each pair of keys is used for one text, so the counter of AES stays at its start. */
export async function sealForPair(own: PairKeys, other: Bytes, text: string): Promise<Bytes> {
  const iv = randomBytesOf(12);
  const key = await pairSecret(own, other);
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, utf8Bytes(text));
  return joinBytes(iv, new Uint8Array(sealed));
}

export async function openForPair(own: PairKeys, other: Bytes, sealed: Bytes): Promise<string | undefined> {
  const key = await pairSecret(own, other).catch(() => undefined);
  if (key === undefined) return undefined;
  const opened = await crypto.subtle
    .decrypt({ name: "AES-GCM", iv: sealed.slice(0, 12) }, key, sealed.slice(12))
    .catch(() => undefined);
  return opened && new TextDecoder().decode(opened);
}
