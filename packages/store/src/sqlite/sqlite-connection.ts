/** One open database: prepared statements, transactions, and how long a commit waits for the disk. */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { type Failure, FailureError } from "@kedge/protocol";
import { plainTitle } from "../session-filter.ts";
import { storageError } from "../storage-failure.ts";
import { lazyStatements, sql } from "./sqlite-rows.ts";

type Row = Record<string, unknown>;

export type Connection = {
  /** Runs the work in one immediate transaction; any error rolls everything back and is thrown. */
  write<Result>(options: { readonly durable: boolean }, work: () => Result): Result;
  /** Runs the work on one unchanging view of the database. */
  read<Result>(work: () => Result): Result;
  get(text: string, ...values: SQLInputValue[]): Row | undefined;
  all(text: string, ...values: SQLInputValue[]): readonly Row[];
  /** Rows as the bare values of their columns: a quarter less work where there are tens of thousands. */
  values(text: string, ...values: SQLInputValue[]): readonly (readonly unknown[])[];
  /** The same rows one by one; whoever stops early ends the statement. */
  each(text: string, ...values: SQLInputValue[]): Iterable<Row>;
  /** Gives the row id of an insert. */
  run(text: string, ...values: SQLInputValue[]): number;
  /** Moves everything from the log into the database file, so that removed content does not stay behind in it. */
  emptyLog(): void;
  close(): void;
};

/** `readOnly` is the failure every write ends in when the database may only be read. */
export function createConnection(database: DatabaseSync, path: string, readOnly: Failure | undefined): Connection {
  const statement = lazyStatements(database);
  const bareStatement = lazyStatements(database, { returnArrays: true });
  database.function("plain_title", { deterministic: true }, (title) => plainTitle(String(title)));
  let synchronous: "NORMAL" | "FULL" = "NORMAL";

  function setSynchronous(wanted: "NORMAL" | "FULL"): void {
    if (wanted === synchronous) return;
    database.exec(`PRAGMA synchronous=${wanted}`);
    synchronous = wanted;
  }

  function transact<Result>(begin: string, work: () => Result): Result {
    statement(begin).run();
    try {
      const result = work();
      statement(sql.commit).run();
      return result;
    } catch (error) {
      // SQLite has rolled back by itself after some errors, such as a full disk.
      if (database.isTransaction) statement(sql.rollback).run();
      throw error;
    }
  }

  function naming<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw storageError(error, path);
    }
  }

  return {
    write(options, work) {
      if (readOnly !== undefined) throw new FailureError(readOnly);
      return naming(() => {
        // Switched before the transaction, because SQLite ignores it inside one.
        setSynchronous(options.durable ? "FULL" : "NORMAL");
        return transact(sql.begin, work);
      });
    },
    read: (work) => naming(() => transact(sql.beginReading, work)),
    get: (text, ...values) => naming(() => statement(text).get(...values)),
    all: (text, ...values) => naming(() => statement(text).all(...values)),
    values: (text, ...values) =>
      // What the statement gives back is set where it is prepared; its type only knows the other form.
      naming(() => bareStatement(text).all(...values) as unknown as readonly (readonly unknown[])[]),
    *each(text, ...values) {
      try {
        yield* statement(text).iterate(...values);
      } catch (error) {
        throw storageError(error, path);
      }
    },
    run: (text, ...values) => Number(statement(text).run(...values).lastInsertRowid),
    emptyLog: () => naming(() => database.exec("PRAGMA wal_checkpoint(TRUNCATE)")),
    close: () => naming(() => database.close()),
  };
}
