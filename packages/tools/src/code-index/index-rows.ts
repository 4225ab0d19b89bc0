/** What the index knows, as rows: the directories it was asked about, their files, the chunks of those and their words. */

import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../database-transaction.ts";
import { columnNumber } from "./column-number.ts";
import { createFileRows, wordTables } from "./file-rows.ts";
import { findChunks } from "./find-chunks.ts";

export type IndexRows = ReturnType<typeof createIndexRows>;

const reclaimPages = 500;

export function createIndexRows(database: DatabaseSync) {
  return {
    ...createFileRows(database),
    /** The number of a directory, which becomes the one that was used last; nothing is written if it is already. */
    useRoot(path: string): number {
      const last = database.prepare("SELECT id, path FROM roots ORDER BY used DESC LIMIT 1").get();
      if (last?.["path"] === path) return columnNumber(last["id"]);
      const sql = `INSERT INTO roots (path, used) VALUES (?, (SELECT coalesce(max(used), 0) + 1 FROM roots))
        ON CONFLICT (path) DO UPDATE SET used = excluded.used RETURNING id`;
      return columnNumber(database.prepare(sql).get(path)?.["id"]);
    },
    /** Those that were not used for the longest time first. */
    otherRoots(root: number): readonly { readonly id: number; readonly path: string }[] {
      const rows = database.prepare("SELECT id, path FROM roots WHERE id <> ? ORDER BY used").all(root);
      return rows.map(({ id, path }) => ({ id: columnNumber(id), path: String(path) }));
    },
    removeRoot: (root: number): void =>
      inTransaction(database, () => {
        for (const table of wordTables)
          database.prepare(`DELETE FROM ${table} WHERE rowid IN (SELECT id FROM chunks WHERE root = ?)`).run(root);
        for (const table of ["chunks", "files"]) database.prepare(`DELETE FROM ${table} WHERE root = ?`).run(root);
        database.prepare("DELETE FROM roots WHERE id = ?").run(root);
      }),
    /** Gives back the room of removed words, some pages at a time; false when nothing is left to do. */
    reclaim(): boolean {
      return inTransaction(database, () => {
        const changes = () => columnNumber(database.prepare("SELECT total_changes() AS changes").get()?.["changes"]);
        const before = changes();
        for (const table of wordTables)
          database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`).run(-reclaimPages);
        // Each of the two insertions itself counts as one.
        return changes() - before > wordTables.length;
      });
    },
    /** Without the room that removed rows have left. */
    usedBytes(): number {
      const sql = `SELECT (page_count - freelist_count) * page_size AS bytes
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;
      return columnNumber(database.prepare(sql).get()?.["bytes"]);
    },
    find: (root: number, words: readonly string[], countMax: number) => findChunks(database, root, { words, countMax }),
  };
}
