/** What the fence around data carries so that no text from outside can close it. */
import { createHash } from "node:crypto";

/** 128 bits. */
const digits = 32;

/** Nobody knows the id of a session before it begins, and it stays the same when the session is resumed. */
export function fenceNonce(sessionId: string): string {
  return createHash("sha256").update(`fence of ${sessionId}`).digest("hex").slice(0, digits);
}
