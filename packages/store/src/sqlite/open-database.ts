/** Opens the database file: permissions, pragmas, migrations with a backup, and the read-only way into a newer one. */
import { chmodSync, closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Failure, FailureError } from "@kedge/protocol";
import type { RandomBytes } from "../chain.ts";
import { isDamage } from "../rescue/damage.ts";
import { failure, isBusy, storageError } from "../storage-failure.ts";
import { type Migration, migrate, schemaVersion } from "./migrations.ts";

export const busyTimeoutMs = 5000;

/** Each failed try means that another process got further with it. */
const setUpTriesMax = 20;

/** The last one overwrites what is deleted, so that removed content is gone from the file as well. */
const pragmas = `
PRAGMA journal_mode=WAL;
PRAGMA synchronous=NORMAL;
PRAGMA cache_size=-64000;
PRAGMA foreign_keys=ON;
PRAGMA wal_autocheckpoint=1000;
PRAGMA secure_delete=ON;
`;

export type OpenedDatabase =
  | {
      readonly ok: true;
      readonly database: DatabaseSync;
      /** Set when a newer kedge wrote the database: it can be read, and writing fails with this. */
      readonly readOnly: Failure | undefined;
    }
  /** `isDamaged` when the file is no whole database any more. */
  | { readonly ok: false; readonly failure: Failure; readonly isDamaged?: true };

export function openDatabase(path: string, steps: readonly Migration[], randomBytes: RandomBytes): OpenedDatabase {
  try {
    return open(path, steps, randomBytes);
  } catch (error) {
    const known = storageError(error, path);
    if (!(known instanceof FailureError)) throw known;
    return { ok: false, failure: known.failure, ...(isDamage(error) && { isDamaged: true }) };
  }
}

function open(path: string, steps: readonly Migration[], randomBytes: RandomBytes): OpenedDatabase {
  makePrivateFile(path);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    const version = schemaVersion(database);
    if (version > steps.length) {
      database.close();
      return openNewer(path, version);
    }
    if (version === 0 && isForeign(database)) {
      database.close();
      return {
        ok: false,
        failure: failure(`${path} is not a kedge database.`, "Move it, or set KEDGE_HOME to another directory."),
      };
    }
    setUp(database);
    if (version < steps.length) {
      if (version > 0) backUp(database, `${path}.version-${version}.backup`, randomBytes);
      migrate(database, steps);
    }
    return { ok: true, database, readOnly: undefined };
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

/**
 * While another process sets up the same new file, SQLite turns this one away at once instead of waiting: a reader that
 * wants to write could wait for one that waits for it. Beginning to write waits, as it does everywhere else.
 */
function setUp(database: DatabaseSync): void {
  for (let tries = 1; ; tries += 1) {
    try {
      database.exec(pragmas);
      return;
    } catch (error) {
      if (!isBusy(error) || tries === setUpTriesMax) throw error;
      database.exec("BEGIN IMMEDIATE; COMMIT");
    }
  }
}

function openNewer(path: string, version: number): OpenedDatabase {
  const readOnly = failure(
    `${path} was written by a newer version of kedge (schema ${version}) and is open read-only.`,
    "Update kedge to continue these sessions.",
  );
  return { ok: true, database: new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs }), readOnly };
}

/** One statement, hence one look: between two looks another process could make the tables of a new database. */
function isForeign(database: DatabaseSync): boolean {
  const tablesWithoutVersion = "SELECT 1 FROM sqlite_schema, pragma_user_version WHERE user_version = 0 LIMIT 1";
  return database.prepare(tablesWithoutVersion).get() !== undefined;
}

/** SQLite gives its companion files the mode of the database, so setting this one is enough. */
function makePrivateFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "a", 0o600));
    // A umask may have taken rights from the owner too.
    chmodSync(path, 0o600);
  } else if (found.isFile() && (found.mode & 0o077) !== 0) {
    chmodSync(path, 0o600);
  }
}

function backUp(database: DatabaseSync, path: string, randomBytes: RandomBytes): void {
  const temporary = `${path}.${process.pid}_${Buffer.from(randomBytes(8)).toString("hex")}.tmp`;
  try {
    closeSync(openSync(temporary, "wx", 0o600));
    database.prepare("VACUUM INTO ?").run(temporary);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
