/** The files of the index as rows, with their chunks and words. */
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../database-transaction.ts";
import { columnNumber } from "./column-number.ts";

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

/** Apart from each other: in one table a long function would lose for its length what its name deserves. */
export const wordTables = ["titles", "bodies"] as const;

export function createFileRows(database: DatabaseSync) {
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
    if (known !== undefined && !isSame) clearFile(columnNumber(known["id"]));
    const stored = upsertFile.get(
      ...[root, file.path, file.modifiedMs, file.changedMs, file.sizeBytes, file.contentHash],
    );
    if (isSame) return;
    const id = columnNumber(stored?.["id"]);
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
      clearFile(columnNumber(known["id"]));
      deleteFile.run(columnNumber(known["id"]));
    }
  }

  return {
    knownFiles(root: number): Map<string, KnownFile> {
      const rows = database.prepare("SELECT path, modified, changed, size, hash FROM files WHERE root = ?").all(root);
      return new Map(
        rows.map(({ path, modified, changed, size, hash }) => [
          String(path),
          {
            modifiedMs: columnNumber(modified),
            changedMs: columnNumber(changed),
            sizeBytes: columnNumber(size),
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
  };
}
