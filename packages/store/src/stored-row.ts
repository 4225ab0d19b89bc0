/** From the columns of a stored record, as databases keep it, to the row that is chained. */
import type { Payload, StoredRow } from "./chain.ts";

/** What a database is asked for. */
export const storedColumns = "seq, time, type, version, data, digest, prev, hash, salt, content";

/** The same with their types, in their order. */
type FactColumns = readonly [
  ...[seq: number, time: number, type: string, version: number, data: string, digest: string | null],
  ...[prev: string, hash: string, salt: string | null, content: string | null],
];

/** Reads content that lies in a file; undefined when it is missing, cut off or changed. */
export type ReadSpilled = (digest: string, salt: string) => string | undefined;

export function storedRow(columns: readonly unknown[], spilled: ReadSpilled): StoredRow {
  // The statements name these columns, and the database itself enforces their types.
  const [seq, time, type, version, data, sealed, prev, hash, salt, content] = columns as unknown as FactColumns;
  const digest = sealed ?? undefined;
  // A file that was cut off or changed counts as missing, so that the rest of the session can be read.
  const found = content ?? (digest !== undefined && salt !== null ? spilled(digest, salt) : undefined);
  const row = { seq, time, type, version, data, digest, prev, hash, payload: payloadOf(digest, salt, found) };
  return salt === null && content !== null ? { ...row, replacement: content } : row;
}

function payloadOf(digest: string | undefined, salt: string | null, content: string | undefined): Payload | undefined {
  return digest === undefined || salt === null || content === undefined ? undefined : { salt, content };
}
