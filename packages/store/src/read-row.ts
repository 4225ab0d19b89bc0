/** From a stored row to the record it holds, or to the failure that says which one is damaged. */
import { type FactRecord, FailureError } from "@kedge/protocol";
import { payloadDigest, recordFromRow, rowHash, type StoredRow } from "./chain.ts";
import { failure } from "./storage-failure.ts";

export class RecordDamaged extends FailureError {
  constructor(sessionId: string, seq: number, cause?: unknown) {
    const message = `Record ${seq} of session ${sessionId} is damaged.`;
    super(failure(message, `Run kedge session verify ${sessionId}.`), cause);
  }
}

/** Undefined for a damaged one, where others must be read all the same. */
export function unlessDamaged<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecordDamaged) return undefined;
    throw error;
  }
}

export function readRow(sessionId: string, row: StoredRow): FactRecord {
  return whenDamaged(sessionId, row.seq, () => recordFromRow(sessionId, row));
}

export function whenDamaged<Read>(sessionId: string, seq: number, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw damageOf(sessionId, seq, error);
  }
}

/**
 * What a fold threw over a session: the damage of its first record that is not as it was written, or else the error
 * itself, which then is a bug of ours. A flipped bit may leave JSON that no fold expects.
 */
export function damageBehind(sessionId: string, rows: Iterable<StoredRow>, error: unknown): unknown {
  if (error instanceof FailureError) return error;
  for (const row of rows) if (!isAsWritten(row)) return new RecordDamaged(sessionId, row.seq, error);
  return error;
}

export function isAsWritten(row: StoredRow): boolean {
  const { digest, payload } = row;
  return (
    rowHash(row) === row.hash && (digest === undefined || payload === undefined || payloadDigest(payload) === digest)
  );
}

/** Text that cannot be parsed is damage to the record it belongs to; any other error stays what it is. */
export function damageOf(sessionId: string, seq: number, error: unknown): unknown {
  return error instanceof SyntaxError ? new RecordDamaged(sessionId, seq, error) : error;
}
