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
  try {
    return recordFromRow(sessionId, row);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new RecordDamaged(sessionId, row.seq, error);
  }
}
