/** Changes of a database that happen as a whole or not at all. */
import type { DatabaseSync } from "node:sqlite";

/** All of it or nothing of it; other processes write before or after, never in between. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A constraint can have ended it already.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
