/** The blobs of the store in memory, and which of them the facts of a session name. */
import { hash } from "node:crypto";
import type { Store } from "@kedge/protocol";
import type { MemorySession } from "./memory-signatures.ts";

export type MemoryBlobs = Pick<Store, "putBlob" | "blob" | "collectGarbage"> & {
  namedBy(sessionId: string): ReadonlySet<string>;
  /** Those of these that no session names any more. */
  dropUnnamed(candidates: ReadonlySet<string>): void;
  bytes(): number;
};

export function createMemoryBlobs(sessions: ReadonlyMap<string, MemorySession>, now: () => number): MemoryBlobs {
  const blobs = new Map<string, { readonly bytes: Uint8Array; readonly storedAt: number }>();

  function namedBy(sessionId: string): ReadonlySet<string> {
    const rows = sessions.get(sessionId)?.rows ?? [];
    const texts = rows.map((row) => `${row.data} ${row.payload?.content ?? row.replacement ?? ""}`);
    const named = texts.flatMap((text) => Array.from(text.matchAll(/[0-9a-f]{64}/g), ([sha256]) => sha256));
    return new Set(named.filter((sha256) => blobs.has(sha256)));
  }

  const allNamed = () => new Set([...sessions.keys()].flatMap((sessionId) => [...namedBy(sessionId)]));

  return {
    namedBy,
    dropUnnamed(candidates) {
      const named = allNamed();
      for (const sha256 of candidates) if (!named.has(sha256)) blobs.delete(sha256);
    },
    bytes: () => [...blobs.values()].reduce((sum, { bytes }) => sum + bytes.length, 0),
    async putBlob(bytes) {
      const sha256 = hash("sha256", bytes);
      blobs.set(sha256, { bytes: Uint8Array.from(bytes), storedAt: now() });
      return sha256;
    },
    async blob(sha256) {
      const bytes = blobs.get(sha256)?.bytes;
      return bytes && Uint8Array.from(bytes);
    },
    async collectGarbage({ graceMs, isDryRun }) {
      const named = allNamed();
      const unnamed = [...blobs].filter(([sha256, { storedAt }]) => !named.has(sha256) && now() - storedAt > graceMs);
      if (!isDryRun) for (const [sha256] of unnamed) blobs.delete(sha256);
      const bytesFreed = unnamed.reduce((sum, [, { bytes }]) => sum + bytes.length, 0);
      return { files: unnamed.length, bytesFreed };
    },
  };
}
