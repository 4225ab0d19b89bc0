/** Reads the records of a session a page at a time, with as little as possible between the file and the fact. */
import type { FactRecord } from "@kedge/protocol";
import { recordFromTexts, type StoredRow } from "../chain.ts";
import { readRow, whenDamaged } from "../read-row.ts";
import type { Connection } from "./sqlite-connection.ts";

/** Records taken per query, so that no statement stays open while the reader is busy. */
const recordsPerPage = 256;

/**
 * The digest stands in `data` as well; version and salt are for checking the chain. `is_plain` tells that the content is
 * in the row, or that there never was any.
 */
const pageSql = `SELECT seq, time, type, data, prev, hash, content,
    iif(digest IS NULL, content IS NULL, salt IS NOT NULL AND content IS NOT NULL) AS is_plain
  FROM fact WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?`;

/** The columns of the statement, in their order. */
type PageRow = readonly [
  ...[seq: number, time: number, type: string, data: string],
  ...[prev: string, hash: string, content: string | null, isPlain: number],
];

export type SessionPlace = { readonly sessionId: string; readonly key: number };

export type RecordPages = {
  /** At most so many rows after the number; an empty page is the end. */
  page(key: number, afterSeq: number, limit?: number): readonly PageRow[];
  /** Rows are parsed one by one, so that those before a damaged one can still be read. */
  record(place: SessionPlace, row: PageRow): FactRecord;
  /** All after the number. The session is looked for when the first one is asked for. */
  each(find: () => SessionPlace | undefined, afterSeq: number): AsyncIterable<FactRecord>;
};

/** `rowAt` reads the rows that are not plain: their content was removed or replaced, or lies in a file. */
export function createRecordPages(
  connection: Connection,
  rowAt: (key: number, seq: number) => StoredRow | undefined,
): RecordPages {
  const pages: RecordPages = {
    page(key, afterSeq, limit = recordsPerPage) {
      // The statement names these columns, and SQLite itself enforces their types.
      return connection.values(pageSql, key, afterSeq, limit) as unknown as readonly PageRow[];
    },
    record({ sessionId, key }, [seq, time, type, data, prev, hash, content, isPlain]) {
      const row = isPlain === 1 ? undefined : rowAt(key, seq);
      if (row !== undefined) return readRow(sessionId, row);
      return whenDamaged(sessionId, seq, () =>
        recordFromTexts(sessionId, { seq, time, type, data, prev, hash }, content ?? undefined),
      );
    },
    each: (find, afterSeq) => ({ [Symbol.asyncIterator]: () => iterate(connection, pages, { find, afterSeq }) }),
  };
  return pages;
}

/**
 * Written out because tens of thousands of records wait for it one by one, and a generator takes twice as long
 * between two of them.
 */
function iterate(
  connection: Connection,
  pages: RecordPages,
  { find, afterSeq }: { readonly find: () => SessionPlace | undefined; readonly afterSeq: number },
): AsyncIterator<FactRecord> {
  let place: SessionPlace | undefined;
  let rows: readonly PageRow[] = [];
  let index = 0;
  let seq: number | undefined;
  let endPass: (() => void) | undefined;
  let isOver = false;

  function nextPage(): void {
    if (seq === undefined) {
      place = find();
      seq = afterSeq;
    } else endPass ??= connection.startPass();
    index = 0;
    rows = place === undefined ? [] : pages.page(place.key, seq);
    seq = rows.at(-1)?.[0] ?? seq;
  }

  function nextRecord(): FactRecord | undefined {
    if (index >= rows.length && !isOver) nextPage();
    const row = rows[index];
    index += 1;
    return place === undefined || row === undefined ? undefined : pages.record(place, row);
  }

  function end(): void {
    isOver = true;
    rows = [];
    endPass?.();
  }

  return {
    async next() {
      let value: FactRecord | undefined;
      try {
        value = nextRecord();
      } finally {
        if (value === undefined) end();
      }
      return value === undefined ? { done: true, value } : { done: false, value };
    },
    async return() {
      end();
      return { done: true, value: undefined };
    },
  };
}
