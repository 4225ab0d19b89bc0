/** One open database: prepared statements, transactions, and how long a commit waits for the disk. */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { type Failure, FailureError } from "@kedge/protocol";
import { plainTitle } from "../session-filter.ts";
import { isBusy, storageError } from "../storage-failure.ts";
import { createFileCheck } from "./file-check.ts";
import { lazyStatements, sql } from "./sqlite-rows.ts";

type Row = Record<string, unknown>;

/** In the unit of the pragma: 2 MB. */
const cacheSizeOfPass = -2000;

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
  /** Gives the number of rows that a statement changed. */
  change(text: string, ...values: SQLInputValue[]): number;
  /** Moves everything from the log into the database file, so that removed content does not stay behind in it. */
  emptyLog(): void;
  /**
   * Has few pages kept in memory until the function it gives is called: for whoever goes over much of the file once.
   * Without it 50 MB of facts stay there, and making room for them is a quarter of the time that reading them takes.
   */
  startPass(): () => void;
  /** Writes the database again without what is free in it. Left for another time when somebody else works with it. */
  shrink(): void;
  close(): void;
};

/** `readOnly` is the failure every write ends in when the database may only be read. */
export function createConnection(database: DatabaseSync, path: string, readOnly: Failure | undefined): Connection {
  const statement = lazyStatements(database);
  const bareStatement = lazyStatements(database, { returnArrays: true });
  database.function("plain_title", { deterministic: true }, (title) => plainTitle(String(title)));
  const checkFile = createFileCheck(path);
  let synchronous: "NORMAL" | "FULL" = "NORMAL";

  let passes = 0;
  let pagesKept = 0;

  function startPass(): () => void {
    if (passes === 0) {
      pagesKept = Number(statement("PRAGMA cache_size").get()?.["cache_size"]);
      database.exec(`PRAGMA cache_size=${cacheSizeOfPass}`);
    }
    passes += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      passes -= 1;
      if (passes === 0 && database.isOpen) database.exec(`PRAGMA cache_size=${pagesKept}`);
    };
  }

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
        const result = transact(sql.begin, work);
        // Afterwards, so that nothing counts as stored that was written to a file which is gone.
        checkFile();
        return result;
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
    change: (text, ...values) => Number(statement(text).run(...values).changes),
    emptyLog: () => naming(() => database.exec("PRAGMA wal_checkpoint(TRUNCATE)")),
    startPass,
    shrink() {
      if (readOnly !== undefined) throw new FailureError(readOnly);
      try {
        database.exec("VACUUM");
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch (error) {
        if (!isBusy(error)) throw storageError(error, path);
      }
    },
    close: () => naming(() => database.close()),
  };
}
