/** What the index knows, as rows: the directories it was asked about, their files, the chunks of those and their words. */

import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { inTransaction } from "../database-transaction.ts";

/** By these a file is known to be unchanged without reading it. */
export type FileStamp = { readonly modifiedMs: number; readonly changedMs: number; readonly sizeBytes: number };

export type KnownFile = FileStamp & { readonly contentHash: string };

export type IndexedChunk = {
  readonly first: number;
  readonly last: number;
  readonly symbol: string;
  /** Words with blanks between them. */
  readonly nameWords: string;
  readonly placeWords: string;
  readonly bodyWords: string;
};

export type IndexedFile = KnownFile & {
  readonly path: string;
  /** Undefined when the content is what the index has already. */
  readonly chunks: readonly IndexedChunk[] | undefined;
};

export type Hit = {
  readonly path: string;
  readonly contentHash: string;
  readonly first: number;
  readonly last: number;
  readonly symbol: string;
};

export type IndexRows = ReturnType<typeof createIndexRows>;

/** Apart from each other: in one table a long function would lose for its length what its name deserves. */
const wordTables = ["titles", "bodies"] as const;
/** How much more a word counts in the name of a definition and in the path than in the code. */
const titleWeight = 2;
const placeShare = 0.3;
const reclaimPages = 500;

