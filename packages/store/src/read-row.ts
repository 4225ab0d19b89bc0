/** From a stored row to the record it holds, or to the failure that says which one is damaged. */
import { type FactRecord, FailureError } from "@kedge/protocol";
import { recordFromRow, type StoredRow } from "./chain.ts";
import { failure } from "./storage-failure.ts";

export class RecordDamaged extends FailureError {
  constructor(sessionId: string, seq: number, cause?: unknown) {
    const message = `Record ${seq} of session ${sessionId} is damaged.`;
    super(failure(message, `Run kedge session verify ${sessionId}.`), cause);
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

/** Text that cannot be parsed is damage to the record it belongs to; any other error stays what it is. */
export function damageOf(sessionId: string, seq: number, error: unknown): unknown {
  return error instanceof SyntaxError ? new RecordDamaged(sessionId, seq, error) : error;
}
