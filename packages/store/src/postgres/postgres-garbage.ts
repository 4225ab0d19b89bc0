/** What the server's disk is used for, and giving back what nobody needs any more. */

import type { Garbage, StorageUse, Store } from "@kedge/protocol";
import { titleOf } from "../damaged-view.ts";
import type { SharedClock } from "./leases.ts";
import type { Connection, Queries } from "./postgres-connection.ts";

const sql = {
  use: `SELECT (SELECT count(*) FROM kedge.session WHERE NOT deleted) AS sessions,
    (SELECT count(*) FROM kedge.fact) AS facts,
    (SELECT coalesce(sum(size), 0)::bigint FROM kedge.blob) AS blobs`,
  bytes: `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'kedge' AND c.relkind = 'r' AND c.relname <> 'blob'`,
  largest: `SELECT s.id, s.title, sum(octet_length(f.data) + coalesce(octet_length(f.content), 0))::bigint AS bytes
    FROM kedge.fact f JOIN kedge.session s ON s.key = f.session WHERE NOT s.deleted
    GROUP BY s.key ORDER BY bytes DESC LIMIT $1`,
  old: "SELECT sha256 FROM kedge.blob WHERE stored < $1",
  last: "SELECT last FROM kedge.place",
  /** Keeps every append waiting until the transaction ends. */
  lastLocked: "SELECT last FROM kedge.place FOR UPDATE",
  named: `SELECT DISTINCT named[1] AS sha256 FROM kedge.fact,
    regexp_matches(data || ' ' || coalesce(content, ''), '[0-9a-f]{64}', 'g') AS named
    WHERE pos > $1 AND pos <= $2 AND named[1] = ANY($3::text[])`,
  /** The time is looked at again, because somebody may have stored it again meanwhile. */
  count: `SELECT count(*) AS files, coalesce(sum(size), 0)::bigint AS bytes FROM kedge.blob
    WHERE sha256 = ANY($1::text[]) AND stored < $2`,
  drop: `WITH gone AS (DELETE FROM kedge.blob WHERE sha256 = ANY($1::text[]) AND stored < $2 RETURNING size)
    SELECT count(*) AS files, coalesce(sum(size), 0)::bigint AS bytes FROM gone`,
} as const;

/** Facts looked through by one statement, so that none of them takes long. */
const factsPerLook = 5_000;

const shrinkSql = ["fact", "part", "message", "session", "blob"].map((table) => `VACUUM FULL kedge.${table}`);

export type PostgresGarbage = {
  storageUse(largestMax: number): Promise<StorageUse>;
  collect(options: Parameters<Store["collectGarbage"]>[0]): Promise<Garbage>;
};

export function createGarbage(
  connection: Connection,
  { clock, settle }: { readonly clock: SharedClock; readonly settle: () => Promise<void> },
): PostgresGarbage {
  const numberOf = async (queries: Queries, text: string, column: string) =>
    Number((await queries.rows(text))[0]?.[column] ?? 0);

  /** Takes those out that a fact after one place, up to another, names. */
  async function withoutNamed(queries: Queries, names: Set<string>, after: number, upTo: number): Promise<void> {
    for (let pos = after; pos < upTo && names.size > 0; pos += factsPerLook) {
      const end = Math.min(pos + factsPerLook, upTo);
      for (const { sha256 } of await queries.rows(sql.named, [pos, end, [...names]])) names.delete(String(sha256));
    }
  }

  /** The long look goes on beside writers. What they did meanwhile is looked at again while none of them can write. */
  async function removeUnnamed(graceMs: number, isDryRun: boolean): Promise<Garbage> {
    const before = clock.now() - graceMs;
    const names = new Set((await connection.rows(sql.old, [before])).map(({ sha256 }) => String(sha256)));
    if (names.size === 0) return { files: 0, bytesFreed: 0 };
    const seen = await numberOf(connection, sql.last, "last");
    await withoutNamed(connection, names, 0, seen);
    return connection.write({ durable: false, locks: [] }, async (queries) => {
      await withoutNamed(queries, names, seen, await numberOf(queries, sql.lastLocked, "last"));
      const [gone] = await queries.rows(isDryRun ? sql.count : sql.drop, [[...names], before]);
      return { files: Number(gone?.["files"]), bytesFreed: Number(gone?.["bytes"]) };
    });
  }

  const databaseBytes = () => numberOf(connection, sql.bytes, "bytes");

  return {
    async storageUse(largestMax) {
      const [use] = await connection.rows(sql.use);
      const largest = largestMax > 0 ? await connection.rows(sql.largest, [largestMax]) : [];
      return {
        databaseBytes: await databaseBytes(),
        // Only the server knows, and it writes over it by itself.
        freeBytes: 0,
        blobBytes: Number(use?.["blobs"]),
        sessions: Number(use?.["sessions"]),
        facts: Number(use?.["facts"]),
        filesMissing: 0,
        largest: largest.map(({ id, title, bytes }) => ({
          sessionId: String(id),
          title: titleOf(title),
          bytes: Number(bytes),
        })),
      };
    },
    async collect({ graceMs, isDryRun, isThorough }) {
      const before = await databaseBytes();
      const removed = await removeUnnamed(graceMs, isDryRun);
      if (isDryRun) return removed;
      await (isThorough ? connection.maintain(shrinkSql) : settle());
      return { ...removed, bytesFreed: removed.bytesFreed + Math.max(0, before - (await databaseBytes())) };
    },
  };
}
