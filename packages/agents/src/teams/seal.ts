/** Seals on letters: only whoever has the private key of a member can write in its name. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { Letter } from "./mailbox.ts";

type Unsealed = Pick<Letter, "id" | "from" | "to" | "time" | "text">;

/** Keys are texts, so that they fit into files: PKCS 8 and SPKI, DER in base64. */
export type SealKeys = { readonly privateKey: string; readonly publicKey: string };

/** Covers sender, receiver, time and id: a letter is worth nothing in another mailbox or under another name. */
export function sealLetter(letter: Unsealed, privateKey: string): Letter["seal"] {
  const key = createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" });
  return sign(null, bytesOf(letter), key).toString("base64");
}

export function isSealedBy(letter: Letter, publicKey: string): boolean {
  const key = publicKeyOf(publicKey);
  if (letter.seal === undefined || key === undefined) return false;
  return verify(null, bytesOf(letter), key, Buffer.from(letter.seal, "base64"));
}

function publicKeyOf(text: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
  } catch {
    // What is no key has sealed nothing.
    return undefined;
  }
}

function bytesOf({ id, from, to, time, text }: Unsealed): Uint8Array {
  return Buffer.from(JSON.stringify([id, from, to, time, text]));
}
