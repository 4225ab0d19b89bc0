/** Secret words of the server: made here, kept only as digests, compared in constant time. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const secretBytes = 32;

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(secretBytes).toString("base64url");
}

/** Begins with a name, so that whoever looks for leaked secrets knows it. */
export function newToken(): string {
  return `kedge_${newSecret()}`;
}

export function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Goes through all of them, so that the time says nothing about which one it was. */
export function findByDigest<Entry extends { readonly digest: Buffer }>(
  entries: Iterable<Entry>,
  secret: string,
): Entry | undefined {
  const digest = digestOf(secret);
  let found: Entry | undefined;
  for (const entry of entries) {
    if (timingSafeEqual(entry.digest, digest)) found = entry;
  }
  return found;
}

export type Words<Meaning> = {
  issue(meaning: Meaning): { readonly word: string; readonly expiresAt: number };
  /** Undefined for a word that was never issued, was taken or is too old. */
  find(word: string): Meaning | undefined;
  /** The same, and nobody finds it again. */
  take(word: string): Meaning | undefined;
};

export type WordsParts<Meaning> = {
  readonly lifetimeMs: number;
  /** The oldest goes when there would be more. */
  readonly countMax: number;
  /** So that nobody can push out the words of others. */
  readonly perHolder?: { readonly countMax: number; readonly holderOf: (meaning: Meaning) => string };
  readonly now: () => number;
};

export function createWords<Meaning>({ lifetimeMs, countMax, perHolder, now }: WordsParts<Meaning>): Words<Meaning> {
  type Issued = { readonly digest: Buffer; readonly meaning: Meaning; readonly expiresAt: number };
  const issued = new Set<Issued>();

  /** All live equally long, so the oldest stand in front. */
  const forgetOld = (room: number) => {
    for (const word of issued) {
      if (word.expiresAt > now() && issued.size <= countMax - room) break;
      issued.delete(word);
    }
  };
  const makeRoomFor = (meaning: Meaning) => {
    forgetOld(1);
    if (perHolder === undefined) return;
    const holder = perHolder.holderOf(meaning);
    const held = [...issued].filter((word) => perHolder.holderOf(word.meaning) === holder);
    for (const word of held.slice(0, Math.max(0, held.length + 1 - perHolder.countMax))) issued.delete(word);
  };
  const look = (word: string) => {
    forgetOld(0);
    return findByDigest(issued, word);
  };
  return {
    issue(meaning) {
      makeRoomFor(meaning);
      const word = newSecret();
      const expiresAt = now() + lifetimeMs;
      issued.add({ digest: digestOf(word), meaning, expiresAt });
      return { word, expiresAt };
    },
    find: (word) => look(word)?.meaning,
    take(word) {
      const found = look(word);
      if (found !== undefined) issued.delete(found);
      return found?.meaning;
    },
  };
}
