/** A key for tests: as the real one, but without a file. */
import { generateKeyPairSync, sign, verify } from "node:crypto";
import type { JournalKey } from "@kedge/protocol";

export function createTestKey(keyId = "key-1"): JournalKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    sign: (text) => ({ keyId, signature: sign(null, Buffer.from(text), privateKey).toString("base64url") }),
    check(text, signed) {
      if (signed.keyId !== keyId) return "unknown-key";
      const isRight = verify(null, Buffer.from(text), publicKey, Buffer.from(signed.signature, "base64url"));
      return isRight ? "valid" : "wrong";
    },
  };
}
