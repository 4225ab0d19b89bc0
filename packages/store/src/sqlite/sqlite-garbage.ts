/** What the disk is used for, and giving back what nobody needs any more. */
import { statSync } from "node:fs";
import type { Garbage, StorageUse, Store } from "@kedge/protocol";
import type { BlobFiles } from "../blob-files.ts";
import { spillName } from "./fact-rows.ts";
import type { KeptTexts } from "./kept-texts.ts";
import type { Connection } from "./sqlite-connection.ts";

const sql = {
  counts: `SELECT (SELECT count(*) FROM session WHERE deleted = 0) AS sessions,
    (SELECT count(*) FROM fact) AS facts`,
  free: "SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size",
  /** Lengths stand in the head of a row, so that no long content is read for this. */
  largest: `SELECT session.id, session.title, sum(octet_length(data) + coalesce(octet_length(content), 0)) AS bytes
    FROM fact JOIN session ON session.key = fact.session WHERE deleted = 0
    GROUP BY fact.session ORDER BY bytes DESC LIMIT ?`,
  spilled: "SELECT digest FROM fact WHERE pos > ? AND salt IS NOT NULL AND content IS NULL",
  blobs: "SELECT sha256, size FROM blob",
  dropBlob: "DELETE FROM blob WHERE sha256 = ?",
  lastPos: "SELECT coalesce(max(pos), 0) AS pos FROM fact",
  texts: "SELECT pos, digest, salt, data, content FROM fact WHERE pos > ? AND pos <= ? ORDER BY pos LIMIT 500",
} as const;

/** Rewriting the database is worth its time once so much of it is free. */
const freeShareMin = 0.25;
const freeBytesMin = 8 * 1024 * 1024;

export type SqliteGarbage = {
  storageUse(largestMax: number): StorageUse;
  collect(options: Parameters<Store["collectGarbage"]>[0]): Garbage;
};

export function createGarbage(
  connection: Connection,
  files: BlobFiles,
  source: {
    readonly path: string;
    readonly now: () => number;
    readonly settle: () => void;
    readonly keptTexts: KeptTexts;
  },
): SqliteGarbage {
  const numberOf = (text: string, column: string) => Number(connection.get(text)?.[column]);
  const isPayload = (name: string) => name.endsWith(spillName(""));
  const spilled = (digest: unknown) => files.read(spillName(String(digest)))?.toString() ?? "";

  function databaseBytes(): number {
    return ["", "-wal", "-shm"]
      .map((suffix) => statSync(source.path + suffix, { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, source.keptTexts.bytes());
  }

  function filesMissing(): number {
    const payloads = connection.all(sql.spilled, 0).filter(({ digest }) => files.size(spillName(String(digest))) === 0);
    const blobs = connection.all(sql.blobs).filter(({ sha256, size }) => files.size(String(sha256)) !== size);
    return payloads.length + blobs.length;
  }

  /** Takes those out that a fact after one place, up to another, names. */
  function withoutNamed(candidates: Set<string>, after: number, upTo: number): void {
    let pos = after;
    while (candidates.size > 0) {
      const rows = connection.all(sql.texts, pos, upTo);
      for (const row of rows) {
        pos = row["pos"] as number;
        const content = row["content"] ?? (row["salt"] === null ? "" : spilled(row["digest"]));
        for (const [sha256] of `${row["data"]} ${content}`.matchAll(/[0-9a-f]{64}/g)) candidates.delete(sha256);
      }
      if (rows.length === 0) return;
    }
  }

  function isOld(name: string, graceMs: number): boolean {
    return source.now() - files.storedAt(name) > graceMs;
  }

  /** Files of payloads are written within the transaction that names them, so none of them can be too young. */
  function withoutSpilled(candidates: Set<string>, after: number): void {
    if (candidates.size === 0) return;
    for (const { digest } of connection.all(sql.spilled, after)) candidates.delete(spillName(String(digest)));
  }

  /**
   * The long look goes on beside writers. What they did meanwhile is looked at again where none of them can be between
   * two steps of its own; whoever stores a blob again touches its file there as well.
   */
  function removeUnnamed(graceMs: number, isDryRun: boolean): Garbage {
    const names = files.list().map(({ name }) => name);
    const blobs = new Set(names.filter((name) => !isPayload(name) && isOld(name, graceMs)));
    const payloads = new Set(names.filter(isPayload));
    const seen = numberOf(sql.lastPos, "pos");
    withoutNamed(blobs, 0, seen);
    withoutSpilled(payloads, 0);
    return connection.write({ durable: false }, () => {
      withoutNamed(blobs, seen, numberOf(sql.lastPos, "pos"));
      withoutSpilled(payloads, seen);
      const unnamed = [...blobs].filter((name) => isOld(name, graceMs)).concat([...payloads]);
      const bytesFreed = unnamed.reduce((sum, name) => sum + files.size(name), 0);
      for (const name of isDryRun ? [] : unnamed) {
        connection.run(sql.dropBlob, name);
        files.remove(name);
      }
      return { files: unnamed.length, bytesFreed };
    });
  }

  function isMuchFree(): boolean {
    const free = numberOf(sql.free, "bytes");
    return free >= freeBytesMin && free >= databaseBytes() * freeShareMin;
  }

  return {
    storageUse: (largestMax) => ({
      databaseBytes: databaseBytes(),
      freeBytes: numberOf(sql.free, "bytes"),
      blobBytes: files.list().reduce((sum, file) => sum + file.bytes, 0),
      sessions: numberOf(sql.counts, "sessions"),
      facts: numberOf(sql.counts, "facts"),
      filesMissing: filesMissing(),
      // The columns are those of the statement.
      largest: (largestMax > 0 ? connection.all(sql.largest, largestMax) : []).map(({ id, title, bytes }) => ({
        sessionId: id as string,
        title: title as string,
        bytes: bytes as number,
      })),
    }),
    collect({ graceMs, isDryRun, isThorough }) {
      const before = databaseBytes();
      const removed = removeUnnamed(graceMs, isDryRun);
      if (isDryRun) return removed;
      // They are made again when their sessions are next used.
      if (isThorough) source.keptTexts.dropAll();
      source.settle();
      if (isThorough || isMuchFree()) connection.shrink();
      return { ...removed, bytesFreed: removed.bytesFreed + Math.max(0, before - databaseBytes()) };
    },
  };
}
