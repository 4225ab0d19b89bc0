/** Rows of facts as the SQLite store has them, with contents that lie in files read from there. */
import { createHash, type Hash } from "node:crypto";
import type { BlobFiles } from "../blob-files.ts";
import { payloadDigest, type StoredRow } from "../chain.ts";
import { shortenJson, shownBytesMax } from "../shorten-json.ts";
import { type ReadSpilled, storedRow } from "../stored-row.ts";
import type { Connection } from "./sqlite-connection.ts";
import { sql } from "./sqlite-rows.ts";

/** Rows taken per query, so that no statement stays open while the reader is busy. */
const rowsPerPage = 256;

export type FactRows = {
  /** All of a session, `key` being its own. */
  rows(key: number): Iterable<StoredRow>;
  row(key: number, seq: number): StoredRow | undefined;
  /** Of content that is very long, only the beginning of each text. */
  shownRow(key: number, seq: number): StoredRow | undefined;
};

export function createFactRows(connection: Connection, files: BlobFiles): FactRows {
  const spilled: ReadSpilled = (digest, salt) => {
    const content = files.read(spillName(digest))?.toString();
    return content !== undefined && payloadDigest({ salt, content }) === digest ? content : undefined;
  };

  const shownSpilled: ReadSpilled = (digest, salt) => {
    const name = spillName(digest);
    if (files.size(name) <= shownBytesMax) return spilled(digest, salt);
    const sum = createHash("sha256").update(salt);
    const content = shortenJson(summed(files.pieces(name), sum));
    return sum.digest("hex") === digest ? content : undefined;
  };

  function page(key: number, afterSeq: number): readonly StoredRow[] {
    return connection.values(sql.facts, key, afterSeq, rowsPerPage).map((row) => storedRow(row, spilled));
  }

  function* rows(key: number): Generator<StoredRow> {
    const endPass = connection.startPass();
    try {
      let next = page(key, 0);
      while (next.length > 0) {
        yield* next;
        next = page(key, next.at(-1)?.seq ?? 0);
      }
    } finally {
      endPass();
    }
  }

  const rowWith = (read: ReadSpilled) => (key: number, seq: number) => {
    const [row] = connection.values(sql.factAt, key, seq);
    return row && storedRow(row, read);
  };

  return { rows, row: rowWith(spilled), shownRow: rowWith(shownSpilled) };
}

function* summed(pieces: Iterable<Buffer>, sum: Hash): Generator<Buffer> {
  for (const piece of pieces) {
    sum.update(piece);
    yield piece;
  }
}

/** The file of a content that is too long for its row. */
export function spillName(digest: string): string {
  return `${digest}.payload`;
}
