/** The file of the index: opened privately, rebuilt when its form is not ours, thrown away when it is damaged. */

import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { textBeside } from "@kedge/protocol/text-file";
import { inTransaction } from "../database-transaction.ts";

/** Goes up with every change of the tables or of how words are made; an index of another number is built again. */
const schemaVersion = 1;
/** The letters "kidx", by which a file of somebody else is told apart. */
const applicationId = 0x6b_69_64_78;
/** Waiting inside of SQLite holds the whole thread, so the rest of the patience is spent outside of it. */
const innerWaitMs = 50;
const outerWaitMs = 25;
const busyTriesMax = 30;

/** Moved: the file was removed or replaced while it was open here. */
export type IndexTrouble = "damaged" | "outdated" | "moved" | "busy" | "unusable";

/** Primary result codes of SQLite; those that are not listed mean a mistake in our own statements. */
const troubleOfSqlite: ReadonlyMap<number, IndexTrouble> = new Map([
  [3, "unusable"],
  [5, "busy"],
  [6, "busy"],
  [8, "unusable"],
  [10, "unusable"],
  [11, "damaged"],
  [13, "unusable"],
  [14, "unusable"],
  [23, "unusable"],
  [26, "damaged"],
]);
/** Extended result codes keep the primary one in their lowest byte. */
const primaryCodeMask = 0xff;
const movedCode = 8 | (4 << 8);

/** What an error says about the index; undefined if it is about something else. */
export function troubleOf(error: unknown): IndexTrouble | undefined {
  if (error instanceof OutdatedIndex) return "outdated";
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number")
    return error.errcode === movedCode ? "moved" : troubleOfSqlite.get(error.errcode & primaryCodeMask);
  return "syscall" in error ? "unusable" : undefined;
}

/** The index has another form than this program writes. */
class OutdatedIndex extends Error {}

export async function openIndexDatabase(path: string, signal: AbortSignal): Promise<DatabaseSync> {
  const { DatabaseSync } = await import("node:sqlite");
  makePrivateFile(path);
  return patiently(signal, () => {
    const database = new DatabaseSync(path, { timeout: innerWaitMs });
    try {
      database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-8000");
      if (formOf(database) === "new") createTables(database);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** With everything that SQLite keeps beside it. */
export function removeIndexDatabase(path: string): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
}

/** Runs work again while another process writes; `work` must do all or nothing and not wait for anything. */
export async function patiently<Result>(signal: AbortSignal, work: () => Result): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return work();
    } catch (error) {
      if (troubleOf(error) !== "busy" || tries >= busyTriesMax || signal.aborted) throw error;
    }
    await setTimeout(outerWaitMs);
  }
}

function createTables(database: DatabaseSync): void {
  inTransaction(database, () => {
    // Another process may have made them since we looked.
    if (formOf(database) === "ours") return;
    database.exec(textBeside(import.meta.url, "./index-schema.sql"));
    database.exec(`PRAGMA application_id=${applicationId}; PRAGMA user_version=${schemaVersion}`);
  });
}

function formOf(database: DatabaseSync): "new" | "ours" {
  const sql = `SELECT application_id AS application, user_version AS version,
    (SELECT count(*) FROM sqlite_schema) AS tables FROM pragma_application_id, pragma_user_version`;
  const found = database.prepare(sql).get();
  if (found?.["tables"] === 0) return "new";
  if (found?.["application"] === applicationId && found["version"] === schemaVersion) return "ours";
  throw new OutdatedIndex("the index has another form");
}

/** SQLite gives its companion files the mode of the database, so setting this one is enough. */
function makePrivateFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "a", 0o600));
  } else if (found.isFile() && (found.mode & 0o077) !== 0) chmodSync(path, 0o600);
}
