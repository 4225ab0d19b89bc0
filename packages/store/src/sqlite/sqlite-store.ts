/** The Store contract on one SQLite file, with large content in files beside it. */
import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { type Failure, FailureError, type Store } from "@kedge/protocol";
import { blobFiles } from "../blob-files.ts";
import { type RandomBytes, recordFromRow, type StoredRow } from "../chain.ts";
import { type IsAlive, judgeLease, leaseMs } from "../lease.ts";
import { failure } from "../storage-failure.ts";
import { verifyChain } from "../verify-chain.ts";
import { createConnection } from "./sqlite-connection.ts";
import { createJournal } from "./sqlite-journal.ts";
import { leaseEntry, listSql, sessionEntry, sql } from "./sqlite-rows.ts";

export type SqliteStoreOptions = {
  readonly path: string;
  readonly blobsDirectory: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly isAlive: IsAlive;
};

/** `readOnly` is the failure that every write ends in when the database may only be read. */
export function createSqliteStore(
  database: DatabaseSync,
  readOnly: Failure | undefined,
  options: SqliteStoreOptions,
): Store {
  const connection = createConnection(database, options.path, readOnly);
  const files = blobFiles(options.blobsDirectory, options.randomBytes);
  const journal = createJournal(connection, files, options);

  return {
    async append(sessionId, facts, { boot, durable }) {
      return journal.append(sessionId, facts, { boot, durable });
    },

    async *read(sessionId, afterSeq) {
      const entry = journal.find(sessionId);
      if (entry === undefined) return;
      let rows = journal.page(entry.key, afterSeq);
      while (rows.length > 0) {
        for (const row of rows) yield readRow(sessionId, row);
        rows = journal.page(entry.key, rows.at(-1)?.seq ?? afterSeq);
      }
    },

    async sessions({ directory, projectId, limit }) {
      const values = [directory, projectId].filter((value) => value !== undefined);
      return connection
        .all(listSql({ directory: directory !== undefined, project: projectId !== undefined }), ...values, limit)
        .flatMap((row) => sessionEntry(row)?.summary ?? []);
    },

    async session(sessionId) {
      return journal.find(sessionId)?.summary;
    },

    async acquireLease(sessionId, holder) {
      return connection.write({ durable: false }, () => {
        const now = options.now();
        const current = leaseEntry(connection.get(sql.lease, sessionId));
        const outcome = judgeLease(current, holder, { now, isAlive: options.isAlive });
        const { boot, pid, startedAt } = holder;
        if (outcome.ok) connection.run(sql.saveLease, sessionId, boot, pid, startedAt, now + leaseMs);
        return outcome;
      });
    },

    async releaseLease(sessionId, boot) {
      connection.write({ durable: false }, () => connection.run(sql.dropLease, sessionId, boot));
    },

    async verify(sessionId) {
      return connection.read(() => {
        const entry = journal.find(sessionId);
        return verifyChain(sessionId, entry && { ...entry, rows: journal.rows(entry.key) });
      });
    },

    async removeContent(sessionId, digests, { reason, by, boot }) {
      return journal.removeContent(sessionId, new Set(digests), { reason, by, boot });
    },

    async putBlob(bytes) {
      const sha256 = hash("sha256", bytes);
      if (connection.get(sql.blob, sha256) !== undefined) return sha256;
      // The file comes first, so that a row never promises bytes that are not there.
      connection.write({ durable: false }, () => {
        files.write(sha256, bytes);
        return connection.run(sql.insertBlob, sha256, bytes.length);
      });
      return sha256;
    },

    async blob(sha256) {
      if (connection.get(sql.blob, sha256) === undefined) return undefined;
      const bytes = files.read(sha256);
      if (bytes !== undefined && hash("sha256", bytes) === sha256) return bytes;
      throw new FailureError(
        failure(`The stored file ${sha256} is damaged or missing.`, "Restore the blobs folder from a backup."),
      );
    },

    async close() {
      connection.close();
    },
  };
}

function readRow(sessionId: string, row: StoredRow) {
  try {
    return recordFromRow(sessionId, row);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new FailureError(
      failure(`Record ${row.seq} of session ${sessionId} is damaged.`, `Run kedge session verify ${sessionId}.`),
      error,
    );
  }
}
