/** From the columns of a stored record, as databases keep it, to the row that is chained. */
import { type Payload, payloadDigest, type StoredRow } from "./chain.ts";

/** What a database is asked for. */
export const storedColumns = "seq, time, type, version, data, digest, prev, hash, salt, content";

/** The same with their types, in their order. */
type FactColumns = readonly [
  ...[seq: number, time: number, type: string, version: number, data: string, digest: string | null],
  ...[prev: string, hash: string, salt: string | null, content: string | null],
];

/** `spilled` reads a payload whose content lies in a file. */
export function storedRow(columns: readonly unknown[], spilled: (digest: string) => string | undefined): StoredRow {
  // The statements name these columns, and the database itself enforces their types.
  const [seq, time, type, version, data, sealed, prev, hash, salt, content] = columns as unknown as FactColumns;
  const digest = sealed ?? undefined;
  const payload = payloadOf(
    digest,
    salt,
    content ?? (digest !== undefined && salt !== null ? spilled(digest) : undefined),
  );
  // A file that was cut off or changed counts as missing, so that the rest of the session can be read.
  const isLost = content === null && payload !== undefined && payloadDigest(payload) !== digest;
  const row = { seq, time, type, version, data, digest, prev, hash, payload: isLost ? undefined : payload };
  return salt === null && content !== null ? { ...row, replacement: content } : row;
}

function payloadOf(digest: string | undefined, salt: string | null, content: string | undefined): Payload | undefined {
  return digest === undefined || salt === null || content === undefined ? undefined : { salt, content };
}