export function createIndexRows(database: DatabaseSync) {
  const selectFile = database.prepare("SELECT id, hash FROM files WHERE root = ? AND path = ?");
  const upsertFile = database.prepare(`INSERT INTO files (root, path, modified, changed, size, hash)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (root, path) DO UPDATE
    SET modified = excluded.modified, changed = excluded.changed, size = excluded.size, hash = excluded.hash
    RETURNING id`);
  const insertChunk = database.prepare("INSERT INTO chunks (root, file, first, last, symbol) VALUES (?, ?, ?, ?, ?)");
  const insertTitle = database.prepare("INSERT INTO titles (rowid, names, place) VALUES (?, ?, ?)");
  const insertBody = database.prepare("INSERT INTO bodies (rowid, body) VALUES (?, ?)");
  const deleteWords = wordTables.map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE rowid IN (SELECT id FROM chunks WHERE file = ?)`),
  );
  const deleteChunks = database.prepare("DELETE FROM chunks WHERE file = ?");
  const deleteFile = database.prepare("DELETE FROM files WHERE id = ?");

  function clearFile(file: number): void {
    for (const statement of deleteWords) statement.run(file);
    deleteChunks.run(file);
  }

  function storeFile(root: number, file: IndexedFile): void {
    const known = selectFile.get(root, file.path);
    // Another process may have come first.
    const isSame = known?.["hash"] === file.contentHash;
    if (!isSame && file.chunks === undefined) return;
    if (known !== undefined && !isSame) clearFile(asNumber(known["id"]));
    const stored = upsertFile.get(
      ...[root, file.path, file.modifiedMs, file.changedMs, file.sizeBytes, file.contentHash],
    );
    if (isSame) return;
    const id = asNumber(stored?.["id"]);
    for (const { first, last, symbol, nameWords, placeWords, bodyWords } of file.chunks ?? []) {
      const { lastInsertRowid } = insertChunk.run(root, id, first, last, symbol);
      insertTitle.run(lastInsertRowid, nameWords, placeWords);
      insertBody.run(lastInsertRowid, bodyWords);
    }
  }

  function removeFiles(root: number, paths: readonly string[]): void {
    for (const path of paths) {
      const known = selectFile.get(root, path);
      if (known === undefined) continue;
      clearFile(asNumber(known["id"]));
      deleteFile.run(asNumber(known["id"]));
    }
  }

  return {
    /** The number of a directory, which becomes the one that was used last; nothing is written if it is already. */
    useRoot(path: string): number {
      const last = database.prepare("SELECT id, path FROM roots ORDER BY used DESC LIMIT 1").get();
      if (last?.["path"] === path) return asNumber(last["id"]);
      const sql = `INSERT INTO roots (path, used) VALUES (?, (SELECT coalesce(max(used), 0) + 1 FROM roots))
        ON CONFLICT (path) DO UPDATE SET used = excluded.used RETURNING id`;
      return asNumber(database.prepare(sql).get(path)?.["id"]);
    },
    /** Those that were not used for the longest time first. */
    otherRoots(root: number): readonly { readonly id: number; readonly path: string }[] {
      const rows = database.prepare("SELECT id, path FROM roots WHERE id <> ? ORDER BY used").all(root);
      return rows.map(({ id, path }) => ({ id: asNumber(id), path: String(path) }));
    },
    removeRoot: (root: number): void =>
      inTransaction(database, () => {
        for (const table of wordTables)
          database.prepare(`DELETE FROM ${table} WHERE rowid IN (SELECT id FROM chunks WHERE root = ?)`).run(root);
        for (const table of ["chunks", "files"]) database.prepare(`DELETE FROM ${table} WHERE root = ?`).run(root);
        database.prepare("DELETE FROM roots WHERE id = ?").run(root);
      }),
    knownFiles(root: number): Map<string, KnownFile> {
      const rows = database.prepare("SELECT path, modified, changed, size, hash FROM files WHERE root = ?").all(root);
      return new Map(
        rows.map(({ path, modified, changed, size, hash }) => [
          String(path),
          {
            modifiedMs: asNumber(modified),
            changedMs: asNumber(changed),
            sizeBytes: asNumber(size),
            contentHash: String(hash),
          },
        ]),
      );
    },
    storeFiles: (root: number, files: readonly IndexedFile[]): void =>
      inTransaction(database, () => {
        for (const file of files) storeFile(root, file);
      }),
    removeFiles: (root: number, paths: readonly string[]): void =>
      inTransaction(database, () => removeFiles(root, paths)),
    /** Gives back the room of removed words, some pages at a time; false when nothing is left to do. */
    reclaim(): boolean {
      return inTransaction(database, () => {
        const changes = () => asNumber(database.prepare("SELECT total_changes() AS changes").get()?.["changes"]);
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
      return asNumber(database.prepare(sql).get()?.["bytes"]);
    },
    /** The best chunks that have at least one of the words, and how many there are in all. */
    find(root: number, words: readonly string[], countMax: number): { hits: readonly Hit[]; count: number } {
      const question = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ");
      const ranked = database
        .prepare(`WITH scored AS MATERIALIZED (
            SELECT rowid AS chunk, ${titleWeight} * bm25(titles, 1, ${placeShare}) AS score FROM titles WHERE titles MATCH ?1
            UNION ALL SELECT rowid, bm25(bodies) FROM bodies WHERE bodies MATCH ?1
          ), summed AS (SELECT chunk, sum(score) AS score FROM scored GROUP BY chunk)
          SELECT chunk, count(*) OVER () AS count FROM summed CROSS JOIN chunks ON chunks.id = chunk AND root = ?2
          ORDER BY score, chunk LIMIT ?3`)
        .all(question, root, countMax);
      const details = database.prepare(`SELECT path, hash, first, last, symbol
        FROM chunks JOIN files ON files.id = chunks.file WHERE chunks.id = ?`);
      const hits = ranked.flatMap(({ chunk }) => {
        const row = details.get(asNumber(chunk));
        if (row === undefined) return [];
        const { path, hash, first, last, symbol } = row;
        return [
          {
            path: String(path),
            contentHash: String(hash),
            first: asNumber(first),
            last: asNumber(last),
            symbol: String(symbol),
          },
        ];
      });
      return { hits, count: asNumber(ranked[0]?.["count"] ?? 0) };
    },
  };
}

/** The columns asked have no other type; anything else means that the tables are not ours. */
function asNumber(value: SQLOutputValue | undefined): number {
  if (typeof value !== "number") throw new Error(`the index has ${typeof value} where a number belongs`);
  return value;
}
