/** Files beside the SQLite store that go with removed content: payloads that lay in files, and blobs that nothing names. */
import type { BlobFiles } from "../blob-files.ts";
import { spillName } from "./fact-rows.ts";
import type { Connection } from "./sqlite-connection.ts";
import { sql as rowSql } from "./sqlite-rows.ts";

const sql = {
  contents: "SELECT digest, data, content FROM fact WHERE session = ? AND (salt IS NOT NULL OR content IS NOT NULL)",
  spilledElsewhere: "SELECT digest FROM fact WHERE session <> ? AND salt IS NOT NULL AND content IS NULL",
  mentionedElsewhere: "SELECT 1 FROM fact WHERE session <> ? AND (instr(content, ?) > 0 OR instr(data, ?) > 0) LIMIT 1",
  anyBlob: "SELECT 1 FROM blob LIMIT 1",
} as const;

export type RemovedFiles = {
  /** Blobs that this session names and no other one does. Reads all facts, but only when it names one at all. */
  ownBlobs(key: number): readonly string[];
  sweepBlobs(): void;
  /** After the commit. Asks the chain and not the removal, in case a crash came between the two once. */
  removePayloads(key: number, isMeant: (digest: string) => boolean): void;
};

export function createRemovedFiles(connection: Connection, files: BlobFiles): RemovedFiles {
  function spilled(digest: unknown): string {
    return files.read(spillName(String(digest)))?.toString() ?? "";
  }

  function blobsNamedBy(key: number): ReadonlySet<string> {
    const named = new Set<string>();
    for (const { digest, data, content } of connection.all(sql.contents, key)) {
      for (const [sha256] of `${data} ${content ?? spilled(digest)}`.matchAll(/[0-9a-f]{64}/g)) {
        if (connection.get(rowSql.blob, sha256) !== undefined) named.add(sha256);
      }
    }
    return named;
  }

  return {
    ownBlobs(key) {
      if (connection.get(sql.anyBlob) === undefined) return [];
      const named = blobsNamedBy(key);
      if (named.size === 0) return [];
      const others = connection.all(sql.spilledElsewhere, key).map(({ digest }) => spilled(digest));
      return [...named].filter(
        (sha256) =>
          connection.get(sql.mentionedElsewhere, key, sha256, sha256) === undefined &&
          !others.some((text) => text.includes(sha256)),
      );
    },
    sweepBlobs() {
      // In a transaction, so that no other process is between writing a file and its row.
      connection.write({ durable: false }, () => {
        for (const { name } of files.list()) {
          const isBlob = !name.endsWith(spillName(""));
          if (isBlob && connection.get(rowSql.blob, name) === undefined) files.remove(name);
        }
      });
    },
    removePayloads(key, isMeant) {
      for (const { digest } of connection.all(rowSql.digestsWithoutPayload, key)) {
        if (isMeant(digest as string)) files.remove(spillName(digest as string));
      }
    },
  };
}
